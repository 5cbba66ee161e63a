import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { clientContext } from 'waybill/client';
import { jar, memoryStore } from 'waybill/client/jar';
import { Jars } from '../../packages/waybill/dist/client/jar/jars.js';
import { redisStore, sqliteStore, stdioIdentity } from 'waybill/client/node';
import { rows, same, tally } from './cases.mjs';

const SHOP = fileURLToPath(new URL('../../examples/shop/server.js', import.meta.url));

/** The same strings as names and values of state: through both halves over both transports, and through every store. */
export async function robustState(dir) {
  const texts = [
    ...rows(dir, 'blns.jsonl'),
    ...rows(dir, 'state-keys.jsonl').map((one) => ({ ...one, text: one.key })),
    ...rows(dir, 'header-injection.jsonl').map((one) => ({ ...one, text: one.value })),
  ];
  const results = [];
  const http = spawn(process.execPath, [SHOP, '--http', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise((resolve) => http.stdout.once('data', (data) => resolve(new URL(String(data).trim()))));
  const transports = {
    HTTP: () => new StreamableHTTPClientTransport(url),
    stdio: () => new StdioClientTransport({ command: process.execPath, args: [SHOP, '--stdio'] }),
  };
  for (const [name, open] of Object.entries(transports)) results.push(await overTheWire(name, open(), texts));
  http.kill();

  const folder = mkdtempSync(path.join(tmpdir(), 'waybill-outside-'));
  results.push(await throughStore('memory', memoryStore(), texts));
  const file = path.join(folder, 'state.db');
  const sqlite = sqliteStore(file);
  results.push(await throughStore('SQLite', sqlite, texts));
  await sqlite.close();
  if (spawnSync('redis-server', ['--version']).error === undefined)
    results.push(await withRedis(folder, (store) => throughStore('Redis', store, texts)));
  rmSync(folder, { recursive: true });
  return results;
}

async function overTheWire(name, transport, texts) {
  const waybill = clientContext({ state: jar({ allowHosts: ['127.0.0.1'], stdio: stdioIdentity() }) });
  const client = new Client({ name: 'outside', version: '1.0.0' });
  await client.connect(waybill.attach(transport));
  const call = async (tool, args) => (await client.callTool({ name: tool, arguments: args })).structuredContent;
  const result = await tally(`as a state name and value, set and sent back over ${name}`, texts, async ({ text }) => {
    for (const scope of ['session', 'server']) if (!(await call('set_state', { scope, name: text, value: text })).set) return 'was not set';
    const { state } = await call('context', {});
    for (const scope of ['session', 'server']) {
      if (!same(Object.entries(state[scope]), [[text, text]])) return `came back as ${JSON.stringify(state[scope])}`;
      await call('delete_state', { scope, name: text });
    }
    return Object.keys(Object.prototype).length === 0 ? undefined : 'polluted Object.prototype';
  });
  await client.close();
  return result;
}

function throughStore(name, store, texts) {
  return tally(`as a principal, server, conversation, name and value in ${name}`, texts, async ({ text }) => {
    const [one, other] = [new Jars({ store }), new Jars({ store })];
    const talk = text === '' ? undefined : one.conversations.resume(text, text);
    const value = { [text]: [text] };
    const { ticket } = await one.carry(text, text, talk);
    one.apply(ticket, { server: new Map([[text, value]]), ...(talk && { session: new Map([[text, text]]) }) });
    await one.sync.flush();
    await other.sync.load(other.open(text, text));
    const { values } = await other.carry(text, text, talk && other.conversations.resume(text, text));
    if (!same([...(values.server ?? [])], [[text, value]])) return 'did not come back exactly in server scope';
    if (talk && !same([...(values.session ?? [])], [[text, text]])) return 'did not come back exactly in session scope';
    return undefined;
  });
}

async function withRedis(folder, run) {
  const port = await new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = server.address();
      server.close(() => resolve(free));
    });
  });
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  const redis = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve) => redis.stdout.on('data', (data) => String(data).includes('Ready to accept') && resolve()));
  const store = redisStore(`redis://127.0.0.1:${port}`);
  try {
    return await run(store);
  } finally {
    await store.close();
    redis.kill();
  }
}
