/** The cells of the compatibility table. Each runs one thing and returns `{ passed, total, failures }`. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execute } from '../../scripts/shared/run.mjs';
import { bundleWorker, workerdConfig } from './bundle.mjs';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const CACHE = join(ROOT, '.cache/compat');
export const TOOLS = join(CACHE, 'tools/node_modules');

/**
 * Journeys that use only API of every supported version of the SDKs. The others run with the newest versions: they use error classes and
 * revisions that SDK v1 got later, or start the example server, whose schemas need zod 4 and so SDK v1 from 1.23.
 */
export const CORE = [
  ...['cache', 'client', 'client-aware', 'client-cache', 'client-language', 'client-servers', 'endings', 'localise', 'localise-cache'],
  ...['negotiation', 'pending', 'server', 'state-hostile', 'state-more', 'state-replicas', 'trace-sdk'],
];

function nodeOf(major) {
  return join(TOOLS, `node${major}/bin/node`);
}

export function journeys(node, sdks) {
  const run = async () => {
    const first = await runVitest(
      node,
      sdks,
      CORE.map((name) => `test/journeys/${name}.test.ts`),
      [],
    );
    // On a busy machine requests time out. Each file that failed is run once more, alone; the table names it.
    const isBroken = ({ failures }) => failures.length > 0;
    const parts = first.filter((one) => !isBroken(one));
    const again = first.filter(isBroken).map(({ file }) => file);
    for (const file of again) parts.push(...(await runVitest(node, sdks, [file], ['--maxWorkers=1', '--maxConcurrency=1'])));
    return { ...sum(parts), again };
  };
  return { name: `node${node}-${sdks}-journeys`, run };
}

/** Runs test files in the copy of the tree that has these SDKs. Returns `{ file, passed, total, failures }` of each. */
async function runVitest(node, sdks, files, options) {
  const cwd = join(CACHE, sdks, 'tree');
  const report = join(CACHE, sdks, `node${node}.json`);
  await rm(report, { force: true });
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', ...files, ...options, '--reporter=json', `--outputFile=${report}`, '--testTimeout=60000'];
  // Some journeys start `node` of the PATH, the others the Node that runs them.
  const env = { PATH: `${dirname(nodeOf(node))}:${process.env['PATH'] ?? ''}` };
  const { output } = await execute(nodeOf(node), args, { cwd, env });
  const text = await readFile(report, 'utf8').catch(() => undefined);
  if (text === undefined) throw new Error(`vitest wrote no report\n${output.slice(-2000)}`);
  return JSON.parse(text).testResults.map(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((one) => one.status === 'failed');
    const failures = failed.map(({ fullName, failureMessages }) => `${fullName}\n${failureMessages.join('\n')}`);
    if (status === 'failed' && failures.length === 0) failures.push(`${name}\n${message}`);
    const passed = assertionResults.filter((one) => one.status === 'passed').length;
    return { file: relative(cwd, name), passed, total: assertionResults.length, failures };
  });
}

const sum = (parts) => ({
  passed: parts.reduce((count, { passed }) => count + passed, 0),
  total: parts.reduce((count, { total }) => count + total, 0),
  failures: parts.flatMap(({ failures }) => failures),
});

export function selfCheck(node, sdks) {
  const program = join(CACHE, sdks, 'tree/test/compatibility/print.mjs');
  return { name: `node${node}-${sdks}-selfcheck`, run: () => printed(nodeOf(node), [], program) };
}

/** Runs the self-checking program, which prints its checks. */
export async function printed(command, args, program = join(ROOT, 'test/compatibility/print.mjs')) {
  return checksIn(await execute(command, [...args, program], { cwd: ROOT, env: { DENO_DIR: join(CACHE, 'deno') } }));
}

export async function inWorkerd(flags) {
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
export async function compiled(age) {
  const tsc = join(TOOLS, `typescript-${age}/bin/tsc`);
  const options =
    '--noEmit --strict --target ES2022 --lib ES2023,DOM,DOM.Iterable --module NodeNext --types node --exactOptionalPropertyTypes';
  const args = [tsc, ...options.split(' '), '--ignoreConfig', 'test/compatibility/consumer.ts'];
  const accepted = age === 'newest' ? args : args.filter((arg) => arg !== '--ignoreConfig'); // 5.7 does not know it, and 7 insists on it
  const { code, output } = await execute(process.execPath, accepted, { cwd: ROOT });
  return { passed: code === 0 ? 1 : 0, total: 1, failures: code === 0 ? [] : [output] };
}
