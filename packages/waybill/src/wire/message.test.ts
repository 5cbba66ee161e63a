import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ContextError, errorAnswer, refusals } from './errors.js';
import { addVary, fieldValue, isFieldValue, mirroredLanguage } from './headers.js';
import { hopByHop, isEndToEnd } from './hops.js';
import { outOfBounds, own, setOwn } from './json.js';
import * as keys from './keys.js';
import { kindOf, metaOf, withMeta } from './message.js';

describe('a JSON-RPC message', () => {
  it.each([
    [{ id: 1, method: 'tools/list' }, 'request'],
    [{ id: 'a', method: 'tools/list', params: {} }, 'request'],
    [{ method: 'notifications/initialized' }, 'notification'],
    [{ id: 1, result: {} }, 'result'],
    [{ id: 1, error: { code: 1, message: '' } }, 'error'],
    [{ id: null, error: { code: 1, message: '' } }, 'error'],
    [{ id: 1 }, undefined],
    [{ id: 1, result: 'text' }, undefined],
    [{ id: 1, method: 7 }, undefined],
    [Object.create({ method: 'inherited' }) as object, undefined],
    [[], undefined],
    [null, undefined],
    ['text', undefined],
  ])('%j is a %s', (message, kind) => {
    expect(kindOf(message)).toBe(kind);
  });

  it.each([
    ['request', { params: { _meta: { a: 1 } } }],
    ['notification', { params: { _meta: { a: 1 } } }],
    ['result', { result: { _meta: { a: 1 } } }],
    ['error', { error: { data: { _meta: { a: 1 } } } }],
  ] as const)('LANG-22, LANG-23, LANG-24: a %s keeps its _meta in the place that the rules name', (kind, message) => {
    expect(metaOf(message, kind)).toEqual({ a: 1 });
    expect(withMeta({}, kind, { a: 1 })).toEqual(message);
    expect(metaOf(withMeta(message, kind, undefined), kind)).toBeUndefined();
  });

  it('an error.data that is a text has no place for _meta', () => {
    expect(withMeta({ error: { data: 'text' } }, 'error', {})).toBeUndefined();
  });

  it('a message with another _meta shares everything else and leaves the original unchanged', () => {
    const message = Object.freeze({ id: 1, params: Object.freeze({ arguments: {} }) });
    const next = withMeta(message, 'request', { a: 1 });
    expect(next).toEqual({ id: 1, params: { arguments: {}, _meta: { a: 1 } } });
    expect(next?.params.arguments).toBe(message.params.arguments);
  });
});

describe('bounds', () => {
  const bounds = { depth: 3, values: 10, characters: 20 };
  it.each([
    [{ a: { b: { c: 1 } } }, undefined],
    [{ a: { b: { c: { d: 1 } } } }, /deeper/],
    [Array(11).fill(0), /values/],
    ['x'.repeat(21), /characters/],
    [{ ['x'.repeat(21)]: 1 }, /characters/],
    [Number.NaN, /not JSON/],
    [[undefined], /not JSON/],
    [() => 1, /not JSON/],
    [10n, /not JSON/],
  ])('bounds of %s', (value, problem) => {
    const found = outOfBounds(value, bounds);
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(problem);
  });

  it('bounds apply to nesting far beyond the stack', () => {
    let deep: unknown = 0;
    for (let level = 0; level < 200_000; level++) deep = [deep];
    expect(outOfBounds(deep, { depth: 1e9, values: 1e9, characters: 1 })).toMatch(/deeper than 1024/);
    expect(outOfBounds(deep, bounds)).toMatch(/deeper/);
  });
});

describe('own properties', () => {
  it.each(['__proto__', 'constructor', 'toString', ''])('%j is a name like any other', (name) => {
    const object: Record<string, unknown> = {};
    expect(own(object, name)).toBeUndefined();
    setOwn(object, name, { polluted: true });
    expect(own(object, name)).toEqual({ polluted: true });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
  });
});

