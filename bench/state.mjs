// @ts-check
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CookieJar } from 'tough-cookie';
import { Jars } from '../packages/waybill/dist/client/jar/jars.js';
import { sqliteStore } from 'waybill/client/node';
import { nodeSeal } from 'waybill/server/node';

/**
 * The jar beside a cookie jar: from the name of a server to everything that goes back to it, name by name, and one write. Servers are visited
 * in turn, so that ten thousand of them are really touched. Then memory, the price of a store behind it, and a sealed kilobyte.
 */

/** @typedef {import('./harness.mjs').Figures} Figures */
/** @type {unknown} */
let _sink;

const LIMITS = { jarItems: 10_000_000, drawerItems: 1_000 };
/** @param {number} servers @param {number} items @param {Jars} [jars] */
function ourJar(servers, items, jars = new Jars({ limits: LIMITS })) {
  for (let s = 0; s < servers; s++) {
    const carried = jars.carry('', hostAt(s), undefined);
    if (carried instanceof Promise) throw new Error('not in memory');
    jars.apply(carried.ticket, { server: new Map(Array.from({ length: items }, (_, i) => [`name${i}`, `value ${s}.${i}`])) });
  }
  return jars;
}

/** @param {number} servers @param {number} items */
function cookieJar(servers, items) {
  const jar = new CookieJar();
  for (let s = 0; s < servers; s++)
    for (let i = 0; i < items; i++) jar.setCookieSync(`name${i}=value ${s}.${i}; Max-Age=3600`, `https://${hostAt(s)}/mcp`);
  return jar;
}

/** @param {number} n */
const hostAt = (n) => `mcp${n}.example.com`;

/** @param {Jars} jars @param {string} host */
function readOurs(jars, host) {
  const carried = jars.carry('', host, undefined);
  if (carried instanceof Promise) throw new Error('a warm drawer must not wait');
  const found = [];
  for (const [name, value] of carried.values.server ?? []) found.push({ name, value });
  return found;
}

/** @param {CookieJar} jar @param {string} host */
const readCookies = (jar, host) => jar.getCookiesSync(`https://${host}/mcp`);

/** @param {number} servers @param {number} items */
function reading(servers, items) {
  const [ours, cookies] = [ourJar(servers, items), cookieJar(servers, items)];
  const hosts = Array.from({ length: servers }, (_, s) => hostAt(s));
  return {
    check: () => {
      const last = hostAt(servers - 1);
      const [mine, theirs] = [readOurs(ours, last), readCookies(cookies, last)];
      const pairs = theirs.map(({ key, value }) => `${key}=${value}`).sort();
      return JSON.stringify(mine.map(({ name, value }) => `${name}=${String(value)}`).sort()) === JSON.stringify(pairs);
    },
    arms: {
      /** @param {number} n */
      ours: (n) => {
        for (let i = 0; i < n; i++) _sink = readOurs(ours, /** @type {string} */ (hosts[i % servers]));
      },
      /** @param {number} n */
      peer: (n) => {
        for (let i = 0; i < n; i++) _sink = readCookies(cookies, /** @type {string} */ (hosts[i % servers]));
      },
    },
  };
}

/** The same reading in two jars of ours. @param {Jars} one @param {number} servers @param {Jars} other */
function beside(one, servers, other) {
  const hosts = Array.from({ length: servers }, (_, s) => hostAt(s));
  return {
    /** @param {number} n */
    ours: (n) => {
      for (let i = 0; i < n; i++) _sink = readOurs(one, /** @type {string} */ (hosts[i % servers]));
    },
    /** @param {number} n */
    peer: (n) => {
      for (let i = 0; i < n; i++) _sink = readOurs(other, hostAt(0));
    },
  };
}

function writing() {
  const jars = new Jars({ limits: LIMITS });
  const cookies = new CookieJar();
  // The answer to a request that carried everything.
  const ticket = { principal: '', server: hostAt(0), conversation: undefined, issued: Number.MAX_SAFE_INTEGER };
  return {
    /** @param {number} n */
    ours: (n) => {
      for (let i = 0; i < n; i++) {
        _sink = jars.apply(ticket, { server: new Map([[`name${i % 20}`, `value ${i}`]]) });
      }
    },
    /** @param {number} n */
    peer: (n) => {
      for (let i = 0; i < n; i++) _sink = cookies.setCookieSync(`name${i % 20}=value ${i}; Max-Age=3600`, `https://${hostAt(0)}/mcp`);
    },
  };
}

/** Bytes of heap a drawer with three items, after everything else is collected. @returns {Promise<Figures & Record<string, unknown>>} */
async function memory() {
  const gc = await collector();
  /** @param {() => unknown} make */
  const size = (make) => {
    gc();
    const before = process.memoryUsage().heapUsed;
    const held = make();
    gc();
    const bytes = process.memoryUsage().heapUsed - before;
    _sink = held;
    return bytes / 10_000;
  };
  const [ours, peer] = [size(() => ourJar(10_000, 3)), size(() => cookieJar(10_000, 3))];
  return { ours, peer, ratio: ours / peer, p10: ours / peer, p90: ours / peer, unit: 'bytes a drawer of 3 items, 10,000 of them' };
}

