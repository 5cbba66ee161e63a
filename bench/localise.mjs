// @ts-check
/**
 * Lists in the user's language beside the bare SDK's, which have none: in memory through the SDK's client, and over raw HTTP without one.
 * Every request carries the same `_meta` in both arms; languages are asked for in turn.
 */
import { Agent, createServer, request as httpRequest } from 'node:http';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { IntlMessageFormat } from 'intl-messageformat';
import { catalogs, listCache, serverContext } from 'waybill/server';
import { z } from 'zod';
import { race } from './harness.mjs';

/** @typedef {import('./harness.mjs').Options} Options */
const P = 'io.modelcontextprotocol/';
const VERSION = '2026-07-28';
const LANGUAGES =
  'en de fr es it pt nl sv da nb fi is pl cs sk hu ro bg el tr ru uk sr hr sl lt lv et ga cy eu ca gl sq mk hy ka he ar fa ur hi bn ta th vi id ja ko zh'.split(
    ' ',
  );

/** About 600 bytes a tool in the list: a title, a description, four parameters with limits and descriptions. */
const inputSchema = z.object({
  query: z.string().min(1).max(200).describe('What to look for'),
  limit: z.number().int().min(1).max(100).default(10).describe('How many to give'),
  order: z.enum(['newest', 'oldest', 'nearest']).optional().describe('Which of them first'),
  since: z.string().optional().describe('The first day, as YYYY-MM-DD'),
});

/** @param {number} tools */
const build = (tools) => () => {
  const server = new McpServer({ name: 'bench', version: '1' });
  for (let n = 0; n < tools; n++)
    server.registerTool(
      `tool_${n}`,
      { title: `Tool ${n}`, description: `Looks for what the user wants in collection ${n}.`, inputSchema },
      async () => ({
        content: [],
      }),
    );
  return server;
};

/** @param {number} tools @param {number} languages @param {boolean} isCached */
async function layer(tools, languages, isCached) {
  const words = Object.fromEntries(
    LANGUAGES.slice(0, languages).map((language) => [
      language,
      Object.fromEntries(Array.from({ length: tools }, (_, n) => [`tools.tool_${n}.title`, `${language} ${n}`])),
    ]),
  );
  return serverContext({ catalogs: await catalogs(words, { default: 'en' }), ...(isCached && { lists: listCache({ public: true }) }) });
}

/** A client and a server in one process. @param {number} tools @param {Awaited<ReturnType<typeof layer>>} [waybill] @param {number} [languages] */
async function inMemory(tools, waybill, languages = 1) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = build(tools)();
  await (waybill?.attach(server) ?? server).connect(far);
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(near);
  let turn = 0;
  return async (/** @type {number} */ n) => {
    for (let i = 0; i < n; i++) {
      const language = LANGUAGES[turn++ % languages];
      await client.listTools({ _meta: { [`${P}acceptLanguage`]: language } });
    }
  };
}

/** A server on the loopback interface, asked with nothing but `node:http`. @param {number} tools @param {Awaited<ReturnType<typeof layer>>} [waybill] @param {number} [languages] */
async function overHttp(tools, waybill, languages = 1) {
  const factory = build(tools);
  const handler = waybill ? waybill.http(createMcpHandler(waybill.attach(factory))) : createMcpHandler(factory);
  const server = createServer(/** @type {any} */ (toNodeHandler(/** @type {any} */ (handler))));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  server.unref();
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const agent = new Agent({ keepAlive: true });
  const requests = LANGUAGES.slice(0, languages).map((language) => ({
    language,
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/list',
      params: { _meta: { [`${P}protocolVersion`]: VERSION, [`${P}clientCapabilities`]: {}, [`${P}acceptLanguage`]: language } },
    }),
  }));
  /** @param {typeof requests[number]} asked @returns {Promise<number>} bytes of the answer */
  const post = ({ language, body }) =>
    new Promise((resolve, reject) => {
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': VERSION,
        'mcp-method': 'tools/list',
        'accept-language': language,
      };
      const sent = httpRequest({ agent, host: '127.0.0.1', port, path: '/mcp', method: 'POST', headers }, (response) => {
        let size = 0;
        response.on('data', (chunk) => (size += chunk.length));
        response.on('end', () => (response.statusCode === 200 ? resolve(size) : reject(new Error(`status ${response.statusCode}`))));
      });
      sent.on('error', reject).end(body);
    });
  let turn = 0;
  return async (/** @type {number} */ n) => {
    for (let i = 0; i < n; i++) await post(/** @type {typeof requests[number]} */ (requests[turn++ % languages]));
  };
}

