// @ts-check
/**
 * The long form of the gateway's fault tests: `npm run soak` runs the fault suite and this. 200,000 requests through the gateway with level memory and
 * descriptors, with faults of clients and upstreams among them, and 500 child restarts without a zombie. Smaller numbers: `node scripts/soak.mjs --requests 5000 --restarts 50`.
 */
import { createServer } from 'node:http';
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createGateway } from '@waybill/gateway';
import { keys } from 'waybill';
import { replicas } from './soak/replicas.mjs';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '200000' },
    restarts: { type: 'string', default: '500' },
    calls: { type: 'string', default: '300' },
  },
});
const [requests, restarts] = [Number(values.requests), Number(values.restarts)];
const meta = { [keys.PROTOCOL_VERSION]: '2026-07-28', [keys.CLIENT_CAPABILITIES]: {} };
const CHILD = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, params } = JSON.parse(line);
  if (params?.name === 'die') process.exit(1);
  if (params?.name === 'hang') return;
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
}).on('close', () => process.exit());`;

const upstream = createServer((request, response) => {
  let text = '';
  request
    .on('data', (chunk) => (text += String(chunk)))
    .on('end', () => {
      const { id, params } = JSON.parse(text);
      if (params.name === 'die') return void response.destroy();
      if (params.name === 'garbage') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>');
      if (params.name === 'hang') return undefined;
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete' } }));
    });
});
await new Promise((resolve) => upstream.listen(0, '127.0.0.1', () => resolve(undefined)));
const { port } = /** @type {import('node:net').AddressInfo} */ (upstream.address());
const gateway = await createGateway({
  listen: '127.0.0.1:0',
  upstreams: {
    web: { url: `http://127.0.0.1:${port}/mcp`, revision: '2026-07-28' },
    child: { command: [process.execPath, '-e', CHILD], revision: '2026-07-28' },
  },
});
const base = await gateway.listen();

/** @param {string} path @param {string} name @param {AbortSignal} [signal] */
async function call(path, name, signal) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, _meta: meta } });
  const headers = {
    'content-type': 'application/json',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': name,
  };
  const response = await fetch(`${base}/${path}/mcp`, { method: 'POST', body, headers, ...(signal && { signal }) });
  await response.text();
  return response.status;
}

/** The faults among the requests, and the status that each gets. A client that leaves gets none. */
const FAULTS = [
  () => call('web', 'die').then((status) => status === 502),
  () => call('web', 'garbage').then((status) => status === 502),
  () => post('web', '{').then(({ status }) => status === 400),
  () =>
    post('web', `"${'x'.repeat(5_000_000)}"`).then(
      ({ status }) => status === 413,
      () => true,
    ),
  () => leave('web'),
  () => leave('child'),
];

/** @param {string} path @param {string} body @param {Record<string, string>} headers */
async function post(path, body, headers = {}) {
  const response = await fetch(`${base}/${path}/mcp`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  await response.text();
  return response;
}

/** A client that goes away while the upstream hangs. @param {string} path */
async function leave(path) {
  const gone = new AbortController();
  const answer = call(path, 'hang', gone.signal).then(
    () => false,
    () => true,
  );
  setTimeout(() => gone.abort(), 20);
  return answer;
}

const zombies = () =>
  readdirSync('/proc').filter((pid) => {
    try {
      const [, state, parent] = /\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
      return state === 'Z' && Number(parent) === process.pid;
    } catch {
      return false;
    }
  }).length;

/** @type {string[]} */
const faults = [];
/** @type {{ done: number, memory: number, descriptors: number }[]} */
const marks = [];
for (let done = 0; done < requests; done += 32) {
  const statuses = await Promise.all(Array.from({ length: 32 }, () => call(done % 64 === 0 ? 'web' : 'child', 'fine')));
  for (const status of statuses) if (status !== 200) faults.push(`status ${status}`);
  if (done % 3_200 === 0) for (const [at, fault] of FAULTS.entries()) if (!(await fault())) faults.push(`fault ${at}`);
  if (done % Math.max(32, Math.floor(requests / 10 / 32) * 32) === 0) {
    globalThis.gc?.();
    marks.push({ done, memory: Math.round(process.memoryUsage().rss / 1e6), descriptors: readdirSync('/proc/self/fd').length });
    console.log(marks.at(-1));
  }
}
for (let round = 0; round < restarts; round++) {
  if ((await call('child', 'fine')) !== 200 || (await call('child', 'die')) !== 502) faults.push(`restart ${round}`);
}
// A process that has just ended is collected in the next turns.
for (let tries = 0; zombies() > 0 && tries < 50; tries++) await pause(100);
console.log({ restarts: gateway.children('child'), zombies: zombies() });
const [early, late] = [marks[Math.floor(marks.length / 3)], marks.at(-1)];
if (early && late && (late.memory > early.memory * 1.25 || late.descriptors > early.descriptors + 20))
  faults.push('memory or descriptors grow');
if (zombies() > 0) faults.push('there are zombies');
await gateway.close();
upstream.closeAllConnections();
upstream.close();
if (Number(values.calls) > 0) {
  const seen = await replicas({ users: 100, calls: Number(values.calls), kills: 20, redisKills: 10 });
  console.log({ replicas: seen });
  for (const kind of /** @type {const} */ (['wrong', 'lost', 'errors'])) faults.push(...seen[kind].map((one) => `${kind}: ${one}`));
}
console.log(
  faults.length === 0 ? 'soak: level, and nothing is left behind' : `soak: ${faults.length} faults: ${[...new Set(faults)].join(', ')}`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
