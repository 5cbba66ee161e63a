import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Issue } from './issue.js';
import { checkOwnMeta, isMetaKey, isProtectedKey, isReservedKey, isResultAffecting, readProgressToken } from './meta.js';

describe('isMetaKey', () => {
  it.each([
    'a',
    '0',
    'progressToken',
    'a.b-c_d',
    'com.example/name',
    'com.example/',
    'example/n',
    'x-y.z9/a.b_c-d',
    'io.modelcontextprotocol/state.session',
    `com.example/${'n'.repeat(244)}`,
  ])('BASE-05: %s is a key', (key) => {
    expect(isMetaKey(key)).toBe(true);
  });

  it.each([
    '',
    '/',
    '/name',
    'com.example/a/b',
    'com..example/a',
    '.com/a',
    'com./a',
    '9com.example/a',
    'com.9example/a',
    'com-.example/a',
    'com.exa_mple/a',
    '-a',
    'a-',
    '_a',
    'a.',
    'com.example/-a',
    'com.example/a_',
    'com.example/a b',
    'http://modelcontextprotocol.io/state/session',
    'modelcontextprotocol.io/state/session',
    'naïve',
    'com.exämple/a',
    'a\n',
    'a\0',
    `com.example/${'n'.repeat(245)}`,
  ])('BASE-05: %j is no key', (key) => {
    expect(isMetaKey(key)).toBe(false);
  });

  it('BASE-05: an endless key is no key, and is not scanned', () => {
    for (const key of ['a'.repeat(10_000_000), `${'a-'.repeat(5_000_000)}/`]) expect(isMetaKey(key)).toBe(false);
  });
});

describe('isReservedKey', () => {
  it.each([
    ['io.modelcontextprotocol/anything', true],
    ['dev.mcp/', true],
    ['org.modelcontextprotocol.api/x', true],
    ['com.mcp.tools/x', true],
    ['COM.MCP/x', true],
    ['com.example.mcp/x', false],
    ['modelcontextprotocol.io/x', false],
    ['mcp/x', false],
    ['com.mcp', false],
    ['com.mcpx/x', false],
    ['dev.waybill/x', false],
    ['progressToken', true],
    ['traceparent', true],
    ['tracestate', true],
    ['baggage', true],
    ['Traceparent', false],
    ['com.example/traceparent', false],
    ['constructor', false],
    ['', false],
  ])('BASE-05, BASE-06, TRACE-01: %s: %s', (key, reserved) => {
    expect(isReservedKey(key)).toBe(reserved);
  });
});

describe('isResultAffecting', () => {
  it('TRACE-14: trace keys, the progress token and the client info stay out of cache keys; all other keys count', () => {
    const keys = ['traceparent', 'tracestate', 'baggage', 'progressToken', 'io.modelcontextprotocol/clientInfo'];
    expect(keys.filter(isResultAffecting)).toEqual([]);
    const others = ['io.modelcontextprotocol/acceptLanguage', 'io.modelcontextprotocol/clientCapabilities', 'com.example/x', 'toString'];
    expect(others.filter(isResultAffecting)).toEqual(others);
  });
});

describe('readProgressToken', () => {
  it.each([
    [{ progressToken: 'abc' }, 'abc'],
    [{ progressToken: '' }, ''],
    [{ progressToken: 0 }, 0],
    [{ progressToken: -7 }, -7],
    [{ progressToken: Number.MAX_SAFE_INTEGER }, Number.MAX_SAFE_INTEGER],
    [{}, undefined],
  ])('TRACE-06: %j is carried unchanged', (meta, token) => {
    const issues: Issue[] = [];
    expect(readProgressToken(meta, (issue) => issues.push(issue))).toBe(token);
    expect(issues).toEqual([]);
  });

  it.each([1.5, null, true, {}, [], ['a'], NaN, Infinity])('TRACE-06: %j is no token', (token) => {
    const issues: Issue[] = [];
    expect(readProgressToken({ progressToken: token }, (issue) => issues.push(issue))).toBeUndefined();
    expect(issues).toEqual([{ concern: 'meta', key: 'progressToken', problem: 'is not a string or an integer' }]);
  });
});

describe('checkOwnMeta', () => {
  function check(values: unknown): { kept: Record<string, unknown>; problems: string[] } {
    const issues: Issue[] = [];
    const kept = checkOwnMeta(values, (issue) => issues.push(issue));
    for (const issue of issues) expect(issue.concern).toBe('meta');
    return { kept, problems: issues.map(({ key, problem }) => `${key.slice(0, 60)} ${problem}`) };
  }

  it('TRACE-04, BASE-06: keys under your own prefix, and bare names, pass with any JSON value', () => {
    const values = { 'com.example/id': 'x', correlationId: 7, 'com.example/deep': { a: [null, true, { b: 1.5 }] }, 'com.example/no': null };
    expect(check(values)).toEqual({ kept: values, problems: [] });
  });

  it.each([
    ['com.example/a/b', 'is not a valid key'],
    ['__proto__', 'is not a valid key'],
    ['io.modelcontextprotocol/new', 'is reserved for the protocol'],
    ['baggage', 'is reserved for the protocol'],
    ['dev.waybill/unavailable', 'may only be written by the layer'],
    ['dev.waybill/anything', 'may only be written by the layer'],
    ['modelcontextprotocol.io/state/session', 'may only be written by the layer'],
    ['http://modelcontextprotocol.io/state/server', 'may only be written by the layer'],
    ['modelcontextprotocol.io/state/server/', 'may only be written by the layer'],
    ['io.modelcontextprotocol/state.session', 'may only be written by the layer'],
  ])('BASE-05, BASE-06: %s %s', (key, problem) => {
    const values = JSON.parse(JSON.stringify({ ok: 1, X: 2 }).replace('X', key)) as unknown;
    expect(check(values)).toEqual({ kept: { ok: 1 }, problems: [`${key} ${problem}`] });
  });

  it('values that are endless or not JSON are left out', () => {
    const deep: unknown = JSON.parse('['.repeat(1000) + ']'.repeat(1000));
    const values = { a: () => 1, b: undefined, c: NaN, d: 1n, e: deep, f: 'x'.repeat(10_000_000), g: Array(5000).fill(0), ok: 1 };
    const { kept, problems } = check(values);
    expect(kept).toEqual({ ok: 1 });
    expect(problems.map((text) => text[0])).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });

  it('a value that is not an object gives nothing and one issue; undefined gives no issue', () => {
    expect(check([1])).toEqual({ kept: {}, problems: ['_meta is not an object'] });
    expect(check('x').problems).toHaveLength(1);
    expect(check(undefined)).toEqual({ kept: {}, problems: [] });
  });

  it('every key is kept or reported once, and every kept key may be sent', () => {
    const key = fc.oneof(fc.string(), fc.constantFrom('com.example/x', 'dev.waybill/x', 'io.mcp/x', 'traceparent', '__proto__', 'x'));
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue()), (values) => {
        const { kept, problems } = check(values);
        expect(Object.keys(kept).length + problems.length).toBe(Object.keys(values).length);
        for (const name of Object.keys(kept))
          expect([isMetaKey(name), isReservedKey(name), isProtectedKey(name)]).toEqual([true, false, false]);
      }),
    );
  });
});