describe('header fields', () => {
  it.each(['', 'en', 'fr-CH, fr;q=0.9', '*', 'a b'])('%j can stand in a header field', (text) => {
    expect(isFieldValue(text)).toBe(true);
  });

  it.each(['a\r\nX: y', 'a\nb', 'a\0', ' a', 'a ', '\ta', 'é', '\ud800', 'x'.repeat(4097)])(
    'LANG-41: %j cannot, so it never becomes a second line',
    (text) => {
      expect(isFieldValue(text)).toBe(false);
    },
  );

  it('LANG-41: a value that passes reaches an HTTP header unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        if (isFieldValue(text)) expect(new Headers([['accept-language', text]]).get('accept-language')).toBe(text);
      }),
    );
  });

  it('LANG-43: all lines of a field are seen, in order, through every API', () => {
    const lines = new Headers([
      ['accept-language', 'en-US'],
      ['Accept-Language', 'en;q=0.9'],
    ]);
    expect(fieldValue(lines, 'Accept-Language')).toBe('en-US, en;q=0.9');
    expect(fieldValue({ 'accept-language': ['en-US', 'en;q=0.9'] }, 'Accept-Language')).toBe('en-US, en;q=0.9');
    expect(fieldValue({ 'Accept-Language': 'en-US', 'accept-language': 'en;q=0.9' }, 'ACCEPT-LANGUAGE')).toBe('en-US, en;q=0.9');
    expect(fieldValue({ 'accept-language': '' }, 'Accept-Language')).toBe('');
    expect([fieldValue({}, 'Accept-Language'), fieldValue(undefined, 'x'), fieldValue(new Headers(), 'x')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each([
    [undefined, 'Accept-Language'],
    ['Origin', 'Origin, Accept-Language'],
    ['accept-language', 'accept-language'],
    ['*', '*'],
    [' Origin ,, Accept', 'Origin, Accept, Accept-Language'],
  ])('Vary %j becomes %j', (before, after) => {
    expect(addVary(before, 'Accept-Language')).toBe(after);
  });

  it('LANG-16: only a text is mirrored', () => {
    const request = (value: unknown): object => ({ id: 1, method: 'x', params: { _meta: { [keys.ACCEPT_LANGUAGE]: value } } });
    expect(['fr', '', 7, null, ['fr'], {}].map((value) => mirroredLanguage(request(value)))).toEqual([
      'fr',
      '',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('D-21: the hop table', () => {
  it('keys that describe one hop do not pass it', () => {
    for (const key of [keys.PROTOCOL_VERSION, keys.CLIENT_INFO, keys.CLIENT_CAPABILITIES, keys.LOG_LEVEL, keys.SUBSCRIPTION_ID]) {
      expect(isEndToEnd(key)).toBe(false);
    }
    expect(hopByHop.get(keys.PROGRESS_TOKEN)).toBe('rewrite');
    expect([isEndToEnd(keys.OWN_CLIENT_CAPABILITIES), isEndToEnd(keys.UNAVAILABLE)]).toEqual([false, false]);
  });

  it('TRACE-04: language, context, trace, state and unknown keys pass a hop', () => {
    const through = [
      keys.ACCEPT_LANGUAGE,
      keys.CONTENT_LANGUAGE,
      keys.CLIENT_CONTEXT,
      keys.STATE_CONFLICTS,
      'traceparent',
      'com.example/x',
      '__proto__',
    ];
    expect(through.filter((key) => !isEndToEnd(key))).toEqual([]);
  });
});

describe('refusals', () => {
  it('D-01: only the language mismatch differs between the profiles', () => {
    for (const reason of Object.keys(refusals) as (keyof typeof refusals)[]) {
      const [now, seed] = [new ContextError(reason), new ContextError(reason, {}, { wire: 'seed' })];
      expect([reason, now.code === seed.code]).toEqual([reason, reason !== 'language-mismatch']);
    }
    expect(new ContextError('language-mismatch', {}, { wire: 'seed' }).code).toBe(-32005);
  });

  it('refusals carry the code and the HTTP status that the rules give', () => {
    expect(new ContextError('language-mismatch')).toMatchObject({ code: -32020, status: 400 });
    expect(new ContextError('missing-capability')).toMatchObject({ code: -32021, status: 400 });
  });

  it('BASE-04: refusals use no unassigned specification code', () => {
    for (const { code } of Object.values(refusals)) expect([-32020, -32021, -32600, -32602, -32603, -32700]).toContain(code);
  });

  it('a refusal becomes an answer with the id of the request, or null', () => {
    const error = new ContextError('missing-capability', { requiredCapabilities: { sampling: {} } });
    expect(errorAnswer(3, error)).toEqual({
      jsonrpc: '2.0',
      id: 3,
      error: { code: -32021, message: error.message, data: { requiredCapabilities: { sampling: {} } } },
    });
    expect(errorAnswer({}, new ContextError('invalid-json'))).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32700, message: refusals['invalid-json'].message },
    });
  });
});
