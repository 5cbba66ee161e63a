/** Checks what a release contains, and that it works where it is installed: an empty project with the tarballs and the README's programs. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outlineOf, pack } from '../../scripts/pack.mjs';
import { wrongVersions } from '../../scripts/versions.mjs';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'waybill-install-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface Packed {
  readonly name: string;
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}
interface Manifest {
  readonly scripts: Record<string, string>;
  readonly exports: Record<string, string | Record<string, string>>;
  readonly devDependencies: Record<string, string>;
}
const manifestIn = (place: string): Manifest => JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as Manifest;
const sourceOf = ({ name }: Packed): string => join(root, 'packages', name.replace('@waybill/', ''));
const pathsOf = ({ files }: Packed): string[] => files.map(({ path }) => path);

let packed: readonly Packed[];
beforeAll(async () => {
  packed = (await pack(folder)) as Packed[];
}, 180_000);

describe('the packages', () => {
  interface Outline {
    readonly kilobytes: number;
    readonly files: readonly string[];
  }

  it('contain what test/package/contents.json says, and are not larger (npm run pack -- --pin)', () => {
    const pinned = JSON.parse(readFileSync(new URL('contents.json', import.meta.url), 'utf8')) as Record<string, Outline>;
    const found = packed.map((one) => [one.name, outlineOf(one, pinned[one.name]?.kilobytes ?? 0)]);
    expect(Object.fromEntries(found)).toEqual(pinned);
    expect(packed.filter(({ name, size }) => size > (pinned[name]?.kilobytes ?? 0) * 1024)).toEqual([]);
  });

  it('contain all that they export, a licence and a README, and neither tests nor source maps', () => {
    for (const one of packed) {
      const paths = pathsOf(one);
      expect(missingTargets(sourceOf(one), paths), one.name).toEqual([]);
      expect(paths, one.name).toEqual(expect.arrayContaining(['LICENSE', 'README.md']));
      expect(
        paths.filter((path) => /\.test\.|\.map$|tsbuildinfo/.test(path)),
        one.name,
      ).toEqual([]);
      // A source map would point to sources that are not in the package.
      const scripts = paths.filter((path) => /\.(?:js|d\.ts)$/.test(path));
      expect(scripts.filter((path) => readFileSync(join(sourceOf(one), path), 'utf8').includes('sourceMappingURL'))).toEqual([]);
    }
  });

  it('are built by npm pack, even if nothing was built before', { timeout: 120_000 }, async () => {
    for (const one of packed) expect(manifestIn(sourceOf(one)).scripts['prepack'], one.name).toMatch(/^tsc -b\b/);
    // One stands for all: the compiler is slow.
    const tree = join(folder, 'tree');
    const place = join(tree, 'packages/time');
    cpSync(join(root, 'packages/time'), place, { recursive: true, filter: (path) => !path.endsWith('/dist') });
    copyFileSync(join(root, 'tsconfig.base.json'), join(tree, 'tsconfig.base.json'));
    symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
    const { stdout } = await run('npm', ['pack', '--json', '--loglevel', 'error'], { cwd: place });
    const [built] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as [Packed];
    expect(missingTargets(place, pathsOf(built))).toEqual([]);
  });

  it('have one version', () => {
    expect(wrongVersions()).toEqual([]);
  });

  it('name every package whose code the page contains, with its licence', { timeout: 60_000 }, async () => {
    const { build } = await import('vite');
    const built = await build({ root: join(root, 'packages/inspector'), logLevel: 'error', build: { write: false } });
    const chunks = (Array.isArray(built) ? built : [built]).flatMap((one) => ('output' in one ? one.output : []));
    const modules = chunks.flatMap((one) => (one.type === 'chunk' ? Object.keys(one.modules) : []));
    const folders = new Set(modules.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? []));
    const found = [...folders].map((place) => JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as Record<string, string>);
    expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(['preact', 'intl-messageformat']));

    const notices = readFileSync(join(root, 'packages/cli/THIRD-PARTY.md'), 'utf8');
    const named = [...notices.matchAll(/^## (.+)$/gm)].map(([, line]) => line);
    expect(found.map(({ name, version, license }) => `${name} ${version} (${license})`).sort()).toEqual(named.sort());
  });
});

/** The files that a package exports and that are not among these. */
function missingTargets(place: string, paths: readonly string[]): string[] {
  const targets = Object.values(manifestIn(place).exports).flatMap((target) =>
    typeof target === 'string' ? [target] : Object.values(target),
  );
  return targets.filter((target) => !paths.includes(target.slice(2)));
}

const TYPESCRIPT = { oldest: '5.7.3', newest: '7.0.2' };

