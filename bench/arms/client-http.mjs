// @ts-check
// node client-http.mjs layer|hand language|everything: tool calls over SDK v2 and HTTP, 32 at a time; CPU of the client and of its server.
import { fork } from 'node:child_process';
import EventEmitter, { once } from 'node:events';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { clientContext } from 'waybill/client';
import { cpuTime, serveArm } from '../harness.mjs';
import { bind } from '../meter.mjs';
import { byHand, CAPABILITIES, HEADERS, VALUES } from './client-context.mjs';

const [, , how, what] = /** @type {[string, string, string, keyof typeof VALUES]} */ (process.argv);
// The SDK hands one long-lived signal to every fetch; Node counts the listeners.
EventEmitter.defaultMaxListeners = 0;
const server = fork(new URL('./client-http-server.mjs', import.meta.url), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
bind(process.pid, 0);
bind(server.pid, 1);
const [{ port }] = await once(server, 'message');
const theirs = async () => {
  server.send('cpu');
  return (await once(server, 'message'))[0].cpu;
};

const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`));
const options = { capabilities: CAPABILITIES, versionNegotiation: { mode: /** @type {const} */ ('auto') } };
const client = new Client({ name: 'c', version: '1' }, options);
if (how === 'layer') clientContext(VALUES[what]).attach(transport);
await client.connect(transport);
const call = how === 'layer' ? () => ({ name: 'echo', arguments: {} }) : () => ({ name: 'echo', arguments: {}, _meta: byHand[what]() });
/** @type {RequestInit} */
const unlike = how === 'layer' ? {} : { headers: HEADERS };

serveArm(async (n) => {
  const before = cpuTime() + (await theirs());
  let left = n;
  const worker = async () => {
    while (left-- > 0) await client.callTool(call(), /** @type {any} */ (unlike));
  };
  await Promise.all(Array.from({ length: 32 }, worker));
  return cpuTime() + (await theirs()) - before;
});
