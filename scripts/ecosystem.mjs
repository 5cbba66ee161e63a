/**
 * What others do today with per-request context: runs the conformance kit against servers, a client and gateways we did not write, and
 * writes the table of docs/conformance.md. Outside `npm test`: the gateways come from npm, into a temporary folder.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const page = join(root, 'docs/conformance.md');
const marks = ['<!-- ecosystem:begin (node scripts/ecosystem.mjs) -->', '<!-- ecosystem:end -->'];
const at = (path) => join(root, path);
const { version: everything } = createRequire(import.meta.url)('@modelcontextprotocol/server-everything/package.json');

async function output(command, args, options = {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], ...options });
  let text = '';
  child.stdout.on('data', (chunk) => (text += chunk));
  await once(child, 'close');
  return text;
}

const check = async (...words) =>
  JSON.parse(
    await output(process.execPath, [at('packages/conformance/dist/bin.js'), words[0], '--json', '--timeout', '10000', ...words.slice(1)]),
  );

/** Runs a server that prints its URL as its first line. */
async function overHttp(...args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = await once(createInterface(child.stdout), 'line');
  try {
    return await check('server', url);
  } finally {
    child.kill();
  }
}

/** Which families of rules were judged, and what was broken. */
function row(name, { summary, requirements }) {
  const spoken = [...new Set(requirements.filter(({ observed }) => !observed.includes('does not speak')).map(({ revision }) => revision))];
  const broken = [...new Set(requirements.filter(({ status }) => status === 'fail' || status === 'warn').map(({ id }) => id))];
  const { pass, fail, warn, notApplicable } = summary;
  return `| ${name} | ${spoken.join(', ')} | ${pass} | ${fail} | ${warn} | ${notApplicable} | ${broken.join(', ') || '–'} |`;
}

const folder = await mkdtemp(join(tmpdir(), 'ecosystem-'));
try {
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  await output('npm', ['install', '--no-audit', '--no-fund', '--loglevel', 'error', 'mcp-proxy@6.7', 'supergateway@4.0'], { cwd: folder });
  const bin = (name) => join(folder, 'node_modules/.bin', name);
  const gateway = (...words) => check('gateway', '--url', 'http://127.0.0.1:{port}/mcp', '--', process.execPath, ...words);
  const server = at('test/third-party/fixtures/conformance-server.mjs');
  const lines = [
    '| subject | revisions | pass | fail | warn | not applicable | broken |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    row('server, bare SDK v1', await overHttp(server, '--sdk', 'v1')),
    row('server, bare SDK v2', await overHttp(server, '--sdk', 'v2')),
    row(
      `server-everything ${everything}, stdio`,
      await check('server', '--', process.execPath, at('node_modules/.bin/mcp-server-everything'), 'stdio'),
    ),
    row('client, bare SDK v2', await check('client', '--', process.execPath, at('test/conformance/fixtures/client.mjs'), '--bare')),
    row('gateway mcp-proxy 6.7', await gateway(bin('mcp-proxy'), '--port', '{port}', '--', '{stdio}')),
    row(
      'gateway supergateway 4.0',
      await gateway(bin('supergateway'), '--stdio', '{stdio}', '--outputTransport', 'streamableHttp', '--port', '{port}'),
    ),
    row('**our gateway**', await gateway(at('packages/gateway/dist/bin.js'), '--listen', '127.0.0.1:{port}', '{http}')),
    row('**our example server**, SDK v2, HTTP', await overHttp(at('examples/shop/server.js'), '--http', '0')),
  ];
  const text = await readFile(page, 'utf8');
  const [head, rest] = text.split(marks[0]);
  await writeFile(page, `${head}${marks[0]}\n\n${lines.join('\n')}\n\n${marks[1]}${rest.split(marks[1])[1]}`);
  console.log(lines.join('\n'));
} finally {
  await rm(folder, { recursive: true, force: true });
}