/** Peers from the npm registry, at the versions of this repository. Without a registry these tests cannot run, and say so. */
describe('in an empty project', () => {
  const project = join(folder, 'project');
  const bin = join(project, 'node_modules/.bin/waybill');
  let missing: string | undefined;

  beforeAll(async () => {
    mkdirSync(project);
    const { devDependencies } = manifestIn(root);
    const peers = ['@modelcontextprotocol/client', '@modelcontextprotocol/server', 'zod', '@types/node'].map(
      (name) => `${name}@${devDependencies[name]}`,
    );
    const compilers = Object.entries(TYPESCRIPT).map(([name, version]) => `typescript-${name}@npm:typescript@${version}`);
    const tarballs = packed.map(({ filename }) => join(folder, filename));
    writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
    const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock', '--loglevel=error'];
    try {
      await run('npm', [...args, ...tarballs, ...peers, ...compilers], { cwd: project });
    } catch (error) {
      const text = String((error as { stderr?: string }).stderr ?? error);
      if (!/ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT|ENOTCACHED/.test(text)) throw error;
      missing = 'no npm registry can be reached';
    }
    for (const name of ['server', 'client']) {
      copyFileSync(join(root, `docs/snippets/readme/${name}.ts`), join(project, `${name}.mts`));
      copyFileSync(join(root, `docs/snippets/readme/${name}.ts`), join(project, `${name}.mjs`));
    }
  }, 300_000);

  it("the README's programs run as they are pasted", { timeout: 60_000 }, async ({ skip }) => {
    if (missing !== undefined) skip(missing);
    const { stdout } = await run(process.execPath, ['client.mjs'], { cwd: project });
    expect(stdout).toContain('Sonntag, 1. November');
  });

  it('the command works, without the packages that only a gateway in production needs', { timeout: 120_000 }, async ({ skip }) => {
    if (missing !== undefined) skip(missing);
    for (const name of ['pino', 'prom-client', 'ioredis', 'libsql'])
      expect(existsSync(join(project, 'node_modules', name)), name).toBe(false);
    const waybill = async (...args: string[]): Promise<string> => (await run(bin, args, { cwd: project })).stdout;
    const { stdout: tried } = await run('npx', ['waybill', 'try', 'today'], { cwd: project });
    expect(tried).toContain('Heute ist Sonntag, 1. November 2026.');
    const today = ['today', '--lang', 'de-AT', '--tz', 'Europe/Vienna', '--now', '2026-10-31T23:40:00Z'];
    expect(await waybill('call', ...today, '--', 'npx', 'waybill', 'shop')).toBe('Heute ist Sonntag, 1. November 2026.\n');
    const page = await listening('inspect', '--no-open');
    expect(await (await fetch(page.address)).text()).toContain('<title>Waybill</title>');
    const gateway = await listening('gateway', '--listen', '127.0.0.1:0', '--', bin, 'shop');
    expect(await waybill('call', gateway.address, ...today)).toBe('Heute ist Sonntag, 1. November 2026.\n');
    expect(await Promise.all([page.stop(), gateway.stop()])).toEqual([130, 130]);
  });

  /** A command that runs until Ctrl-C, once it prints an address. */
  async function listening(...args: string[]): Promise<{ address: string; stop: () => Promise<unknown> }> {
    const child = spawn(bin, args, {
      cwd: project,
      env: { ...process.env, PATH: `${join(project, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(child, 'exit').then(([code]) => code as unknown);
    let said = '';
    const address = new Promise<string>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => {
          said += chunk.toString();
          const [found] = /http:\/\/127\.0\.0\.1:\d+\S*/.exec(said) ?? [];
          if (found !== undefined) resolve(found);
        });
      void ended.then(() => reject(new Error(said)));
    });
    return { address: await address, stop: () => (child.kill('SIGINT'), ended) };
  }

  it.for([
    ['oldest', 'nodenext'],
    ['oldest', 'bundler'],
    ['newest', 'nodenext'],
    ['newest', 'bundler'],
  ] as const)('they compile with the %s TypeScript and moduleResolution %s', { timeout: 120_000 }, async ([age, resolution], { skip }) => {
    if (missing !== undefined) skip(missing);
    const module = resolution === 'nodenext' ? 'nodenext' : 'preserve';
    // Each compiler checks the declarations of all packages once. That is most of its work, and they are the same in either resolution.
    const skipLibCheck = resolution === 'bundler';
    const options = { strict: true, noEmit: true, target: 'es2022', types: ['node'], skipLibCheck };
    const config = {
      compilerOptions: { ...options, module, moduleResolution: resolution },
      files: ['server.mts', 'client.mts'],
    };
    const name = `tsconfig.${age}.${resolution}.json`;
    writeFileSync(join(project, name), JSON.stringify(config));
    const compiler = join(project, 'node_modules', `typescript-${age}`, 'bin', 'tsc');
    const { stdout } = await run(process.execPath, [compiler, '-p', name], { cwd: project }).catch(
      (error: unknown) => error as { stdout: string },
    );
    expect(stdout).toBe('');
  });
});
