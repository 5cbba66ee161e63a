#!/usr/bin/env node
// Packs every package that is published, as it is built, ready to install or to publish.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { execute } from './shared/run.mjs';
import { writeFormatted } from './shared/writeFormatted.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The folders of the packages that are published. */
export function published() {
  return readdirSync(join(root, 'packages'))
    .filter((name) => JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')).private !== true)
    .map((name) => join('packages', name));
}

/**
 * Packs the packages into a folder. Returns what npm tells of each: name, size, files, filename. The scripts of the packages do not run: they
 * would write into `dist` while other tests use it.
 */
export async function pack(folder) {
  mkdirSync(folder, { recursive: true });
  const workspaces = published().flatMap((place) => ['--workspace', place]);
  const args = ['pack', '--json', '--ignore-scripts', '--loglevel', 'error', '--pack-destination', folder, ...workspaces];
  const { code, stdout, output } = await execute('npm', args, { cwd: root, limit: 300_000 });
  if (code !== 0) throw new Error(`npm pack failed:\n${output}`);
  return JSON.parse(stdout);
}

/** The contents of a package: each file, and a built or copied folder as one. Sizes have room for a fifth more. */
export function outlineOf({ files, size }, kilobytes = Math.ceil((size * 1.2) / 10_240) * 10) {
  const places = files.map(({ path }) => path.replace(/^(dist|vectors|deploy)\/.*/, '$1/'));
  return { kilobytes, files: [...new Set(places)].sort() };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { pin: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } });
  if (values.help) {
    console.log(`Usage: npm run pack [-- --pin]

Builds every package that is published and packs it into release/.
--pin   writes test/package/contents.json instead: look at the difference before you commit it`);
  } else if (values.pin) {
    const folder = mkdtempSync(join(tmpdir(), 'waybill-pin-'));
    const contents = Object.fromEntries((await pack(folder)).map((one) => [one.name, outlineOf(one)]));
    rmSync(folder, { recursive: true });
    await writeFormatted(join(root, 'test/package/contents.json'), JSON.stringify(contents, null, 2));
  } else {
    const folder = join(root, 'release');
    rmSync(folder, { recursive: true, force: true });
    for (const { filename, size } of await pack(folder))
      console.log(`${String(Math.ceil(size / 1024)).padStart(5)} KB  ${join(folder, filename)}`);
  }
}
