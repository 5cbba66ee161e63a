#!/usr/bin/env node
// Packs every package that is published into release/, ready to install or to publish.
//   node scripts/pack.mjs [FOLDER | --pin]
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execute } from './shared/run.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The folders of the packages that are published. */
export function published() {
  return readdirSync(join(root, 'packages'))
    .filter((name) => JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')).private !== true)
    .map((name) => join('packages', name));
}

/** Packs the packages into a folder. `npm pack` builds what is stale. Returns what npm tells of each: name, size, files, filename. */
export async function pack(folder) {
  mkdirSync(folder, { recursive: true });
  const workspaces = published().flatMap((place) => ['--workspace', place]);
  const {
    code,
    output,
    stdout = output,
  } = await execute('npm', ['pack', '--json', '--loglevel', 'error', '--pack-destination', resolve(folder), ...workspaces], {
    cwd: root,
    limit: 300_000,
  });
  if (code !== 0) throw new Error(`npm pack failed:\n${output}`);
  return JSON.parse(stdout.slice(stdout.indexOf('[\n')));
}

/** The contents of a package: each file, and a built or copied folder as one. Sizes have room for a fifth more. */
export function outlineOf({ files, size }, kilobytes = Math.ceil((size * 1.2) / 10_240) * 10) {
  const places = files.map(({ path }) => path.replace(/^(dist|vectors|deploy)\/.*/, '$1/'));
  return { kilobytes, files: [...new Set(places)].sort() };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--help')) {
    console.log(
      'Usage: npm run pack [-- FOLDER | --pin]\n\nBuilds and packs every package that is published. Default folder: release.\n--pin writes test/package/contents.json: look at the difference before you commit it.',
    );
    process.exit(0);
  }
  if (process.argv.includes('--pin')) {
    const temporary = mkdtempSync(join(tmpdir(), 'waybill-pin-'));
    const contents = Object.fromEntries((await pack(temporary)).map((one) => [one.name, outlineOf(one)]));
    rmSync(temporary, { recursive: true });
    writeFileSync(join(root, 'test/package/contents.json'), `${JSON.stringify(contents, null, 2)}\n`);
    process.exit(0);
  }
  const folder = resolve(root, process.argv[2] ?? 'release');
  rmSync(folder, { recursive: true, force: true });
  for (const { filename, size } of await pack(folder))
    console.log(`${String(Math.ceil(size / 1024)).padStart(5)} KB  ${join(folder, filename)}`);
}
