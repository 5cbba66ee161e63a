// @ts-check
/**
 * The gateway beside a bare reverse proxy, and beside mcp-proxy and supergateway in front of a stdio server. A figure is the CPU time of
 * client, proxy and server together at 32 calls at a time. All run at once and take turns in short windows; the ratio is taken for each round.
 * The peers come from npm into a folder for temporary files, at the first run. Linux only: the meter reads /proc.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import { ENVELOPE, META } from './arms/server-common.mjs';
import { cpuTime, paired } from './harness.mjs';
import { beside, takeTurns } from './meter.mjs';
import { freePort } from '../test/support/freePort.mjs';

const CONCURRENCY = 32;
const path = (/** @type {string} */ file) => fileURLToPath(new URL(file, import.meta.url));
const EVERYTHING = path('../node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const ACCEPT = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const agent = new Agent({ connections: null });

/** @typedef {{ url: string, pids: number[], stop: (signal?: NodeJS.Signals) => void }} Running */

/** @param {string[]} args @param {number} [port] of a program that does not print its own @returns {Promise<Running>} */
async function start(args, port) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', port === undefined ? 'pipe' : 'ignore', 'ignore'], detached: true });
  process.once('exit', () => child.kill('SIGKILL'));
  const printed = port ?? Number(await new Promise((resolve) => child.stdout?.once('data', resolve)));
  const url = `http://127.0.0.1:${printed}/mcp`;
  for (let tries = 0; !(await listens(printed)); tries++) {
    if (tries === 300) throw new Error(`${args[0]} does not listen`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const pid = /** @type {number} */ (child.pid);
  return { url, pids: [pid], stop: (signal = 'SIGTERM') => process.kill(-pid, signal) };
}

const listens = (/** @type {number} */ port) =>
  /** @type {Promise<boolean>} */ (
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    })
  );

/** @param {object} upstream @param {object} [more] */
async function startGateway(upstream, more = {}) {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'waybill-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  const file = join(folder, 'gateway.json');
  writeFileSync(file, JSON.stringify({ listen: `127.0.0.1:${port}`, ...more, upstreams: { s: upstream } }));
  return start([path('../packages/gateway/dist/bin.js'), '--config', file], port);
}

const RULES = {
  language: { from: ['meta', 'header'], default: 'en', catalogs: path('../examples/shop/locales') },
  environment: { defaults: { timezone: 'Europe/Vienna' }, fill: { echo: { zone: { from: 'timezone', hide: true } } } },
  state: { mode: 'keep', allowHosts: ['127.0.0.1'] },
  trace: { mode: 'join' },
  tools: { exclude: ['delete_all'], override: { echo: { title: 'Echo' } }, requires: { book: { elicitation: {} } } },
  policy: { location: 'country', baggage: ['tenant'] },
};

const VERSIONS = { 'mcp-proxy': '6.7.19', supergateway: '4.0.0' };

/** The bin of a peer, installed once. @param {keyof typeof VERSIONS} name @param {string} bin */
function peer(name, bin) {
  const home = join(tmpdir(), 'waybill-bench-peers');
  const found = join(home, 'node_modules', name, bin);
  if (!existsSync(found)) {
    mkdirSync(home, { recursive: true });
    execFileSync('npm', ['install', '--prefix', home, '--no-audit', '--no-fund', `${name}@${VERSIONS[name]}`], { stdio: 'ignore' });
  }
  return found;
}

/** CPU µs of these processes, of their threads, and of all processes below them. @param {readonly number[]} roots */
function cpuOf(roots) {
  let sum = 0;
  for (const pid of roots) {
    try {
      for (const thread of readdirSync(`/proc/${pid}/task`))
        sum += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]) / 1000;
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
      if (children !== '') sum += cpuOf(children.split(' ').map(Number));
    } catch {
      // It ended meanwhile.
    }
  }
  return sum;
}

/** One call of the echo tool. @typedef {(n: number) => Promise<void>} Call */

/** @param {string} url @param {string} body @param {Record<string, string>} headers */
async function post(url, body, headers) {
  const reply = await request(url, { method: 'POST', body, headers: { ...ACCEPT, ...headers }, dispatcher: agent });
  return { reply, text: await reply.body.text() };
}

/** @param {string} text @param {number} n */
function check(text, n) {
  if (!text.includes(`no. ${n} `)) throw new Error(`not the answer to call ${n}: ${text.slice(0, 200)}`);
}

/** @param {Running} running @returns {Call} */
const modernCall = ({ url }) => {
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'echo',
    'accept-language': META['io.modelcontextprotocol/acceptLanguage'],
  };
  return async (n) => {
    const params = { name: 'echo', arguments: { message: `no. ${n} ` }, _meta: { ...ENVELOPE, ...META } };
    check((await post(url, JSON.stringify({ jsonrpc: '2.0', id: n, method: 'tools/call', params }), headers)).text, n);
  };
};

/** Begins a session. Returns the headers of its requests. @param {string} url @returns {Promise<Record<string, string>>} */
async function sessionAt(url) {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };
  const { reply } = await post(url, JSON.stringify({ jsonrpc: '2.0', id: 'i', method: 'initialize', params }), {});
  const session = reply.headers['mcp-session-id'];
  return { 'mcp-protocol-version': '2025-11-25', ...(typeof session === 'string' && { 'mcp-session-id': session }) };
}

/** @param {Running} running @returns {Promise<Call>} */
async function legacyCall({ url }) {
  const headers = await sessionAt(url);
  await post(url, JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }), headers);
  return async (n) => {
    const call = { jsonrpc: '2.0', id: n, method: 'tools/call', params: { name: 'echo', arguments: { message: `no. ${n} ` } } };
    check((await post(url, JSON.stringify(call), headers)).text, n);
  };
}

