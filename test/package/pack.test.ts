import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'waybill-pack-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

interface Manifest {
  readonly exports: Record<string, string | Record<string, string>>;
}

it('npm pack contains the code, even if nothing was built before', { timeout: 120_000 }, () => {
  const place = join(folder, 'packages', 'waybill');
  cpSync(join(root, 'packages', 'waybill'), place, { recursive: true, filter: (path) => !/waybill\/(?:dist|node_modules)$/.test(path) });
  cpSync(join(root, 'tsconfig.base.json'), join(folder, 'tsconfig.base.json'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const printed = execFileSync('npm', ['pack', '--json', '--loglevel', 'error'], {
    cwd: place,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [{ files }] = JSON.parse(printed.slice(printed.indexOf('[\n'))) as [{ files: { path: string }[] }];
  const packed = files.map(({ path }) => path);
  const { exports } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as Manifest;
  const targets = Object.values(exports).flatMap((target) => (typeof target === 'string' ? [target] : Object.values(target)));
  expect(targets.filter((target) => !packed.includes(target.slice(2)))).toEqual([]);
  // A source map would point to sources that are not in the package.
  expect(packed.filter((path) => path.endsWith('.map'))).toEqual([]);
  const scripts = packed.filter((path) => /\.(?:js|d\.ts)$/.test(path));
  expect(scripts.filter((path) => readFileSync(join(place, path), 'utf8').includes('sourceMappingURL'))).toEqual([]);
});
