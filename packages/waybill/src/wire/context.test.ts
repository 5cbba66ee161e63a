import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConcernName } from './concern.js';
import { concernNames, keysOf, type MessageKind } from './concerns.js';
import type { Issue } from './issue.js';
import * as keys from './keys.js';
import { metaOf } from './message.js';
import { readError, readNotification, readRequest, readResult, type Context } from './read.js';
import { strip, writeError, writeNotification, writeRequest, writeResult, type Outgoing } from './write.js';

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x', arguments: {} } };
const answer = { jsonrpc: '2.0', id: 1, result: { content: [] } };
const failure = { jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'no' } };
const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } };
const modern = { ...call, params: { ...call.params, _meta: { [keys.PROTOCOL_VERSION]: '2026-07-28', [keys.CLIENT_CAPABILITIES]: {} } } };
const reads = { request: readRequest, result: readResult, error: readError, notification: readNotification };

const name = fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.constantFrom('__proto__', 'constructor', '', 'Cart Contents'));
const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)) as never);
const names = (value: fc.Arbitrary<never>): fc.Arbitrary<Map<string, never>> =>
  fc.array(fc.tuple(name, value), { minLength: 1, maxLength: 5 }).map((entries) => new Map(entries));
const kept = json.filter((value) => value !== null);
const hex = (length: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...Array.from('123456789abcdef')), minLength: length, maxLength: length });
const full = fc.record(
  {
    language: fc.constantFrom('fr-CH, fr;q=0.9', 'de', '*', 'zh-Hant-HK,en;q=0.1'),
    environment: fc.record(
      {
        timezone: fc.constantFrom('Europe/Vienna', 'Asia/Calcutta'),
        locale: fc.constantFrom('de-AT', 'ar-EG-u-nu-latn'),
        location: fc.record({ country: fc.constantFrom('AT', 'JP') }),
      },
      { requiredKeys: ['timezone'] },
    ),
    state: fc.oneof(fc.record({ session: names(kept) }), fc.record({ session: names(kept), server: names(kept) })),
    trace: fc.tuple(hex(32), hex(16)).map(([traceId, parentId]) => ({ traceparent: `00-${traceId}-${parentId}-01`, tracestate: 'a=1' })),
    capabilities: fc.constantFrom({}, { sampling: { tools: {} } }, { elicitation: {}, extensions: { 'com.example/x': {} } }),
  },
  { requiredKeys: [] },
);
const wires = fc.record({ wire: fc.constantFrom('current', 'seed'), stateKeys: fc.constantFrom('seed', 'alias') } as const);