/** Each row builds its servers when it is run. @param {(tools: number, waybill?: any, languages?: number) => Promise<any>} way @param {number} tools @param {number} languages @param {boolean} isCached @param {'ours/peer' | 'peer/ours'} ratio */
const measured = (way, tools, languages, isCached, ratio) => async (/** @type {Options} */ options) => {
  const arms = { ours: await way(tools, await layer(tools, languages, isCached), languages), peer: await way(tools, undefined, languages) };
  // Everything is asked for twice: the first answer is kept, the second makes of it what the transport needs.
  await arms.ours(2 * languages);
  return race(arms, { ...options, ratio });
};

const TEN = 10;
/** @param {string} name @param {string} peer @param {'ours/peer' | 'peer/ours'} ratio @param {number} target @param {(tools: number, waybill?: any, languages?: number) => Promise<any>} way @param {number} tools @param {boolean} isCached */
const list = (name, peer, ratio, target, way, tools, isCached) => ({
  name: `localised list ${isCached ? 'from' : 'without'} the cache, ${tools} tools, ${TEN} languages, ${name}`,
  peer,
  ratio,
  target,
  measure: measured(way, tools, TEN, isCached, ratio),
});
const MEMORY = /** @type {const} */ (['in memory', 'bare McpServer, v2', 'ours/peer']);
const HTTP = /** @type {const} */ (['raw HTTP', 'bare createMcpHandler, v2']);

/** Texts and formats for a handler, made in the same way as the room makes them. */
const words = await catalogs({ en: { files: '{n, plural, one {# file} other {# files}} by {user}', plain: 'Plain' } }, { default: 'en' });
const { formatSets, formatWith } = await import(new URL('../packages/waybill/dist/server/localise/format.js', import.meta.url).href);
const set = formatSets(words.presets)('fr-CH', 'Europe/Zurich', 'fr');
const english = formatSets(words.presets)('en', 'UTC', 'en');
const format = formatWith(set, () => 0);
const dates = new Intl.DateTimeFormat('fr-CH', { dateStyle: 'medium', timeZone: 'Europe/Zurich' });
const money = new Intl.NumberFormat('fr-CH', { style: 'currency', currency: 'CHF' });
const numbers = new Intl.NumberFormat('fr-CH');
const message = new IntlMessageFormat('{n, plural, one {# file} other {# files}} by {user}', 'en');
const AT = Date.UTC(2026, 9, 25);
const ignore = () => {};
let sink;
/** @param {(i: number) => unknown} run */
const loop = (run) => (/** @type {number} */ n) => {
  for (let i = 0; i < n; i++) sink = run(i);
};
/** @param {string} name @param {string} peer @param {number} target @param {(i: number) => unknown} ours @param {(i: number) => unknown} theirs */
const cost = (name, peer, target, ours, theirs) => ({
  name,
  peer,
  ratio: /** @type {const} */ ('ours/peer'),
  target,
  check: () => ours(3) === theirs(3),
  arms: { ours: loop(ours), peer: loop(theirs) },
});

export const title = 'Localisation: lists and texts';

export const rows = [
  list(...MEMORY, 1.1, inMemory, 100, false),
  list(...MEMORY, 0.18, inMemory, 100, true),
  list(...HTTP, 'ours/peer', 1.1, overHttp, 100, false),
  list(...HTTP, 'peer/ours', 5, overHttp, 1000, true),
  cost(
    'format a date',
    'cached Intl.DateTimeFormat',
    1.15,
    (i) => format.date(AT + i),
    (i) => dates.format(AT + i),
  ),
  cost(
    'format a number',
    'cached Intl.NumberFormat',
    1.15,
    (i) => format.number(i),
    (i) => numbers.format(i),
  ),
  cost(
    'format money',
    'cached Intl.NumberFormat',
    1.15,
    (i) => format.currency(i, 'CHF'),
    (i) => money.format(i),
  ),
  cost(
    'say a message with a plural',
    'one IntlMessageFormat, kept',
    1.3,
    (i) => words.say('en', 'files', { n: i, user: 'Ada' }, () => english, ignore).text,
    (i) => message.format({ n: i, user: 'Ada' }),
  ),
];
void sink;