async function collector() {
  const { setFlagsFromString } = await import('node:v8');
  const { runInNewContext } = await import('node:vm');
  setFlagsFromString('--expose-gc');
  return /** @type {() => void} */ (runInNewContext('gc'));
}

/** A drawer that a file keeps, once it is in memory, beside one that is only in memory. */
async function stored() {
  const folder = mkdtempSync(path.join(tmpdir(), 'waybill-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const kept = new Jars({ store: sqliteStore(path.join(folder, 'state.db')), limits: LIMITS });
  await kept.sync?.load(kept.open('', hostAt(0)));
  ourJar(1, 20, kept);
  await kept.sync?.flush();
  return beside(kept, 1, ourJar(1, 20));
}

/** The same, written by hand without a library: JSON, AES-256-GCM with a random nonce, base64url; nothing is bound to it, nothing expires. */
function byHand() {
  const key = randomBytes(32);
  return {
    /** @param {unknown} value */
    seal(value) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      return Buffer.concat([nonce, cipher.update(JSON.stringify(value), 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
        'base64url',
      );
    },
    /** @param {string} token @returns {unknown} */
    unseal(token) {
      const data = Buffer.from(token, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, data.subarray(0, 12));
      decipher.setAuthTag(data.subarray(-16));
      return JSON.parse(decipher.update(data.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8'));
    },
  };
}

function sealing() {
  const items = Array.from({ length: 10 }, (_, i) => ({ id: `item-${i}`, name: `A thing of kind ${i}`, count: i, price: i * 1.25 }));
  const value = { items, note: 'x'.repeat(1024 - JSON.stringify({ items, note: '' }).length) };
  const seal = nodeSeal({ keys: [randomBytes(32)], audience: 'bench' });
  const hand = byHand();
  const about = { principal: 'ann', scope: /** @type {const} */ ('session'), name: 'cart', now: 1_700_000_000, maxAge: 3600 };
  const ours = () => {
    const opened = seal.unseal(seal.seal(JSON.stringify(value), about), about);
    return /** @type {unknown} */ (JSON.parse('text' in opened ? opened.text : 'null'));
  };
  const peer = () => hand.unseal(hand.seal(value));
  return {
    check: () => JSON.stringify(ours()) === JSON.stringify(value) && JSON.stringify(peer()) === JSON.stringify(value),
    arms: {
      /** @param {number} n */
      ours: (n) => {
        for (let i = 0; i < n; i++) _sink = ours();
      },
      /** @param {number} n */
      peer: (n) => {
        for (let i = 0; i < n; i++) _sink = peer();
      },
    },
  };
}

const cookies = 'tough-cookie';
export const title = 'State: a jar beside a cookie jar';

export const rows = [
  { name: 'state: read 20 items', peer: cookies, ratio: 'peer/ours', target: 4, ...lazily(() => reading(1, 20)) },
  { name: 'state: read 1 item', peer: cookies, ratio: 'peer/ours', target: 10, ...lazily(() => reading(1, 1)) },
  {
    name: 'state: read 20 items, 10,000 servers in turn',
    peer: cookies,
    ratio: 'peer/ours',
    target: 4,
    ...lazily(() => reading(10_000, 20)),
  },
  {
    name: 'state: read 20 items of one server among 10,000',
    peer: 'a jar of one server',
    ratio: 'ours/peer',
    target: 1.2,
    ...lazily(() => ({ arms: beside(ourJar(10_000, 20), 1, ourJar(1, 20)) })),
  },
  { name: 'state: write 1 item', peer: cookies, ratio: 'peer/ours', target: 4, ...lazily(() => ({ arms: writing() })) },
  {
    name: 'state: read 20 items of a drawer that SQLite keeps',
    peer: 'a jar without a store',
    ratio: 'ours/peer',
    target: 1.2,
    ...lazily(async () => ({ arms: await stored() })),
  },
  { name: 'state: memory of 10,000 drawers', peer: cookies, ratio: 'ours/peer', target: 1.5, measure: memory },
  { name: 'state: seal and unseal 1 KiB', peer: 'AES-256-GCM by hand', ratio: 'ours/peer', target: 1.3, ...lazily(sealing) },
];

/**
 * The data of a row are made when it runs: listing the rows must not make ten thousand drawers.
 * @param {() => { check?: () => unknown, arms: { ours: (n: number) => unknown, peer: (n: number) => unknown } } | Promise<{ check?: () => unknown, arms: { ours: (n: number) => unknown, peer: (n: number) => unknown } }>} make
 */
function lazily(make) {
  /** @type {Awaited<ReturnType<typeof make>> | undefined} */
  let made;
  return {
    check: async () => {
      made = await make();
      return made.check?.();
    },
    arms: {
      /** @param {number} n */
      ours: (n) => made?.arms.ours(n),
      /** @param {number} n */
      peer: (n) => made?.arms.peer(n),
    },
  };
}