describe('one read and one write', () => {
  it('D-01, D-02: values written to a request are read back, in both profiles and with either spelling', () => {
    fc.assert(
      fc.property(full, wires, fc.constantFrom(call, modern), (values, options, message) => {
        const issues: Issue[] = [];
        const written = JSON.parse(
          JSON.stringify(writeRequest(message, values, { ...options, onIssue: (issue) => issues.push(issue) })),
        ) as object;
        const read = readRequest(written, options);
        expect([issues, read.issues]).toEqual([[], []]);
        expect(read.language?.text).toBe(values.language);
        expect(read.environment).toEqual(values.environment);
        expect(read.state).toEqual(values.state);
        expect(read.trace).toEqual(values.trace);
        expect(read.capabilities).toEqual(values.capabilities ?? (message === modern ? {} : undefined));
      }),
    );
  });

  it('STATE-02, LANG-22: values written to a result are read back', () => {
    fc.assert(
      fc.property(names(json), (changes) => {
        const read = readResult(JSON.parse(JSON.stringify(writeResult(answer, { language: 'fr', state: { server: changes } }))));
        expect([read.language?.text, read.state, read.issues]).toEqual(['fr', { server: changes }, []]);
      }),
    );
  });

  it('LANG-23, LANG-24: errors keep the language in data, notifications in params', () => {
    expect(writeError(failure, { language: 'fr' }).error).toEqual({ ...failure.error, data: { _meta: { [keys.CONTENT_LANGUAGE]: 'fr' } } });
    expect(readError(writeError(failure, { language: 'fr' })).language?.text).toBe('fr');
    expect(readNotification(writeNotification(progress, { language: 'fr' })).language?.text).toBe('fr');
  });

  it('LANG-23: an error.data that is not an object is left alone and reported', () => {
    const odd = { ...failure, error: { ...failure.error, data: 'detail' } };
    const issues: Issue[] = [];
    expect(writeError(odd, { language: 'fr' }, { onIssue: (issue) => issues.push(issue) })).toBe(odd);
    expect(issues).toHaveLength(1);
  });

  it('STATE-10: no notification carries state, and STATE-02: no error does', () => {
    const state = { session: new Map([['a', 1]]) } as never;
    const notification = writeNotification(progress, { state } as Outgoing<'notification'>);
    const error = writeError(failure, { state } as Outgoing<'error'>);
    expect([notification, error]).toEqual([progress, failure]);
    const withState = { ...progress, params: { _meta: { [keys.STATE_SPELLINGS.session[0]]: { a: 1 } } } };
    expect((readNotification(withState) as Context<'request'>).state).toBeUndefined();
  });

  it('D-01: the seed profile puts the environment of tools/call beside params, and only there', () => {
    const environment = { timezone: 'Asia/Tokyo' };
    expect(writeRequest(call, { environment }, { wire: 'seed' })).toEqual({ ...call, clientContext: environment });
    const list = { ...call, method: 'tools/list' };
    expect(metaOf(writeRequest(list, { environment }, { wire: 'seed' }), 'request')).toEqual({ [keys.CLIENT_CONTEXT]: environment });
  });

  it('CTX-21: every carrier is read, and _meta wins', () => {
    const at = (timezone: string): object => ({ timezone });
    const meta = { ...call.params, _meta: { [keys.CLIENT_CONTEXT]: at('Asia/Tokyo') } };
    expect(readRequest({ ...call, clientContext: at('Africa/Cairo') }).environment).toEqual(at('Africa/Cairo'));
    expect(readRequest({ ...call, params: { ...call.params, clientContext: at('Africa/Cairo') } }).environment).toEqual(at('Africa/Cairo'));
    expect(readRequest({ ...call, params: meta, clientContext: at('Africa/Cairo') }).environment).toEqual(at('Asia/Tokyo'));
  });

  it('capabilities go under the reserved key beside the envelope, under our own without it', () => {
    const capabilities = { sampling: {} };
    expect(metaOf(writeRequest(modern, { capabilities }), 'request')).toMatchObject({ [keys.CLIENT_CAPABILITIES]: capabilities });
    expect(metaOf(writeRequest(call, { capabilities }), 'request')).toEqual({ [keys.OWN_CLIENT_CAPABILITIES]: capabilities });
  });

  it('writing nothing copies nothing', () => {
    for (const message of [call, modern]) expect(writeRequest(message, {})).toBe(message);
    expect([writeResult(answer, {}), writeError(failure, {})]).toEqual([answer, failure]);
  });

  it('writing never changes the given message', () => {
    fc.assert(
      fc.property(full, (values) => {
        const before = JSON.stringify(modern);
        writeRequest(modern, values);
        expect(JSON.stringify(modern)).toBe(before);
      }),
    );
  });
});

describe('IX-17: the key of the environment', () => {
  it('the key is configurable, since the prefix of the default is not ours', () => {
    const options = { environmentKey: 'com.example/context' };
    const written = writeRequest(call, { environment: { timezone: 'Asia/Tokyo' } }, options);
    expect(metaOf(written, 'request')).toEqual({ 'com.example/context': { timezone: 'Asia/Tokyo' } });
    expect(readRequest(written, options).environment).toEqual({ timezone: 'Asia/Tokyo' });
    expect(readRequest(written).environment).toBeUndefined();
    expect(strip(written, ['environment'], options)).toEqual(call);
  });
});

