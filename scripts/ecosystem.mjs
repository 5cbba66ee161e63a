#!/usr/bin/env node
/**
 * Shows what others do today with per-request context: runs the conformance kit against servers, clients and gateways, most of them not ours, and
 * writes the table of docs/reference/conformance.md. Outside `npm test`: some of them come from npm, into .cache/ecosystem. Needs a build.
 */
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { execute, install, withServer } from './shared/run.mjs';
import { writeFormatted } from './shared/writeFormatted.mjs';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PAGE = join(ROOT, 'docs/reference/conformance.md');
const MARKS = ['<!-- ecosystem:begin (node scripts/ecosystem.mjs) -->', '<!-- ecosystem:end -->'];
const CACHE = join(ROOT, '.cache/ecosystem');
const NODE = process.execPath;
const at = (path) => join(ROOT, path);
const fixture = (name) => at(`test/conformance/fixtures/${name}.mjs`);
const cached = (name) => join(CACHE, 'node_modules/.bin', name);
const FROM_NPM = ['tmcp@1.20.0', '@tmcp/transport-http@0.9.0', 'supergateway@4.0.0'];

/** The version of a package of this tree, or of the folder with those from npm. */
async function version(name) {
  const folder = FROM_NPM.some((one) => one.startsWith(`${name}@`)) ? CACHE : ROOT;
  return JSON.parse(await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version;
}

const ADD = ['--tool', 'add', '--args', '{"a":1,"b":2}'];
const PROXY = ['--url', 'http://127.0.0.1:{port}/mcp', '--', NODE];
const sdk = (name, words) => [fixture('client'), '--sdk', name, ...words];

/** Each subject: its name, the package whose version is told, and either the words of the check or a server over HTTP to start first. */
const SUBJECTS = [
  {
    name: 'server: SDK v1',
    of: '@modelcontextprotocol/sdk',
    serve: [at('test/third-party/fixtures/conformance-server.mjs'), '--sdk', 'v1'],
  },
  {
    name: 'server: SDK v2',
    of: '@modelcontextprotocol/server',
    serve: [at('test/third-party/fixtures/conformance-server.mjs'), '--sdk', 'v2'],
  },
  {
    name: 'server: server-everything',
    of: '@modelcontextprotocol/server-everything',
    check: ['server', '--tool', 'get-sum', '--args', '{"a":1,"b":2}', '--', NODE, at('node_modules/.bin/mcp-server-everything'), 'stdio'],
  },
  { name: 'server: fastmcp', of: 'fastmcp', check: ['server', ...ADD, '--', NODE, at('test/third-party/fixtures/fastmcp.mjs')] },
  { name: 'server: tmcp', of: 'tmcp', serve: [join(CACHE, 'tmcp.mjs')], words: ADD },
  { name: 'server: mcp-handler', of: 'mcp-handler', serve: [fixture('mcp-handler')], words: ADD },
  { name: 'client: SDK v1', of: '@modelcontextprotocol/sdk', check: ['client', '--', NODE, ...sdk('v1', ['--bare'])] },
  { name: 'client: SDK v2', of: '@modelcontextprotocol/client', check: ['client', '--', NODE, ...sdk('v2', ['--bare'])] },
  { name: 'client: LangChain', of: '@langchain/mcp-adapters', check: ['client', '--', NODE, fixture('langchain')] },
  {
    name: 'gateway: mcp-proxy',
    of: 'mcp-proxy',
    check: ['gateway', ...PROXY, at('node_modules/.bin/mcp-proxy'), '--port', '{port}', '--', '{stdio}'],
  },
  {
    name: 'gateway: supergateway',
    of: 'supergateway',
    check: ['gateway', ...PROXY, cached('supergateway'), '--stdio', '{stdio}', '--outputTransport', 'streamableHttp', '--port', '{port}'],
  },
  { name: '**our server**, SDK v1', serve: [at('examples/shop/server.js'), '--http', '0', '--sdk', 'v1'] },
  { name: '**our server**, SDK v2', serve: [at('examples/shop/server.js'), '--http', '0', '--sdk', 'v2'] },
  { name: '**our server**, SDK v2, stdio', check: ['server', '--', NODE, at('examples/shop/server.js'), '--stdio'] },
  { name: '**our client**, SDK v1', check: ['client', '--', NODE, ...sdk('v1', [])] },
  { name: '**our client**, SDK v2', check: ['client', '--', NODE, ...sdk('v2', [])] },
  {
    name: '**our gateway**, upstream over HTTP',
    check: ['gateway', ...PROXY, at('packages/gateway/dist/bin.js'), '--listen', '127.0.0.1:{port}', '{http}'],
  },
  {
    name: '**our gateway**, upstream over stdio',
    check: ['gateway', ...PROXY, at('packages/gateway/dist/bin.js'), '--listen', '127.0.0.1:{port}', '--', '{stdio}'],
  },
];

const { values } = parseArgs({ options: { only: { type: 'string' }, help: { type: 'boolean', short: 'h' } } });
if (values.help) {
  console.log(`Runs the conformance kit against:\n${SUBJECTS.map(({ name }) => `  ${name}`).join('\n')}
and writes the table of docs/reference/conformance.md. With --only TEXT the subjects whose names contain the text run, and nothing is written.`);
  process.exit(0);
}

async function check([role, ...words]) {
  const command = [at('packages/conformance/dist/bin.js'), role, '--json', '--timeout', '10000', ...words];
  const { stdout, output } = await execute(NODE, command, { cwd: ROOT });
  if (stdout === '') throw new Error(output);
  return JSON.parse(stdout);
}

const FAMILIES = ['BASE', 'LANG', 'CTX', 'STATE', 'TRACE', 'CAP'];
/** The number of rules of a family that are kept, of those that were judged. */
function kept(rows) {
  const judged = rows.filter(({ status }) => status !== 'notApplicable');
  return judged.length === 0 ? '–' : `${judged.filter(({ status }) => status === 'pass').length} of ${judged.length}`;
}

async function row(subject) {
  const { summary, requirements } = await (subject.check
    ? check(subject.check)
    : withServer(subject.serve, (url) => check(['server', url, ...(subject.words ?? [])])));
  const spoken = [...new Set(requirements.filter(({ observed }) => !observed.includes('does not speak')).map(({ revision }) => revision))];
  const broken = [...new Set(requirements.filter(({ status }) => status === 'fail' || status === 'warn').map(({ id }) => id))];
  const families = FAMILIES.map((family) => kept(requirements.filter(({ id }) => id.startsWith(`${family}-`))));
  const { pass, fail, warn, notApplicable } = summary;
  const name = subject.of === undefined ? subject.name : `${subject.name} ${await version(subject.of)}`;
  const cells = [name, spoken.join(', '), ...families, pass, fail, warn, notApplicable, broken.join(', ') || '–'];
  return `| ${cells.join(' | ')} |`;
}

await install(CACHE, FROM_NPM);
await copyFile(fixture('tmcp'), join(CACHE, 'tmcp.mjs'));
const heads = ['subject', 'revisions', 'protocol', 'language', 'environment', 'state', 'trace', 'capabilities'];
const lines = [
  `| ${[...heads, 'pass', 'fail', 'warn', 'not applicable', 'broken'].join(' | ')} |`,
  `| ${'--- | '.repeat(heads.length + 5).trim()}`,
];
for (const line of lines) console.log(line);
for (const subject of SUBJECTS.filter(({ name }) => name.includes(values.only ?? ''))) {
  lines.push(await row(subject));
  console.log(lines.at(-1));
}
if (values.only === undefined) {
  const [head, rest] = (await readFile(PAGE, 'utf8')).split(MARKS[0]);
  await writeFormatted(PAGE, `${head}${MARKS[0]}\n\n${lines.join('\n')}\n\n${MARKS[1]}${rest.split(MARKS[1])[1]}`);
}
