// @ts-check
/**
 * One arm: `tools/call` over HTTP with 32 calls at a time, from a plain client here to a server in a process of its own, whose CPU alone
 * counts. Argument: mode (bare, language, everything).
 */
import { fork } from 'node:child_process';
import { Agent, createServer, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { cpuTime, serveArm } from '../harness.mjs';
import { bind } from '../meter.mjs';
import { build, ENVELOPE, layerOf, META } from './server-common.mjs';

const [mode = 'bare', role] = process.argv.slice(2);
if (role === 'server') await serve();
else await drive();

async function serve() {
  const { toNodeHandler } = await import('@modelcontextprotocol/node');
  const { createMcpHandler, McpServer } = await import('@modelcontextprotocol/server');
  const { z } = await import('zod');
  const layer = layerOf(mode);
  const factory = () => build(McpServer, z.object({ text: z.string() }), mode);
  const handler = toNodeHandler(layer ? layer.http(createMcpHandler(layer.attach(factory))) : createMcpHandler(factory));
  const server = createServer((/** @type {any} */ req, /** @type {any} */ res) => void handler(req, res));
  server.listen(0, '127.0.0.1', () => process.send?.({ port: /** @type {any} */ (server.address()).port }));
  process.on('message', () => process.send?.({ cpu: cpuTime() }));
  process.on('disconnect', () => process.exit(0));
}

async function drive() {
  const child = fork(fileURLToPath(import.meta.url), [mode, 'server'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  bind(process.pid, 0);
  bind(child.pid, 1);
  const next = () => new Promise((resolve) => child.once('message', resolve));
  const { port } = /** @type {{ port: number }} */ (await next());
  const serverCpu = async () => (child.send('cpu'), /** @type {{ cpu: number }} */ (await next()).cpu);
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'tool_5', arguments: { text: 'hello' }, _meta: { ...ENVELOPE, ...META } },
  });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': Buffer.byteLength(body),
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'tool_5',
    'accept-language': META['io.modelcontextprotocol/acceptLanguage'],
  };
  const call = () =>
    new Promise((resolve, reject) => {
      const post = request({ host: '127.0.0.1', port, path: '/mcp', method: 'POST', agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
        response.on('end', () => (response.statusCode === 200 ? resolve(text) : reject(new Error(`${response.statusCode} ${text}`))));
      });
      post.on('error', reject).end(body);
    });
  const answer = JSON.parse(/** @type {string} */ (await call()));
  if (answer.result.content[0].text !== 'fr') throw new Error(`answered ${JSON.stringify(answer)}`);
  serveArm(async (n) => {
    const start = await serverCpu();
    let left = n;
    const worker = async () => {
      while (left-- > 0) await call();
    };
    await Promise.all(Array.from({ length: Math.min(32, n) }, worker));
    return (await serverCpu()) - start;
  });
}