describe("a caller's own keys", () => {
  it('a caller’s own keys beat the layer, and unknown ones pass (TRACE-04)', () => {
    const callers = {
      [keys.ACCEPT_LANGUAGE]: 'ja',
      [keys.CLIENT_CONTEXT]: { timezone: 'Asia/Tokyo' },
      traceparent: 'theirs',
      'com.example/id': 7,
      progressToken: 'p',
      __proto__: null,
    };
    const message = { ...call, params: { ...call.params, _meta: callers } };
    fc.assert(
      fc.property(full, (values) => {
        const { state: _, capabilities: __, ...rest } = values;
        const meta = metaOf(writeRequest(message, { ...rest, meta: { 'com.example/id': 8, 'com.example/other': 1 } }), 'request');
        expect(meta).toMatchObject(callers);
        // The caller's traceparent with our tracestate would be a trace that nobody started.
        expect(meta).not.toHaveProperty(keys.TRACESTATE);
        expect(meta).toHaveProperty(['com.example/other'], 1);
      }),
    );
  });

  it.each([
    ...keys.STATE_SPELLINGS.session,
    ...keys.STATE_SPELLINGS.server,
    keys.STATE_CONFLICTS,
    keys.OWN_CLIENT_CAPABILITIES,
    'dev.waybill/anything',
  ])('a caller may not write state or keys of our prefix: %s is dropped and reported', (key) => {
    const issues: Issue[] = [];
    const message = { ...call, params: { ...call.params, _meta: { [key]: { stolen: 1 }, 'com.example/id': 7 } } };
    const written = writeRequest(message, { state: { session: new Map([['a', 1]]) } }, { onIssue: (issue) => issues.push(issue) });
    expect(metaOf(written, 'request')).toEqual({ [keys.STATE_SPELLINGS.session[0]]: { a: 1 }, 'com.example/id': 7 });
    expect(issues.map((issue) => issue.key)).toEqual([key]);
  });

  it('a _meta that is not an object gets nothing and is reported', () => {
    const odd = { ...call, params: { ...call.params, _meta: 'text' } };
    const issues: Issue[] = [];
    expect(writeRequest(odd, { language: 'fr' }, { onIssue: (issue) => issues.push(issue) })).toBe(odd);
    expect(issues).toHaveLength(1);
  });
});

describe('reading', () => {
  const hostile = fc.letrec((tie) => ({
    value: fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), tie('object')),
    object: fc.dictionary(
      fc.oneof(
        fc.constantFrom('__proto__', 'constructor', '_meta', 'params', 'result', 'error', 'data', 'clientContext', ...keysOf(concernNames)),
        fc.string(),
      ),
      tie('value'),
      { maxKeys: 6 },
    ),
  }));

  it('LANG-11, CTX-22, TRACE-09, CAP-23: reading is total: any JSON in any place gives values or nothing, and never throws', () => {
    fc.assert(
      fc.property(hostile.value, hostile.object, (anything, meta) => {
        const places = [
          anything,
          { id: 1, method: 'x', params: { _meta: anything } },
          { id: 1, method: 'x', params: { _meta: meta }, clientContext: anything },
        ];
        for (const message of places)
          for (const kind of Object.keys(reads) as MessageKind[]) {
            const context = reads[kind](message, { dialects: ['openai'] });
            for (const issue of context.issues) expect(Object.keys(issue).sort()).toEqual(['concern', 'key', 'problem']);
          }
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      }),
    );
  });

  it('a concern is parsed once, and only if somebody reads it', () => {
    const issues: Issue[] = [];
    const context = readRequest(
      { ...call, params: { _meta: { [keys.ACCEPT_LANGUAGE]: 7, traceparent: 7 } } },
      { onIssue: (issue) => issues.push(issue) },
    );
    expect(issues).toEqual([]);
    expect([context.language, context.language]).toEqual([undefined, undefined]);
    expect(issues).toEqual([{ concern: 'language', key: keys.ACCEPT_LANGUAGE, problem: 'is not a string' }]);
    expect(context.issues.map((issue) => issue.concern)).toEqual(['language', 'trace']);
  });

  it('a loop over a context meets every concern', () => {
    const seen: string[] = [];
    for (const name in readRequest(call)) seen.push(name);
    expect(seen).toEqual(expect.arrayContaining(['language', 'environment', 'state', 'trace', 'capabilities']));
  });

  it('a bad value affects only itself', () => {
    const context = readRequest({
      ...call,
      params: {
        _meta: {
          [keys.ACCEPT_LANGUAGE]: 'fr',
          [keys.CLIENT_CONTEXT]: { timezone: 'Mars/Olympus', locale: 'fr-CH' },
          traceparent: 'nonsense',
          [keys.STATE_SPELLINGS.session[0]]: { a: 1 },
        },
      },
    });
    expect([context.language?.text, context.environment, context.state]).toEqual([
      'fr',
      { locale: 'fr-CH' },
      { session: new Map([['a', 1]]) },
    ]);
    expect(context.issues.map((issue) => issue.key)).toEqual([`${keys.CLIENT_CONTEXT}.timezone`, keys.TRACEPARENT]);
  });

  it('an issue never repeats the value it is about', () => {
    const secret = 's3cret'.repeat(10);
    const meta = Object.fromEntries([...keysOf(concernNames)].map((key) => [key, { [secret]: secret }]));
    for (const issue of readRequest({ ...call, params: { _meta: { ...meta, [keys.ACCEPT_LANGUAGE]: secret, baggage: `${secret}\n` } } })
      .issues) {
      expect(issue.problem).not.toContain(secret);
    }
  });
});

