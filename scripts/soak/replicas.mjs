// @ts-check
/**
 * Three replicas of the gateway on a real Redis, behind a round robin, under load. Replicas and Redis are killed and started again. Counts what
 * the users saw: answers that were wrong, acknowledged state that was lost, and errors while a replica and the store were up.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { keys } from 'waybill';
import { freePort } from '../../test/support/freePort.mjs';

const BIN = fileURLToPath(new URL('../../packages/gateway/dist/bin.js', import.meta.url));
const STATE = /** @type {string} */ (keys.STATE_SPELLINGS.server[0]);
const ENVELOPE = { [keys.PROTOCOL_VERSION]: '2026-07-28', [keys.CLIENT_CAPABILITIES]: {} };

/**
 * @typedef {{ calls: number, acknowledged: number, wrong: string[], lost: string[], errors: string[], errorsWhileDown: number, kills: number, redisKills: number }} Figures
 * @param {{ users: number, calls: number, kills: number, redisKills: number }} size `calls`: for each user.
 * @returns {Promise<Figures>}
 */
export async function replicas({ users, calls, kills, redisKills }) {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-replicas-'));
  const upstream = await startUpstream();
  const redis = new Process('redis-server', (port) => [
    ...['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', ''],
    ...['--appendonly', 'yes', '--appendfsync', 'always'],
  ]);
  await redis.start(/Ready to accept connections/i);
  const gateways = [0, 1, 2].map(
    (at) =>
      new Process(process.execPath, (port) => {
        const file = join(folder, `${at}.json`);
        const settings = { state: { mode: 'keep', allowHosts: ['127.0.0.1'] } };
        writeFileSync(
          file,
          JSON.stringify({
            listen: `127.0.0.1:${port}`,
            replica: `gw-${at}`,
            store: `redis://127.0.0.1:${redis.port}`,
            identity: { trustedProxy: { header: 'X-User', from: ['127.0.0.1'] } },
            log: { audit: false },
            upstreams: {
              modern: { url: `${upstream.url}/modern`, revision: '2026-07-28', ...settings },
              legacy: { url: `${upstream.url}/legacy`, revision: '2025-11-25' },
            },
          }),
        );
        return [BIN, '--config', file];
      }),
  );
  await Promise.all(gateways.map((one) => one.start(/\/legacy\/mcp/)));

  /** @type {Figures} */
  const figures = { calls: 0, acknowledged: 0, wrong: [], lost: [], errors: [], errorsWhileDown: 0, kills: 0, redisKills: 0 };
  let next = 0;
  let done = 0;
  const isUp = () => redis.isUp && gateways.some((one) => one.isUp);

  /**
   * The balancer: the next replica, and another one if the connection breaks. The calls of this load may be made twice.
   * @param {string} path @param {string} user @param {object} message @param {Record<string, string>} headers
   */
  async function ask(path, user, message, headers) {
    let last = '';
    // Its own turn: with a common one, a request could meet the same dead replica each time.
    const first = next++;
    for (let tries = 0; tries < 9; tries++) {
      const gateway = gateways[(first + tries) % gateways.length];
      try {
        const response = await fetch(`http://127.0.0.1:${gateway?.port}${path}`, {
          method: 'POST',
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
          headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'x-user': user, ...headers },
        });
        const text = await response.text();
        return { status: response.status, headers: response.headers, text };
      } catch (error) {
        last = String(/** @type {Error} */ (error).cause ?? error);
        if (tries > 2) await pause(20);
      }
    }
    return { status: 0, headers: new Headers(), text: last };
  }

  /** Returns the check of what was acknowledged. @param {string} name */
  async function user(name) {
    /** @type {string[]} */
    const kept = [];
    let session = '';
    let counted = 0;
    for (let at = 0; at < calls; at++) {
      const isLegacy = at % 4 === 3;
      const item = `${name}.${at}`;
      const wasUp = isUp();
      const downs = redis.downs + (gateways.some((one) => one.isUp) ? 0 : 1);
      const answer = isLegacy ? await legacy() : await modern({ item });
      figures.calls++;
      done++;
      if (answer.status !== 200) {
        if (wasUp && isUp() && downs === redis.downs) figures.errors.push(`${answer.status} ${answer.text.slice(0, 200)}`);
        else {
          figures.errorsWhileDown++;
          // A client waits a little before it tries again.
          await pause(50);
        }
        continue;
      }
      figures.acknowledged++;
      const { result } = JSON.parse(answer.text.replace(/^[^{]*(?=\{)/, ''));
      if (isLegacy) {
        if (result.user !== name || result.count <= counted) figures.wrong.push(`session of ${result.user} at ${name}: ${result.count}`);
        counted = result.count;
      } else {
        kept.push(item);
        check(name, kept, result.cart, figures.wrong);
      }
    }
    return async () => check(name, kept, JSON.parse((await modern({})).text).result.cart, figures.lost);

    /** @param {object} args */
    function modern(args) {
      const params = { name: 'add', arguments: args, _meta: ENVELOPE };
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'add' };
      return ask('/modern/mcp', name, { method: 'tools/call', params }, headers);
    }

    async function legacy() {
      if (session === '') {
        const params = { protocolVersion: '2025-11-25', capabilities: { roots: {} }, clientInfo: { name, version: '1' } };
        const begun = await ask('/legacy/mcp', name, { method: 'initialize', params }, {});
        if (begun.status !== 200) return begun;
        session = begun.headers.get('mcp-session-id') ?? '';
      }
      return ask('/legacy/mcp', name, { method: 'tools/call', params: { name: 'count' } }, { 'mcp-session-id': session });
    }
  }

  const load = Promise.all(Array.from({ length: users }, (_, at) => user(`user-${at}`)));
  const total = users * calls;
  const events = kills + redisKills;
  for (let event = 0; event < events; event++) {
    const from = ((event + 1) * total) / (events + 1);
    while (done < from) await pause(5);
    if (event % Math.ceil(events / Math.max(1, redisKills)) === 0 && figures.redisKills < redisKills) {
      await redis.kill('SIGKILL');
      figures.redisKills++;
      await pause(100);
      await redis.start(/Ready to accept connections/i);
    } else {
      const victim = /** @type {Process} */ (gateways[event % gateways.length]);
      // Every third one ends in good order.
      await victim.kill(event % 3 === 0 ? 'SIGTERM' : 'SIGKILL');
      figures.kills++;
      await victim.start(/\/legacy\/mcp/);
    }
  }
  // Everything is up again: what was acknowledged must be there.
  for (const cartIsKept of await load) await cartIsKept();
  await Promise.all(gateways.map((one) => one.kill('SIGTERM')));
  await redis.kill('SIGKILL');
  upstream.close();
  rmSync(folder, { recursive: true });
  return figures;
}

