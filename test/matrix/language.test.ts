/** The request matrix and the agreement vectors of LANG, byte for byte, at every kind of HTTP server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys } from 'waybill';
import { ask, last, textOf, tool } from './requests.js';
import { KINDS, type Served } from './servers.js';

const ACCEPT = keys.ACCEPT_LANGUAGE;
const CONTENT = keys.CONTENT_LANGUAGE;

/** `_meta`, header lines, and the outcome: a text in a language, or a refusal. */
type Row = [what: string, meta: unknown, lines: string[], outcome: 'fr' | 'de' | 'none' | 'refused'];
const ABSENT = Symbol('absent');

const REQUESTS: Row[] = [
  ['LANG-45: nothing in _meta, no header', ABSENT, [], 'none'],
  ['LANG-45: a bare header makes no preference', ABSENT, ['Accept-Language: fr'], 'none'],
  ['LANG-45: the * that runtimes add makes no preference either', ABSENT, ['Accept-Language: *'], 'none'],
  ['nothing in _meta, an empty header', ABSENT, ['Accept-Language:'], 'none'],
  ['LANG-16: a number is absent, with any header', 7, ['Accept-Language: fr'], 'none'],
  ['LANG-16: null is absent', null, [], 'none'],
  ['LANG-16: a list is absent', ['fr'], ['Accept-Language: fr'], 'none'],
  ['LANG-44: a missing header is never a reason to refuse', 'fr', [], 'fr'],
  ['the same header', 'fr', ['Accept-Language: fr'], 'fr'],
  ['LANG-46: another header', 'fr', ['Accept-Language: de'], 'refused'],
  ['LANG-46: an empty header is present, and differs', 'fr', ['Accept-Language:'], 'refused'],
  ['LANG-46: the * of a runtime beside a preference', 'fr', ['Accept-Language: *'], 'refused'],
  ['LANG-11: a malformed value, no header', 'fr;q=2', [], 'none'],
  ['LANG-47: two malformed values that are the same agree', 'fr;q=2', ['Accept-Language: fr;q=2'], 'none'],
  ['LANG-47: two malformed values that differ', 'fr;q=2', ['Accept-Language: fr;q=3'], 'refused'],
  ['LANG-47: a malformed value and an empty header', 'fr;q=2', ['Accept-Language:'], 'refused'],
  ['an empty text agrees with an empty header', '', ['Accept-Language:'], 'none'],
  ['LANG-10: no match gives the default, and no error', 'ja', ['Accept-Language: ja'], 'none'],
];

const VECTORS: Row[] = [
  ['LANG-42: blanks around a line are no part of it', 'fr', ['Accept-Language:  \t fr \t '], 'fr'],
  [
    'LANG-42, LANG-43: two lines are one list, joined by a comma and a blank',
    'fr-CH, fr;q=0.9',
    ['Accept-Language: fr-CH', 'accept-language: fr;q=0.9'],
    'fr',
  ],
  ['LANG-43: the first line alone is not the header', 'fr-CH', ['Accept-Language: fr-CH', 'Accept-Language: fr;q=0.9'], 'refused'],
  [
    'LANG-42: joined lines are not the same without the blank',
    'fr-CH,fr;q=0.9',
    ['Accept-Language: fr-CH', 'Accept-Language: fr;q=0.9'],
    'refused',
  ],
  [
    'LANG-42: three lines in received order',
    'de, fr;q=0.5, en;q=0.1',
    ['Accept-Language: de', 'ACCEPT-LANGUAGE: fr;q=0.5', 'accept-language: en;q=0.1'],
    'de',
  ],
  [
    'LANG-42: three lines in another order',
    'de, fr;q=0.5, en;q=0.1',
    ['Accept-Language: fr;q=0.5', 'Accept-Language: de', 'Accept-Language: en;q=0.1'],
    'refused',
  ],
  ['LANG-42: case is not folded', 'fr-ch', ['Accept-Language: fr-CH'], 'refused'],
  ['LANG-42: inner blanks count', 'fr-CH, fr;q=0.9', ['Accept-Language: fr-CH,fr;q=0.9'], 'refused'],
  ['LANG-42: weights are not normalised', 'fr;q=0.900', ['Accept-Language: fr;q=0.9'], 'refused'],
  ['LANG-42: the text in the body is not trimmed', ' fr', ['Accept-Language: fr'], 'refused'],
  ['LANG-42: a header that is the same to the character', 'fr-CH ,  fr;Q=0.9', ['Accept-Language: fr-CH ,  fr;Q=0.9'], 'fr'],
];