describe('strip', () => {
  it('strip removes all keys of a concern, in any spelling or carrier, and nothing else', () => {
    fc.assert(
      fc.property(full, wires, fc.subarray([...concernNames], { minLength: 1 }), (values, options, chosen) => {
        const message = { ...writeRequest(modern, values, options), extra: 1 };
        const bare = strip(message, chosen, options);
        const left = Object.keys((metaOf(bare, 'request') as object | undefined) ?? {});
        expect(left.filter((key) => keysOf(chosen, options).has(key))).toEqual([]);
        if (chosen.includes('environment')) expect(bare).not.toHaveProperty('clientContext');
        const context = readRequest(bare, options) as Partial<Record<ConcernName, unknown>>;
        for (const concern of chosen) expect(context[concern]).toBeUndefined();
        expect(bare.extra).toBe(1);
      }),
    );
  });

  it('strip returns the message itself if there is nothing to remove', () => {
    expect(strip(call, concernNames)).toBe(call);
    expect(strip({ nothing: 1 }, concernNames)).toEqual({ nothing: 1 });
  });

  it('strip removes an empty _meta', () => {
    expect(strip(writeRequest(call, { language: 'fr' }), ['language'])).toEqual(call);
    expect(strip(writeResult(answer, { language: 'fr' }), ['language'])).toEqual(answer);
  });
});

describe('hostile sizes', () => {
  const huge = 'x'.repeat(10_000_000);
  let deep: unknown = 0;
  for (let level = 0; level < 1000; level++) deep = { deep };

  it.each([
    ['10 MB in every value', Object.fromEntries([...keysOf(concernNames)].map((key) => [key, huge]))],
    [
      '10 MB inside the environment',
      { [keys.CLIENT_CONTEXT]: { timezone: huge, currentTimestamp: huge, locale: huge, userLocation: { city: huge } } },
    ],
    ['1,000 levels in every value', Object.fromEntries([...keysOf(concernNames)].map((key) => [key, deep]))],
    ['1,000 levels in a state value', { [keys.STATE_SPELLINGS.server[0]]: { deep, flat: 1 } }],
    [
      '100,000 names',
      {
        [keys.STATE_SPELLINGS.server[0]]: Object.fromEntries(
          Array.from({ length: 100_000 }, (_, index) => [`name ${String(index)}`, index]),
        ),
      },
    ],
    [
      'CR, LF, NUL and lone surrogates',
      { [keys.ACCEPT_LANGUAGE]: 'fr\r\nX: y', baggage: 'a=\0', traceparent: '\ud800', [keys.CLIENT_CONTEXT]: { locale: '\udc00' } },
    ],
  ])('%s: nothing throws or hangs, and only good values are kept', (title, meta) => {
    const context = readRequest({ ...call, params: { _meta: meta } });
    expect(context.issues.length).toBeGreaterThan(title.includes('names') ? -1 : 0);
    for (const issue of context.issues) expect(issue.key.length + issue.problem.length).toBeLessThan(600);
    if (title.includes('state value')) expect(context.state?.server).toEqual(new Map([['flat', 1]]));
    expect([context.language, context.trace]).toEqual([undefined, undefined]);
  });
});
