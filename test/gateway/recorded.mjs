// @ts-check
/**
 * Exchanges with real servers, recorded without the gateway and compared byte for byte with what comes out of it when no rule is on. A stdio server is
 * started twice with the same past. In front of an HTTP server a tap notes what passes, because its answers carry ids that differ from run to run.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createGateway } from '@waybill/gateway';
import { keys } from 'waybill';
import { freePort } from '../support/freePort.mjs';

/** @typedef {{ name: string, revision: string, command: string[], env?: Record<string, string>, http?: boolean, calls: (n: number) => string[] }} Server */

const require = createRequire(import.meta.url);
const program = (/** @type {string} */ name) =>
  join(dirname(require.resolve(`@modelcontextprotocol/${name}/package.json`)), 'dist/index.js');
const fixture = (/** @type {string} */ name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const MODERN = '2026-07-28';
const ENVELOPE = `"${keys.PROTOCOL_VERSION}":"${MODERN}","${keys.CLIENT_CAPABILITIES}":{},"${keys.CLIENT_INFO}":{"name":"c","version":"1"}`;

/** Requests in the spellings that JSON allows: members in another order, blanks, escapes, numbers as they were written. */
const SPELLINGS = [
  (/** @type {string} */ id, /** @type {string} */ method, /** @type {string} */ params) =>
    `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`,
  (/** @type {string} */ id, /** @type {string} */ method, /** @type {string} */ params) =>
    `{"params":${params},  "method":"${method}","jsonrpc":"2.0","id":"${id}"}`,
  (/** @type {string} */ id, /** @type {string} */ method, /** @type {string} */ params) =>
    `{ "method" : "${method}", "id" : ${id}, "params" : ${params}, "jsonrpc" : "2.0" }`,
  // Servers write this id as 10, and it is found all the same.
  (/** @type {string} */ id, /** @type {string} */ method, /** @type {string} */ params) =>
    `{"jsonrpc":"2.0","id":${id}.0,"method":"${method}","params":${params}}`,
];
/** @param {number} n @param {readonly (readonly [string, string])[]} kinds  The method and the parameters, `#` for the number. */
const take = (n, kinds, spellings = SPELLINGS) =>
  Array.from({ length: n }, (_, at) => {
    const [method, params] = kinds[at % kinds.length] ?? ['ping', '{}'];
    return spellings[at % spellings.length]?.(String(at + 10), method, params.replaceAll('#', String(at))) ?? '';
  });

/** @param {string} folder @returns {Server[]} */
function servers(folder) {
  const note = JSON.stringify(join(folder, 'note.txt'));
  const everything = [
    ['tools/call', '{"name":"echo","arguments":{"message":"no. # \\u00e9 é \\ud83d\\ude00 \\n"}}'],
    ['tools/call', '{"arguments":{"b":1.0,"a":#},"name":"get-sum"}'],
    ['tools/call', '{"name":"get-structured-content","arguments":{"location":"Chicago"}}'],
    ['tools/call', '{"name":"nobody-#","arguments":{}}'],
    ['prompts/get', '{"name":"simple-prompt"}'],
    ['resources/read', '{"uri":"demo://resource/dynamic/nobody/#"}'],
    ['tools/list', '{}'],
    ['unknown/method', '{"big":12345678901234567890}'],
  ];
  const modern = [
    ['tools/call', `{"name":"echo","arguments":{"text":"no. # é","extra":1.0},"_meta":{${ENVELOPE}}}`],
    ['tools/list', `{"_meta":{${ENVELOPE}}}`],
    ['resources/read', `{"_meta":{${ENVELOPE},"x.test/big":12345678901234567890},"uri":"note://today"}`],
    ['unknown/method', `{"_meta":{${ENVELOPE}},"n":#}`],
  ];
  return [
    {
      name: 'server-everything, stdio',
      revision: '2025-11-25',
      command: [program('server-everything')],
      calls: (n) => take(n, /** @type {[string, string][]} */ (everything)),
    },
    {
      name: 'server-everything, HTTP',
      revision: '2025-11-25',
      http: true,
      command: [program('server-everything'), 'streamableHttp'],
      calls: (n) => take(n, /** @type {[string, string][]} */ (everything)),
    },
    {
      name: 'server-filesystem, stdio',
      revision: '2025-11-25',
      command: [program('server-filesystem'), folder],
      calls: (n) =>
        take(n, [
          ['tools/call', `{"name":"read_text_file","arguments":{"path":${note}}}`],
          ['tools/call', `{"name":"list_directory","arguments":{"path":${JSON.stringify(folder)}}}`],
          ['tools/call', '{"name":"read_text_file","arguments":{"path":"/nobody/#"}}'],
          ['tools/list', '{}'],
        ]),
    },
    {
      name: 'server-memory, stdio',
      revision: '2025-11-25',
      command: [program('server-memory')],
      env: { MEMORY_FILE_PATH: 'FRESH' },
      calls: (n) =>
        take(n, [
          [
            'tools/call',
            '{"name":"create_entities","arguments":{"entities":[{"name":"ada #","entityType":"person","observations":["é"]}]}}',
          ],
          ['tools/call', '{"name":"search_nodes","arguments":{"query":"ada 1"}}'],
          ['tools/call', '{"name":"open_nodes","arguments":{"names":["ada #"]}}'],
        ]),
    },
    {
      name: 'fastmcp, stdio',
      revision: '2025-11-25',
      command: [fixture('third-party/fixtures/fastmcp.mjs')],
      calls: (n) =>
        take(n, [
          ['tools/call', '{"name":"add","arguments":{"a":#,"b":2.50}}'],
          ['tools/call', '{"name":"refuse","arguments":{}}'],
          ['prompts/get', '{"name":"greet"}'],
        ]),
    },
    {
      name: 'SDK v2, stdio',
      revision: MODERN,
      command: [fixture('journeys/fixtures/stdio.mjs'), 'v2'],
      // The callers of this process share it, so their ids are renamed, and restored as the client wrote them.
      calls: (n) => take(n, /** @type {[string, string][]} */ (modern), SPELLINGS.slice(0, 3)),
    },
    {
      name: 'SDK v2, HTTP',
      revision: MODERN,
      http: true,
      command: [fixture('third-party/fixtures/conformance-server.mjs'), '--sdk', 'v2'],
      calls: (n) => take(n, /** @type {[string, string][]} */ (modern)),
    },
  ];
}

/** Compares `counts` exchanges with each server. Returns how many there were, and each that differs. @param {number[]} counts */
export async function compareRecorded(counts) {
  const folder = mkdtempSync(join(tmpdir(), 'recorded-'));
  writeFileSync(join(folder, 'note.txt'), 'hello é');
  /** @type {{ name: string, exchanges: number }[]} */
  const rows = [];
  /** @type {{ server: string, request: string, direct: string, through: string }[]} */
  const different = [];
  try {
    for (const [at, server] of servers(folder).entries()) {
      const bodies = server.calls(counts[at] ?? 0);
      if (bodies.length === 0) continue;
      const pairs = server.http ? await overHttp(server, bodies) : await overStdio(server, bodies, folder);
      rows.push({ name: server.name, exchanges: pairs.length });
      for (const { request, direct, through } of pairs)
        if (direct === '' || direct !== through) different.push({ server: server.name, request, direct, through });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { rows, different };
}

const INITIALIZE =
  '{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}';
const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

/** A client of the gateway that sends texts. @param {string} url @param {string} revision */
function sender(url, revision) {
  let session = '';
  return async (/** @type {string} */ body) => {
    const { method, params } = JSON.parse(body);
    const name = params?.name ?? params?.uri;
    const modern = {
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...(name && /tools.call|prompts.get|resources.read/.test(method) && { 'mcp-name': name }),
    };
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(revision === MODERN ? modern : session && { 'mcp-session-id': session }),
    };
    const response = await fetch(url, { method: 'POST', body, headers });
    session ||= response.headers.get('mcp-session-id') ?? '';
    return response.text();
  };
}

/** The last message: a server may send notifications before its answer. @param {string} text */
const lastMessage = (text) =>
  text
    .split('\n')
    .findLast((line) => /^(?:data: )?\{/.test(line))
    ?.replace(/^data: /, '') ?? '';

/** @param {Server} server @param {string[]} bodies @param {string} folder */
async function overStdio({ command, env = {}, revision }, bodies, folder) {
  const own = (/** @type {string} */ which) =>
    Object.fromEntries(Object.entries(env).map(([key, value]) => [key, value === 'FRESH' ? join(folder, `${which}.json`) : value]));
  const child = spawn(process.execPath, command, { stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, ...own('direct') } });
  /** @type {Map<unknown, (line: string) => void>} */
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => waiting.get(JSON.parse(line).id)?.(line));
  const direct = (/** @type {string} */ body) =>
    new Promise((resolve) => {
      waiting.set(JSON.parse(body).id, resolve);
      child.stdin.write(`${body}\n`);
    });
  const upstream = { command: [process.execPath, ...command], revision, env: own('through') };
  const gateway = await createGateway({ listen: '127.0.0.1:0', upstreams: { server: upstream } });
  const send = sender(`${await gateway.listen()}/mcp`, revision);
  const pairs = [];
  try {
    if (revision !== MODERN) {
      pairs.push({ request: INITIALIZE, direct: await direct(INITIALIZE), through: lastMessage(await send(INITIALIZE)) });
      child.stdin.write(`${INITIALIZED}\n`);
      await send(INITIALIZED);
    }
    for (const body of bodies) pairs.push({ request: body, direct: await direct(body), through: lastMessage(await send(body)) });
  } finally {
    await gateway.close();
    child.kill();
  }
  return pairs;
}

/** @param {Server} server @param {string[]} bodies */
async function overHttp({ command, revision, name }, bodies) {
  const port = await freePort();
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, PORT: String(port) } });
  const said = createInterface({ input: child.stdout });
  const target = await (name.startsWith('SDK')
    ? once(said, 'line').then(([line]) => String(line))
    : answering(`http://127.0.0.1:${port}/mcp`, child));
  /** Requests that reached the server, and its answers. @type {{ request: string, answer: string }[]} */
  const seen = [];
  const tap = createServer((incoming, outgoing) => {
    const exchange = { request: '', answer: '' };
    const passed = httpRequest(
      target,
      { method: incoming.method, headers: { ...incoming.headers, host: new URL(target).host } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on('data', (chunk) => (exchange.answer += String(chunk))).pipe(outgoing);
      },
    );
    incoming.on('data', (chunk) => (exchange.request += String(chunk))).pipe(passed);
    if (incoming.method === 'POST') seen.push(exchange);
  });
  await new Promise((resolve) => tap.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port: tapped } = /** @type {import('node:net').AddressInfo} */ (tap.address());
  const gateway = await createGateway({
    listen: '127.0.0.1:0',
    upstreams: { server: { url: `http://127.0.0.1:${tapped}/mcp`, revision } },
  });
  const send = sender(`${await gateway.listen()}/mcp`, revision);
  const pairs = [];
  try {
    for (const body of revision === MODERN ? bodies : [INITIALIZE, INITIALIZED, ...bodies]) {
      const through = await send(body);
      const { request, answer } = seen.at(-1) ?? { request: '', answer: '' };
      // Both ways: what the server got is what the client wrote.
      pairs.push({ request: body, direct: `${body}\n${answer}`, through: `${request}\n${through}` });
    }
  } finally {
    await gateway.close();
    tap.closeAllConnections();
    tap.close();
    child.kill();
  }
  return pairs;
}

/** Waits for the line that says that the server listens. @param {string} url @param {import('node:child_process').ChildProcess} child */
async function answering(url, child) {
  const lines = createInterface({ input: /** @type {import('node:stream').Readable} */ (child.stderr) });
  for await (const line of lines) if (/listening|running/i.test(line)) break;
  child.stderr?.resume();
  return url;
}
