import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Issue } from './issue.js';
import { trace, type TraceContext } from './trace.js';

/** Any UTF-16, lone surrogates included. */
const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });

const PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

function read(meta: Record<string, unknown>): { value: TraceContext | undefined; keys: string[] } {
  const issues: Issue[] = [];
  const value = trace.request.read(meta, (issue) => issues.push(issue), {});
  for (const issue of issues) expect(issue.concern).toBe('trace');
  return { value, keys: issues.map(({ key }) => key) };
}

describe('trace.read', () => {
  it.each<[string, Record<string, unknown>, TraceContext]>([
    ['all three', { traceparent: PARENT, tracestate: 'a=1', baggage: 'x=1' }, { traceparent: PARENT, tracestate: 'a=1', baggage: 'x=1' }],
    ['a traceparent alone', { traceparent: PARENT, other: 1 }, { traceparent: PARENT }],
    ['baggage alone', { baggage: 'x = 1 ;p' }, { baggage: 'x = 1 ;p' }],
    ['baggage that nobody has parsed', { baggage: '"rubbish' }, { baggage: '"rubbish' }],
    ['an empty tracestate, which says nothing', { traceparent: PARENT, tracestate: '' }, { traceparent: PARENT }],
    ['an empty baggage, which says nothing', { traceparent: PARENT, baggage: ' ,' }, { traceparent: PARENT }],
    ['baggage of 8192 bytes', { baggage: 'a=' + 'x'.repeat(8190) }, { baggage: 'a=' + 'x'.repeat(8190) }],
  ])('TRACE-03: %s', (_, meta, expected) => {
    expect(read(meta)).toEqual({ value: expected, keys: [] });
    const report = (): never => {
      throw new Error('no issue was expected');
    };
    expect(trace.notification.read(meta, report, {})).toEqual(expected);
  });

  it.each<[string, Record<string, unknown>, TraceContext | undefined, string[]]>([
    ['traceparent', { traceparent: 'rubbish' }, undefined, ['traceparent']],
    [
      'traceparent, and the tracestate goes with it',
      { traceparent: 'rubbish', tracestate: 'a=1' },
      undefined,
      ['traceparent', 'tracestate'],
    ],
    ['traceparent, but not the baggage', { traceparent: 'rubbish', baggage: 'x=1' }, { baggage: 'x=1' }, ['traceparent']],
    ['traceparent, though the tracestate is empty', { traceparent: '', tracestate: '' }, undefined, ['traceparent']],
    ['tracestate', { traceparent: PARENT, tracestate: 'A=1' }, { traceparent: PARENT }, ['tracestate']],
    ['tracestate without a traceparent', { tracestate: 'a=1' }, undefined, ['tracestate']],
    ['baggage', { traceparent: PARENT, baggage: 'x=é' }, { traceparent: PARENT }, ['baggage']],
    ['baggage with a line break', { baggage: 'x=1\r\nx-evil: 1' }, undefined, ['baggage']],
    ['baggage with NUL', { baggage: 'x=\0' }, undefined, ['baggage']],
    ['baggage with DEL', { baggage: 'x=1;p\x7f' }, undefined, ['baggage']],
    ['baggage of 8193 bytes', { baggage: 'a=' + 'x'.repeat(8191) }, undefined, ['baggage']],
    [
      'values of every other type',
      { traceparent: 1, tracestate: null, baggage: ['x=1'] },
      undefined,
      ['traceparent', 'tracestate', 'baggage'],
    ],
    [
      'values of 10 MB',
      { traceparent: 'x'.repeat(1e7), tracestate: 'x'.repeat(1e7), baggage: 'x'.repeat(1e7) },
      undefined,
      ['traceparent', 'tracestate', 'baggage'],
    ],
  ])('TRACE-09, D-13: a malformed %s is one issue for each value', (_, meta, expected, keys) => {
    expect(read(meta)).toEqual({ value: expected, keys });
  });

  it('TRACE-01: a prefixed or differently spelt key is no trace key', () => {
    const others = ['io.modelcontextprotocol/traceparent', 'io.modelcontextprotocol.traceparent', 'Traceparent', 'trace-parent'];
    expect(read(Object.fromEntries(others.map((key) => [key, PARENT])))).toEqual({ value: undefined, keys: [] });
    expect(trace.keys({})).toEqual(['traceparent', 'tracestate', 'baggage']);
  });

  it('only own properties are read', () => {
    expect(read(Object.create({ traceparent: PARENT }) as Record<string, unknown>)).toEqual({ value: undefined, keys: [] });
  });

  it('TRACE-09: any value in any place gives usable values or issues, as many as values were dropped', () => {
    const some = fc.oneof(fc.jsonValue(), fc.constantFrom(PARENT, 'a=1', 'x=1', 'a=1\n'));
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('traceparent', 'tracestate', 'baggage', '__proto__'), some), (meta) => {
        const { value, keys } = read(meta);
        const kept = Object.keys(value ?? {});
        const silent = ['tracestate', 'baggage'].filter((key) => typeof meta[key] === 'string' && /^[ \t,]*$/.test(meta[key]));
        const present = Object.keys(meta).filter((key) => key !== '__proto__');
        expect([...kept, ...keys, ...silent].sort()).toEqual(present.sort());
        for (const key of kept as (keyof TraceContext)[]) expect(value?.[key]).toBe(meta[key]);
      }),
    );
  });
});

describe('trace.write', () => {
  it('TRACE-02, TRACE-11: reading returns what was written, byte for byte', () => {
    const list = fc.stringMatching(/^[a-z]{1,5}=[a-z]{1,5}( ?,\t?[a-z]{1,5}= ?[a-z]{1,5}){0,3}$/);
    const parent = fc.stringMatching(/^00-[1-9a-f]{32}-[1-9a-f]{16}-[0-9a-f]{2}$/);
    const context = fc.oneof(
      fc.record({ traceparent: parent, tracestate: list, baggage: list }, { requiredKeys: ['traceparent'] }),
      fc.record({ baggage: list }),
    );
    fc.assert(
      fc.property(context, (value) => {
        const issues: Issue[] = [];
        for (const facet of [trace.request, trace.notification]) {
          const written = facet.write(value, (issue) => issues.push(issue), {});
          expect(facet.read(written, (issue) => issues.push(issue), {})).toEqual(value);
        }
        expect(issues).toEqual([]);
      }),
    );
  });

  it('TRACE-02: for any input, nothing malformed is written, and nothing that could end a header', () => {
    const text = fc.oneof(anyText, fc.constantFrom(PARENT, `${PARENT}\r\n`, 'a=1', 'a=1\nb: c'));
    fc.assert(
      fc.property(fc.record({ traceparent: text, tracestate: text, baggage: text }, { requiredKeys: [] }), (value) => {
        const written = trace.request.write(value, () => undefined, {});
        for (const content of Object.values(written)) expect(content).toMatch(/^[\t\x20-\x7e]+$/);
        expect(read(written).keys).toEqual([]);
      }),
    );
  });

  it('a value that is not written is reported', () => {
    const issues: Issue[] = [];
    expect(trace.request.write({ traceparent: 'rubbish', tracestate: 'a=1' }, (issue) => issues.push(issue), {})).toEqual({});
    expect(issues.map(({ key }) => key)).toEqual(['traceparent', 'tracestate']);
  });

  it('TRACE-05: write returns `_meta` keys only, and does not change its input', () => {
    const value = Object.freeze({ traceparent: PARENT, arguments: { n: 1 } });
    expect(trace.request.write(value, () => undefined, {})).toEqual({ traceparent: PARENT });
  });
});
