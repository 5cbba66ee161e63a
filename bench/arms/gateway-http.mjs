// @ts-check
/** For bench/gateway.mjs: `server` is a plain 2026-07-28 server over HTTP, `proxy URL` a bare reverse proxy with undici. Prints its port. */
import { createServer } from 'node:http';
import { Agent, request } from 'undici';

const [, , kind, target = ''] = process.argv;
const agent = new Agent({ connections: null });

/** @param {any} message */
function resultOf({ method, params }) {
  if (method === 'initialize')
    return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'bench', version: '1' } };
  if (method === 'server/discover') return { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };
  return { resultType: 'complete', content: [{ type: 'text', text: String(params.arguments?.message) }] };
}

const server = createServer((incoming, response) => {
  if (kind === 'proxy') {
    const { host: _, connection: __, ...headers } = incoming.headers;
    void request(target, { method: /** @type {any} */ (incoming.method), headers, body: incoming, dispatcher: agent }).then((reply) => {
      response.writeHead(reply.statusCode, /** @type {any} */ (reply.headers));
      reply.body.pipe(response);
    });
    return;
  }
  if (incoming.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n');
    return;
  }
  let text = '';
  incoming.on('data', (chunk) => (text += String(chunk)));
  incoming.on('end', () => {
    const message = JSON.parse(text);
    const answer = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: resultOf(message) });
    const session = message.method === 'initialize' ? { 'mcp-session-id': 's' } : {};
    response.writeHead(200, { 'content-type': 'application/json', ...session }).end(answer);
  });
});
server.listen(0, '127.0.0.1', () => console.log(/** @type {any} */ (server.address()).port));
