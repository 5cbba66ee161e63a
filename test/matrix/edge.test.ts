/**
 * The order of checks at the edge (D-19), statuses (D-13), carriers of the environment and lists, raw over a socket, at every kind of HTTP
 * server.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys } from 'waybill';
import { ask, last, textOf, tool } from './requests.js';
import { KINDS, type Kind, type Served } from './servers.js';
import { post } from './socket.js';

const ACCEPT = keys.ACCEPT_LANGUAGE;
const CONTEXT = keys.CLIENT_CONTEXT;
const MISMATCH = { meta: { [ACCEPT]: 'fr' }, lines: ['Accept-Language: de'] };
const URL_MODE = { elicitation: { url: {} } };
const JSON_TYPE = 'Content-Type: application/json';
const ACCEPTS = 'Accept: application/json, text/event-stream';

describe.each(KINDS)('$name', (kind) => {
  let served: Served;
  let strict: Served;
  let seed: Served;
  let filtered: Served;
  beforeAll(async () => {
    [served, strict, seed, filtered] = await Promise.all([
      kind.start(),
      kind.start({ strict: true }),
      kind.start({ wire: 'seed' }),
      kind.start({ filter: 'declared' }),
    ]);
  });
  afterAll(() => Promise.all([served, strict, seed, filtered].map((one) => one.close())));

  const tells = async (on: Served, asking: object): Promise<any> => {
    const answer = await ask(kind, on.port, tool('tell', asking));
    expect(answer.status).toBe(200);
    return JSON.parse(String(textOf(answer)));
  };

  describe('refusals', () => {
    it('D-01: with the seed’s wire a language mismatch is -32005', async () => {
      const answer = await ask(kind, seed.port, tool('hello', MISMATCH));
      expect([answer.status, last(answer).error.code]).toEqual([400, -32005]);
    });

    it('CAP-03, CAP-15, CAP-22: a tool that needs more than the request declares is refused with what is missing', async () => {
      const answer = await ask(kind, served.port, tool('form', { capabilities: URL_MODE }));
      expect(last(answer).error).toEqual({
        code: -32021,
        message: 'Missing required client capability: elicitation.form',
        data: { requiredCapabilities: { elicitation: { form: {} } } },
      });
      // D-13: a client of the old revision would lose code and data in a 400.
      expect(answer.status).toBe(kind.era === 'modern' ? 400 : 200);
    });

    it('D-13, CAP-03: the same from inside a tool, before any byte of the answer has left', async () => {
      const answer = await ask(kind, served.port, tool('inside'));
      expect(last(answer).error).toMatchObject({ code: -32021, data: { requiredCapabilities: { elicitation: { url: {} } } } });
      expect(last(answer).error.data).not.toHaveProperty('_meta');
      expect(answer.status).toBe(kind.era === 'modern' && kind.answers === 'json' ? 400 : 200);
    });

    it('CAP-02, BASE-02, D-29: capabilities of one request do not apply to the next; on the old revision a server cannot ask without a session', async () => {
      if (kind.era === 'legacy') {
        const own = { meta: { [keys.OWN_CLIENT_CAPABILITIES]: { elicitation: { form: {} } } } };
        expect(last(await ask(kind, served.port, tool('form', own))).error.message).toContain('cannot carry a request back');
        expect((await tells(served, own)).declared).toEqual({ elicitation: { form: {} } });
        expect((await tells(served, {})).declared).toBeUndefined();
      } else expect(textOf(await ask(kind, served.port, tool('form', { capabilities: { elicitation: {} } })))).toBe('a form');
      expect(last(await ask(kind, served.port, tool('form'))).error.code).toBe(-32021);
    });

    it('D-13: with strict a malformed value is -32602 with its path, but a malformed language is not', async () => {
      const bad = { meta: { [CONTEXT]: { timezone: 'Mars/Olympus', locale: 'de-AT' } } };
      const answer = await ask(kind, strict.port, tool('tell', bad));
      expect(last(answer).error).toMatchObject({
        code: -32602,
        data: { path: `${CONTEXT}.timezone`, problem: 'is not an IANA time zone' },
      });
      if (kind.answers === 'json') expect(answer.status).toBe(kind.era === 'modern' ? 400 : 200);
      expect((await tells(strict, { meta: { [ACCEPT]: 'fr;q=2', [CONTEXT]: { timezone: 'Asia/Tokyo' } } })).chosen).toBe('en');
    });

    it('D-13: without strict the value is dropped, the rest stays, and the handler sees an issue', async () => {
      const seen = await tells(served, { meta: { [CONTEXT]: { timezone: 'Mars/Olympus', locale: 'de-AT' } } });
      expect([seen.environment.timezone, seen.environment.locale]).toEqual(['UTC', 'de-AT']);
      expect(seen.issues).toEqual([{ concern: 'environment', key: `${CONTEXT}.timezone`, problem: 'is not an IANA time zone' }]);
    });
  });

  describe('the order of D-19', () => {
    it('D-19: a body that is not JSON is refused first', async () => {
      const answer = await post(served.port, [JSON_TYPE, ACCEPTS, 'Accept-Language: de'], '{"jsonrpc"');
      expect([answer.status, kind.parses ? -32700 : last(answer).error.code]).toEqual([400, -32700]);
    });

    it('D-19: a body that is not JSON-RPC is refused before the language', async () => {
      const body = { id: 1, method: 'tools/call', params: { name: 'hello', _meta: { [ACCEPT]: 'fr' } } };
      const answer = await post(served.port, [JSON_TYPE, ACCEPTS, 'Accept-Language: de'], JSON.stringify(body));
      expect(answer.status).toBe(400);
      expect([-32600, -32700]).toContain(last(answer).error.code);
    });

    it('BASE-08, D-19: a base header that disagrees is refused before the language', async () => {
      if (kind.era === 'legacy') return;
      const both = await ask(kind, served.port, tool('hello', { ...MISMATCH, lines: [...MISMATCH.lines, 'Mcp-Method: tools/list'] }));
      expect([both.status, last(both).error.code]).toEqual([400, -32020]);
      expect(last(both).error.data ?? {}).not.toHaveProperty('metaValue');
      const named = await ask(kind, served.port, tool('hello', { ...MISMATCH, lines: [...MISMATCH.lines, 'Mcp-Name: other'] }));
      expect(last(named).error.data ?? {}).not.toHaveProperty('metaValue');
    });

    it('D-19: the language comes before the envelope, and the envelope before capabilities', async () => {
      if (kind.era === 'legacy' || kind.name.includes('attach alone')) return;
      const broken = { [keys.CLIENT_CAPABILITIES]: 7 };
      const first = await ask(kind, served.port, tool('form', { ...MISMATCH, meta: { ...MISMATCH.meta, ...broken } }));
      expect([first.status, last(first).error.code]).toEqual([400, -32020]);
      const second = await ask(kind, served.port, tool('form', { meta: broken }));
      expect([second.status, last(second).error.code]).toEqual([400, -32602]);
    });

    it('D-19: the language comes before capabilities', async () => {
      expect(last(await ask(kind, served.port, tool('form', MISMATCH))).error.code).toBe(-32020);
    });

    it('a body of another type is left to the SDK, which refuses it', async () => {
      const answer = await post(served.port, ['Content-Type: text/plain', ACCEPTS], '{}');
      expect(answer.status).toBe(kind.parses ? answer.status : 415);
    });

    it('a body beyond the limits is refused before it is parsed', async () => {
      const deep = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${'['.repeat(5000)}${']'.repeat(5000)}}`;
      const answer = await post(served.port, [JSON_TYPE, ACCEPTS], deep);
      // A parser in front of the edge has its own limits.
      expect(answer.status).toBe(kind.parses ? answer.status : 400);
    });

    it('limits of the author: too large is 413, too deep is 400, before everything else', async () => {
      // A body that a parser in front has read, or a server without an edge, does not have these limits.
      if (kind.parses || kind.name.includes('attach alone')) return;
      const limited = await kind.start({ limits: { size: 1000, depth: 8 } });
      try {
        const of = async (params: string): Promise<unknown[]> => {
          const body = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${params}}`;
          const answer = await post(limited.port, [JSON_TYPE, ACCEPTS, 'Accept-Language: de'], body);
          return [answer.status, last(answer).error?.code];
        };
        expect(await of(JSON.stringify({ _meta: { [ACCEPT]: 'fr', long: 'x'.repeat(1000) } }))).toEqual([413, -32600]);
        expect(await of(`{"_meta":{"${ACCEPT}":"fr","deep":${'['.repeat(8)}${']'.repeat(8)}}}`)).toEqual([400, -32600]);
        expect(await of(`{"_meta":{"${ACCEPT}":"fr","deep":[[]]}}`)).toEqual([400, -32020]);
      } finally {
        await limited.close();
      }
    });

    it('a batch of an old revision: each of its requests is checked and served', async () => {
      if (kind.era === 'modern') return;
      const call = (id: number, language: string): object => ({
        ...{ jsonrpc: '2.0', id, method: 'tools/call' },
        params: { name: 'hello', arguments: {}, _meta: { [ACCEPT]: language } },
      });
      const send = (...batch: object[]): Promise<any> =>
        post(served.port, [JSON_TYPE, ACCEPTS, 'Accept-Language: fr'], JSON.stringify(batch));
      const same = await send(call(1, 'fr'), call(2, 'fr'));
      expect(same.messages.map(({ id, result }: any) => [id, result.content[0].text]).sort()).toEqual([
        [1, 'bonjour'],
        [2, 'bonjour'],
      ]);
      expect(same.all('content-language')).toEqual(kind.answers === 'json' ? ['fr'] : []);
      const different = await send(call(1, 'fr'), call(2, 'de'));
      expect([different.status, last(different).error.code, last(different).id]).toEqual([400, -32020, null]);
    });

    it('a notification is not refused, since it has no answer', async () => {
      const body = { jsonrpc: '2.0', method: 'notifications/initialized', params: { _meta: { [ACCEPT]: 'fr' } } };
      expect((await post(served.port, [JSON_TYPE, ACCEPTS, 'Accept-Language: de'], JSON.stringify(body))).status).toBe(202);
    });
  });

  describe('carriers of the environment', () => {
    const given = { timezone: 'Asia/Tokyo', currentTimestamp: '2026-03-01T00:30:00+09:00' };

    it('CTX-20, CTX-07: in _meta', async () => {
      const { environment } = await tells(served, { meta: { [CONTEXT]: given } });
      expect(environment).toMatchObject({ timezone: 'Asia/Tokyo', now: given.currentTimestamp, clock: 'client', disagrees: false });
    });

    it('CTX-01, CTX-21: the literal member beside params is lifted', async () => {
      if (kind.name.includes('attach alone')) return;
      const { environment, meta } = await tells(served, { beside: { clientContext: given } });
      expect(environment).toMatchObject({ timezone: 'Asia/Tokyo', now: given.currentTimestamp });
      expect(meta).toContain(CONTEXT);
    });

    it('CTX-21: the literal member inside params is lifted too', async () => {
      expect((await tells(served, { params: { clientContext: given } })).environment.timezone).toBe('Asia/Tokyo');
    });

    it('CTX-21, D-03: _meta wins', async () => {
      const both = {
        meta: { [CONTEXT]: { timezone: 'Europe/Vienna' } },
        ...(!kind.name.includes('attach alone') && { beside: { clientContext: given } }),
      };
      expect((await tells(served, both)).environment.timezone).toBe('Europe/Vienna');
    });

    it('CTX-12: without an environment there are honest defaults, and given shows that', async () => {
      const { environment } = await tells(served, {});
      expect(environment).toMatchObject({ timezone: 'UTC', locale: 'en', given: {}, disagrees: false, clock: 'server' });
      expect(Math.abs(Date.parse(environment.now) - Date.now())).toBeLessThan(60_000);
    });

    it('neither handlers nor clients see traces of the layer', async () => {
      const answer = await ask(kind, served.port, tool('tell', { meta: { 'example.test/own': 1 } }));
      expect(answer.body).not.toContain(keys.EXTENSION_ID);
      expect(JSON.parse(String(textOf(answer))).meta).toContain('example.test/own');
    });
  });

  describe('the list of tools', () => {
    const list = async (on: Served, capabilities: unknown): Promise<any> => {
      const own = kind.era === 'legacy' ? { meta: { [keys.OWN_CLIENT_CAPABILITIES]: capabilities } } : { capabilities };
      const answer = await ask(kind, on.port, { method: 'tools/list', ...own });
      return { ...last(answer).result, head: answer };
    };
    const names = ({ tools }: any): string[] => tools.map(({ name }: any) => name);

    it('CAP-10, CAP-17: the list is the same for everybody, with the needs of each tool', async () => {
      const [none, all] = [await list(served, {}), await list(served, { elicitation: {}, sampling: { tools: {} } })];
      expect(none.tools).toEqual(all.tools);
      const form = none.tools.find(({ name }: any) => name === 'form');
      expect(form._meta).toEqual({ [keys.REQUIRED_CAPABILITIES]: { elicitation: { form: {} } } });
      expect(none.tools.find(({ name }: any) => name === 'other')._meta).toEqual({
        [keys.WHEN_CAPABILITIES_UNAVAILABLE]: { sampling: { tools: {} } },
      });
      expect(none.tools.find(({ name }: any) => name === 'mute')).not.toHaveProperty('_meta');
    });

    it('BASE-10, CAP-17: the list keeps the author’s cache hints if it does not depend on the caller', async () => {
      if (kind.era === 'legacy') return;
      expect(await list(served, {})).toMatchObject({ ttlMs: 60_000, cacheScope: 'public' });
    });

    it('D-14, D-15, BASE-12: filter uses the capabilities of the same request, and keeps the order', async () => {
      const everything = names(await list(served, {}));
      const [none, all] = [names(await list(filtered, {})), names(await list(filtered, { elicitation: {}, sampling: { tools: {} } }))];
      expect(none).toEqual(everything.filter((name) => name !== 'form' && name !== 'plain'));
      // D-29: none of these servers has a session, so on the old revision a declaration changes nothing.
      expect(all).toEqual(kind.era === 'modern' ? everything.filter((name) => name !== 'other') : none);
    });

    it('D-14, BASE-10: a filtered list is private, and ttlMs stays', async () => {
      const { head, ...result } = await list(filtered, {});
      if (kind.era === 'modern') expect(result).toMatchObject({ ttlMs: 60_000, cacheScope: 'private' });
      else expect(result).not.toHaveProperty('cacheScope');
      if (kind.answers === 'json') expect(head.header('cache-control')).toContain('private');
    });

    it('CAP-15: a tool that the list left out is still refused, and its stand-in works', async () => {
      expect(last(await ask(kind, filtered.port, tool('plain'))).error.code).toBe(-32021);
      expect(textOf(await ask(kind, filtered.port, tool('other')))).toBe('instead');
    });
  });

  it('BASE-15: results name their type on the new revision, and not on the old one', async () => {
    const { result } = last(await ask(kind, served.port, tool('hello', { meta: { [ACCEPT]: 'fr' } })));
    expect(result.resultType).toBe(kind.era === 'modern' ? 'complete' : undefined);
  });

  it('a thousand requests with unreadable context are answered, and the server goes on', async () => {
    const rubbish: unknown[] = [null, 7, 'x', [], {}, { timezone: 7 }, { userLocation: [] }, { __proto__: null }];
    const answers = await Promise.all(
      rubbish.map((value) => ask(kind, served.port, tool('hello', { meta: { [CONTEXT]: value, traceparent: value, baggage: value } }))),
    );
    expect(answers.map(textOf)).toEqual(rubbish.map(() => 'hello'));
  });
});

describe('an open stream', () => {
  const modern = (name: string): Kind => KINDS.find((kind) => kind.name === name)!;

  it('D-13: a refusal from inside a tool that has sent progress is the last message', async () => {
    const kind = modern('createMcpHandler');
    const served = await kind.start();
    try {
      const answer = await ask(kind, served.port, tool('late', { meta: { progressToken: 1 } }));
      expect([answer.status, answer.header('content-type')]).toEqual([200, 'text/event-stream']);
      expect(answer.messages).toHaveLength(2);
      expect(last(answer).error).toMatchObject({ code: -32021, data: { requiredCapabilities: { elicitation: { url: {} } } } });
    } finally {
      await served.close();
    }
  });

  it('D-13, CAP-03: a refusal before dispatch has its status even if every answer is a stream', async () => {
    const kind = modern('createMcpHandler, streams');
    const served = await kind.start();
    try {
      const answer = await ask(kind, served.port, tool('form'));
      expect([answer.status, answer.header('content-type'), last(answer).error.code]).toEqual([400, 'application/json', -32021]);
    } finally {
      await served.close();
    }
  });
});