describe.each(KINDS)('$name', (kind) => {
  let served: Served;
  beforeAll(async () => {
    served = await kind.start();
  });
  afterAll(() => served.close());

  it.each([...REQUESTS, ...VECTORS])('%s', async (_, value, lines, outcome) => {
    const meta = value === ABSENT ? {} : { [ACCEPT]: value };
    const answer = await ask(kind, served.port, tool('hello', { meta, lines, id: 'x-1' }));
    if (outcome === 'refused') {
      // LANG-46: before anything runs, so it is a plain body even if answers are streams.
      expect([answer.status, answer.header('content-type')?.split(';')[0]]).toEqual([400, 'application/json']);
      expect(last(answer)).toMatchObject({
        jsonrpc: '2.0',
        id: 'x-1',
        error: { code: -32020, data: { header: 'Accept-Language', metaValue: value } },
      });
      expect(last(answer).error.data).toHaveProperty('hint');
      expect(answer.all('content-language')).toEqual([]);
      return;
    }
    expect([answer.status, textOf(answer)]).toEqual([200, { fr: 'bonjour', de: 'hallo', none: 'hello' }[outcome]]);
    const honoured = typeof value === 'string' && (outcome !== 'none' || value === 'ja');
    const language = last(answer).result._meta?.[CONTENT];
    expect(language).toBe(honoured ? (outcome === 'none' ? 'en' : outcome) : undefined);
    // LANG-48, LANG-41: one line with exactly the value of the body; LANG-50: none on a stream.
    expect(answer.all('content-language')).toEqual(kind.answers === 'json' && honoured ? [language] : []);
    // LANG-62: with and without a preference.
    expect(answer.all('vary').join(', ').toLowerCase()).toContain('accept-language');
    // LANG-63: the header is missing, so a cache cannot see what the answer varies by.
    const isPrivate = typeof value === 'string' && lines.length === 0;
    expect(/\bprivate\b/.test(answer.all('cache-control').join(', '))).toBe(isPrivate);
  });

  it('LANG-62, LANG-63: on a stream too, existing headers are kept and extended', async () => {
    const answer = await ask(kind, served.port, tool('hello', { meta: { [ACCEPT]: 'fr' } }));
    const directives = answer.all('cache-control').join(', ').split(/,\s*/);
    expect(directives).toEqual(kind.answers === 'stream' ? ['no-cache', 'no-transform', 'private'] : ['private']);
    expect(answer.all('vary')).toHaveLength(1);
  });

  it('LANG-05: after a request with a preference, the next request without one has none', async () => {
    expect(textOf(await ask(kind, served.port, tool('hello', { meta: { [ACCEPT]: 'de' } })))).toBe('hallo');
    expect(textOf(await ask(kind, served.port, tool('hello')))).toBe('hello');
  });

  it('LANG-25: a tool that never reads the language claims none', async () => {
    const answer = await ask(kind, served.port, tool('mute', { meta: { [ACCEPT]: 'fr' } }));
    expect([last(answer).result._meta?.[CONTENT], answer.all('content-language')]).toEqual([undefined, []]);
  });

  it('LANG-23, LANG-48: a localised error names its language in error.data._meta, and in the header of a JSON body', async () => {
    const answer = await ask(kind, served.port, tool('fail', { meta: { [ACCEPT]: 'de' }, lines: ['Accept-Language: de'] }));
    expect(last(answer).error).toEqual({ code: 7, message: 'hallo', data: { why: 'because', _meta: { [CONTENT]: 'de' } } });
    expect(answer.all('content-language')).toEqual(kind.answers === 'json' ? ['de'] : []);
    expect(answer.status).toBe(200);
  });

  it('LANG-46: a language mismatch in any kind of body, with the diagnosis of the likely cause', async () => {
    const hintOf = async (meta: string, line: string): Promise<string> =>
      last(await ask(kind, served.port, tool('hello', { meta: { [ACCEPT]: meta }, lines: [`Accept-Language: ${line}`] }))).error.data.hint;
    expect(await hintOf('fr', '*')).toContain('fetch');
    expect(await hintOf('fr-CH', 'FR-ch')).toContain('case');
    expect(await hintOf('fr-CH, en;q=0.5', 'fr-CH,en;q=0.5')).toContain('white space');
    expect(await hintOf('fr-CH, en;q=0.5', 'fr')).toContain('CDN');
  });

  it('a header folded over two lines is refused by Node, as RFC 9112 says', async () => {
    const answer = await ask(kind, served.port, tool('hello', { meta: { [ACCEPT]: 'fr, de' }, lines: ['Accept-Language: fr,', ' de'] }));
    expect([answer.status, answer.body.includes('jsonrpc')]).toEqual([400, false]);
  });
});

describe.each(KINDS.filter(({ era }) => era === 'modern'))('$name: a stream for progress', (kind) => {
  let served: Served;
  beforeAll(async () => {
    served = await kind.start();
  });
  afterAll(() => served.close());

  it('LANG-24, LANG-50: each message carries its own language, the head none; a notification without text carries none', async () => {
    const answer = await ask(
      kind,
      served.port,
      tool('slow', { meta: { [ACCEPT]: 'fr', progressToken: 1 }, lines: ['Accept-Language: fr'] }),
    );
    expect([answer.status, answer.header('content-type')?.split(';')[0], answer.all('content-language')]).toEqual([
      200,
      'text/event-stream',
      [],
    ]);
    expect(answer.messages.map((message) => (message.params ?? message.result)._meta?.[CONTENT])).toEqual(['fr', undefined, 'fr']);
    expect(answer.all('vary')).toEqual(['Accept-Language']);
  });

  it('LANG-22: an error that the SDK recognises by the shape of its data stays unchanged', async () => {
    const params = { uri: 'doc://gone' };
    const answer = await ask(kind, served.port, {
      method: 'resources/read',
      params,
      meta: { [ACCEPT]: 'fr' },
      lines: ['Accept-Language: fr'],
    });
    expect(last(answer).error).toEqual({ code: -32602, message: 'Resource not found: doc://gone', data: { uri: 'doc://gone' } });
    const aware = { extensions: { [keys.EXTENSION_ID]: {} } };
    const told = await ask(kind, served.port, {
      method: 'resources/read',
      params,
      capabilities: aware,
      meta: { [ACCEPT]: 'fr' },
      lines: ['Accept-Language: fr'],
    });
    expect(last(told).error.data).toEqual({ uri: 'doc://gone', _meta: { [CONTENT]: 'fr' } });
  });
});