/** @param {string} name @param {string[]} kept @param {string[]} cart @param {string[]} faults */
function check(name, kept, cart, faults) {
  const has = new Set(cart);
  const missing = kept.filter((item) => !has.has(item));
  if (missing.length > 0) faults.push(`${name} misses ${missing.join(', ')}`);
  const foreign = cart.filter((item) => !item.startsWith(`${name}.`));
  if (foreign.length > 0) faults.push(`${name} sees ${foreign.join(', ')}`);
}

/** A server with a cart that it keeps at its client, and, for 2025, sessions that count calls. */
async function startUpstream() {
  /** @type {Map<string, { user: string, count: number }>} */
  const sessions = new Map();
  const server = createServer((request, response) => {
    let text = '';
    request
      .on('data', (chunk) => (text += String(chunk)))
      .on('end', () => {
        const { id, method, params } = JSON.parse(text || '{}');
        /** @param {object} result @param {Record<string, string>} headers */
        const say = (result, headers = {}) =>
          response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
        if (request.url === '/modern') {
          const cart = [...(params._meta[STATE]?.cart ?? []), ...(params.arguments.item ? [params.arguments.item] : [])];
          say({ resultType: 'complete', cart, ...(params.arguments.item && { _meta: { [STATE]: { cart } } }) });
        } else if (method === 'initialize') {
          const session = `session-${sessions.size}`;
          sessions.set(session, { user: params.clientInfo.name, count: 0 });
          const serverInfo = { name: 'counter', version: '1' };
          say({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }, { 'mcp-session-id': session });
        } else {
          const session = sessions.get(String(request.headers['mcp-session-id']));
          if (session === undefined) response.writeHead(404).end();
          else say({ user: session.user, count: ++session.count });
        }
      });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A process on a port of its own, which it gets again when it is started again. */
class Process {
  port = 0;
  isUp = false;
  /** Counts how often it went down. */
  downs = 0;
  #child = /** @type {import('node:child_process').ChildProcess | undefined} */ (undefined);

  /** @param {string} command @param {(port: number) => string[]} args */
  constructor(command, args) {
    this.command = command;
    this.args = args;
  }

  /** @param {RegExp} ready What it prints when it can be used. */
  async start(ready) {
    if (this.port === 0) this.port = await freePort();
    const child = spawn(this.command, this.args(this.port), { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    let printed = '';
    await new Promise((resolve, reject) => {
      for (const output of [child.stdout, child.stderr])
        output.on('data', (chunk) => {
          printed += String(chunk);
          if (ready.test(printed)) resolve(undefined);
        });
      child.once('exit', () => reject(new Error(`${this.command} ended: ${printed}`)));
    });
    this.isUp = true;
  }

  /** @param {NodeJS.Signals} signal */
  async kill(signal) {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    this.isUp = false;
    this.downs++;
    const over = once(child, 'exit');
    child.kill(signal);
    await over;
  }
}
