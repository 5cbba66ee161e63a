/** The language that a body names is repeated in the header where the gateway itself turns a message into an HTTP answer. */
import { beforeAll, describe, expect, test } from 'vitest';
import { keys } from 'waybill';
import { begin, legacy, legacyWeb, LEGACY, modern, MODERN, modernWeb, open, say, type Json, type Received } from './raw.js';

/** A child of one revision. Its tool answers with the language, with an error in it, without any, with a value that no header can carry, or later. */
const child = (isModern: boolean): string => `
  const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const _meta = { ${JSON.stringify(keys.CONTENT_LANGUAGE)}: 'fr-CH,  fr' };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const done = (result) => say({ id, result: { ${isModern ? "resultType: 'complete', " : ''}...result } });
    const opening = { capabilities: { tools: {} }, supportedVersions: ['${MODERN}'], protocolVersion: '${LEGACY}' };
    if (method === 'server/discover' && !${String(isModern)}) return say({ id, error: { code: -32601, message: 'no' } });
    if (method === 'server/discover' || method === 'initialize') return done({ ...opening, serverInfo: { name: 's', version: '1' } });
    if (method !== 'tools/call') return done({ tools: [] });
    const content = [{ type: 'text', text: 'contentLanguage' }];
    if (params.name === 'escaped') {
      const text = JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', content, _meta } });
      return console.log(text.replace('protocol/content', 'protocol\\\\/content'));
    }
    if (params.name === 'error') return say({ id, error: { code: -32000, message: 'non', data: { _meta } } });
    if (params.name === 'none') return done({ content });
    if (params.name === 'odd') return done({ content, _meta: { ${JSON.stringify(keys.CONTENT_LANGUAGE)}: 'fr\\r\\nx-evil: 1' } });
    if (params.name === 'later') say({ method: 'notifications/progress', params: { progressToken: params._meta.progressToken, progress: 1 } });
    done({ content, _meta });
  }).on('close', () => process.exit());
`;

let url: (server: string) => string;
beforeAll(async () => {
  const of = (isModern: boolean) => ({ command: [process.execPath, '-e', child(isModern)], revision: isModern ? MODERN : LEGACY });
  const { base } = await open({ modern: of(true), legacy: of(false) }, { identity: { single: true } });
  url = (server) => `${base}/${server}/mcp`;
});

type Call = (name: string, meta?: Json) => Promise<Received>;
async function callerOf(client: string, server: string): Promise<Call> {
  const at = url(server);
  if (client === 'modern') return (name, meta) => modern(at, 'tools/call', { name }, { meta });
  const session = await begin(at);
  return (name, meta) => legacy(at, 'tools/call', { name, ...(meta && { _meta: meta }) }, { session });
}

const headersOf = ({ headers }: Received): unknown[] => [headers['content-type'], headers['content-language'], headers.vary];

describe.each([
  ['modern', 'modern'],
  ['legacy', 'legacy'],
  ['modern', 'legacy'],
  ['legacy', 'modern'],
])('a %s client in front of a %s server on stdio', (client, server) => {
  test('LANG-48, LANG-62: a result and an error get the exact value in the header, and Vary', async () => {
    const call = await callerOf(client, server);
    for (const name of ['result', 'error', 'escaped']) {
      const answer = await call(name);
      expect([name, ...headersOf(answer)]).toEqual([name, 'application/json', 'fr-CH,  fr', 'Accept-Language']);
      expect(answer.text).toMatch(/contentLanguage":"fr-CH, {2}fr"/);
    }
  });

  test('an answer that names no language, or one that no header can carry, gets no header', async () => {
    const call = await callerOf(client, server);
    for (const name of ['none', 'odd']) expect(headersOf(await call(name))).toEqual(['application/json', undefined, undefined]);
  });

  test('LANG-50: the head of a stream names no language', async () => {
    const answer = await (await callerOf(client, server))('later', { progressToken: 1 });
    expect(headersOf(answer)).toEqual(['text/event-stream', undefined, undefined]);
    expect(answer.text).toContain('fr-CH');
  });
});

test.each([
  ['modern', 'modern'],
  ['legacy', 'legacy'],
  ['modern', 'legacy'],
  ['legacy', 'modern'],
])('LANG-48: in front of a server over HTTP, a %s client of a %s server gets the header that fits the body', async (client, server) => {
  const answer = (message: Json, response: Parameters<typeof say>[0]): void =>
    say(
      response,
      message,
      { resultType: 'complete', content: [], tools: [], _meta: { [keys.CONTENT_LANGUAGE]: 'de' } },
      { 'content-language': 'de', vary: 'X-Own' },
    );
  const { base } = await open({
    s: { url: await (server === 'modern' ? modernWeb : legacyWeb)(answer), revision: server === 'modern' ? MODERN : LEGACY },
  });
  const at = `${base}/s/mcp`;
  const got =
    client === 'modern'
      ? await modern(at, 'tools/call', { name: 'a' })
      : await legacy(at, 'tools/call', { name: 'a' }, { session: await begin(at) });
  // Between equal revisions the answer passes as it came.
  expect(headersOf(got)).toEqual(['application/json', 'de', client === server ? 'X-Own' : 'Accept-Language']);
});