/** An arm whose cost is the CPU of this process, which is the client, and of its servers. @param {Call} call @param {number[]} pids */
const armOf = (call, pids) => async (/** @type {number} */ calls) => {
  const before = cpuOf(pids) + cpuTime();
  let next = 0;
  const worker = async () => {
    while (next < calls) await call(next++);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return cpuTime() + cpuOf(pids) - before;
};

/** Over HTTP: direct, through the bare proxy, and through the gateway with and without rules. @param {{ quick: boolean }} options */
async function overHttp({ quick }) {
  const server = await start([path('./arms/gateway-http.mjs'), 'server']);
  const proxy = () => start([path('./arms/gateway-http.mjs'), 'proxy', server.url]);
  const [bare, again, passing, rules] = await Promise.all([
    proxy(),
    proxy(),
    startGateway({ url: server.url }),
    startGateway({ url: server.url, ...RULES }, { identity: { single: true } }),
  ]);
  try {
    const arm = (/** @type {Running} */ one) => armOf(modernCall(one), [...new Set([...one.pids, ...server.pids])]);
    const arms = { direct: arm(server), bare: arm(bare), passing: arm(passing), rules: arm(rules), again: arm(again) };
    const plan = quick ? { window: 200, warmUp: 600, rounds: 4 } : { window: 1000, warmUp: 8000, rounds: 30 };
    const cost = await takeTurns(arms, plan);
    return [
      beside(cost.direct, cost.bare, cost.again),
      beside(cost.passing, cost.bare, cost.again),
      beside(cost.rules, cost.bare, cost.again),
    ];
  } finally {
    for (const one of [server, bare, again, passing, rules]) one.stop();
  }
}

/** HTTP to one child on stdio. @param {{ quick: boolean }} options */
async function overStdio({ quick }) {
  const [port, other] = [await freePort(), await freePort()];
  const [ours, mcpProxy, supergateway] = await Promise.all([
    startGateway({ command: [process.execPath, EVERYTHING], share: 'one', revision: '2025-11-25' }),
    start(
      [
        peer('mcp-proxy', 'dist/bin/mcp-proxy.mjs'),
        ...['--host', '127.0.0.1', '--port', String(port), '--server', 'stream', '--', process.execPath, EVERYTHING],
      ],
      port,
    ),
    start(
      [
        peer('supergateway', 'dist/index.js'),
        ...['--stdio', `${process.execPath} ${EVERYTHING}`, '--outputTransport', 'streamableHttp', '--stateful', '--port', String(other)],
      ],
      other,
    ),
  ]);
  try {
    const arm = async (/** @type {Running} */ one) => armOf(await legacyCall(one), one.pids);
    const arms = { ours: await arm(ours), mcpProxy: await arm(mcpProxy), supergateway: await arm(supergateway) };
    const plan = quick ? { window: 100, warmUp: 200, rounds: 4 } : { window: 500, warmUp: 4000, rounds: 30 };
    const cost = await takeTurns(arms, plan);
    const against = (/** @type {number[]} */ other) => ({ ...paired(cost.ours, other, 'peer/ours'), rounds: plan.rounds });
    return [against(cost.mcpProxy), against(cost.supergateway)];
  } finally {
    ours.stop();
    // Peers do not end their children in every case.
    for (const one of [mcpProxy, supergateway]) one.stop('SIGKILL');
  }
}

/** Resident memory in MB with 1,000 idle streams, as a part of 120 MB. */
async function idleStreams() {
  const server = await start([path('./arms/gateway-http.mjs'), 'server']);
  const ours = await startGateway({ url: server.url, revision: '2025-11-25' });
  try {
    const headers = { ...(await sessionAt(ours.url)), accept: 'text/event-stream' };
    for (let open = 0; open < 1_000; open += 50)
      await Promise.all(
        Array.from({ length: 50 }, async () => {
          const { body, statusCode } = await request(ours.url, { headers, dispatcher: agent });
          if (statusCode !== 200) throw new Error(`a stream got ${statusCode}`);
          body.on('error', () => undefined);
          await new Promise((resolve) => body.once('data', resolve));
        }),
      );
    const resident = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${ours.pids[0]}/status`, 'utf8'))?.[1]) / 1024;
    const ratio = resident / 120;
    return { ours: resident, peer: 120, ratio, p10: ratio, p90: ratio, unit: 'MB' };
  } finally {
    for (const one of [server, ours]) one.stop();
  }
}

const PROXY = 'bare undici proxy';
export const title = 'Gateway: CPU of client, proxy and server together, 32 calls at a time';

/** @type {(import('./harness.mjs').Row | import('./harness.mjs').Group)[]} */
export const rows = [
  {
    name: 'gateway over HTTP',
    rows: [
      { name: 'gateway: no proxy at all', peer: PROXY, ratio: 'ours/peer', target: 1 },
      { name: 'gateway: passing', peer: PROXY, ratio: 'ours/peer', target: 1.25 },
      { name: 'gateway: all rules', peer: PROXY, ratio: 'ours/peer', target: 1.6 },
    ],
    measure: overHttp,
  },
  {
    name: 'gateway, HTTP to stdio',
    rows: [
      { name: 'gateway: HTTP to stdio, one child', peer: `mcp-proxy ${VERSIONS['mcp-proxy']}`, ratio: 'peer/ours', target: 3 },
      { name: 'gateway: HTTP to stdio, the same child', peer: `supergateway ${VERSIONS.supergateway}`, ratio: 'peer/ours', target: 3 },
    ],
    measure: overStdio,
  },
  { name: 'gateway: memory with 1,000 idle streams', peer: 'a limit of 120 MB', ratio: 'ours/peer', target: 1, measure: idleStreams },
];
