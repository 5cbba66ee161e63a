import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { childTrace, continueTrace, startTrace } from './hop.js';
import { parseTraceparent } from './traceparent.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const CHILD = 'b9c7c989f97918e1';
const id = (length: number): fc.Arbitrary<string> => fc.stringMatching(new RegExp(`^[0-9a-f]{${length - 1}}[1-9a-f]$`));

describe('startTrace', () => {
  it.each([
    [{}, '00'],
    [{ sampled: true }, '01'],
    [{ random: true }, '02'],
    [{ sampled: true, random: true }, '03'],
  ])('D-25: %j starts a trace with these flags and no tracestate', (decision, flags) => {
    expect(startTrace({ traceId: TRACE, parentId: PARENT, ...decision })).toEqual({ traceparent: `00-${TRACE}-${PARENT}-${flags}` });
  });

  it.each([
    [TRACE.toUpperCase(), PARENT],
    [TRACE, '0'.repeat(16)],
    [`${TRACE}\r\n`, PARENT],
    ['', ''],
  ])('malformed ids are a mistake of the program: %j %j', (traceId, parentId) => {
    expect(() => startTrace({ traceId, parentId })).toThrow(TypeError);
  });
});

describe('childTrace', () => {
  it.each([
    ['sampled', '00', '01', {}, '01'],
    ['not sampled', '00', '00', {}, '00'],
    ['random', '00', '02', {}, '02'],
    ['sampled and random', '00', '03', {}, '03'],
    ['with flags that nobody knows', '00', 'fd', {}, '01'],
    ['of a later version', 'cc', '01', {}, '01'],
    ['that this hop records', '00', '02', { sampled: true }, '03'],
    ['that this hop does not record', '00', '03', { sampled: false }, '02'],
  ])('TRACE-11: a trace %s goes on with a new parent id', (_, version, flags, options, expected) => {
    expect(childTrace({ traceparent: `${version}-${TRACE}-${PARENT}-${flags}` }, CHILD, options)).toEqual({
      traceparent: `00-${TRACE}-${CHILD}-${expected}`,
    });
  });

  it('TRACE-11: tracestate and baggage go on byte for byte', () => {
    const trace = { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'b= 2 ,\ta=1', baggage: 'user = a%20b ;p' };
    expect(childTrace(trace, CHILD)).toEqual({ ...trace, traceparent: `00-${TRACE}-${CHILD}-01` });
  });

  it('TRACE-10: an entry of our own goes first, and replaces an older one', () => {
    const trace = { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'b=2,me=0,a=1' };
    expect(childTrace(trace, CHILD, { entry: ['me', '1'] })?.tracestate).toBe('me=1,b=2,a=1');
  });

  it('a text that is not a trace has no child', () => {
    expect(childTrace({ baggage: 'a=1' }, CHILD)).toBeUndefined();
    expect(childTrace({ traceparent: 'rubbish' }, CHILD)).toBeUndefined();
  });

  it('a malformed id is a mistake of the program', () => {
    expect(() => childTrace({ traceparent: `00-${TRACE}-${PARENT}-01` }, 'xyz')).toThrow(TypeError);
  });

  it('TRACE-11: trace id and random flag stay over any number of hops', () => {
    const sampled = fc.option(fc.boolean(), { nil: undefined });
    fc.assert(
      fc.property(id(32), fc.boolean(), fc.array(fc.tuple(id(16), sampled), { minLength: 1 }), (traceId, random, way) => {
        let trace = startTrace({ traceId, parentId: PARENT, random });
        for (const [parentId, decision] of way) trace = childTrace(trace, parentId, decision === undefined ? {} : { sampled: decision })!;
        const parsed = parseTraceparent(trace.traceparent!)!;
        expect([parsed.traceId, parsed.parentId, (parsed.flags & 2) !== 0]).toEqual([traceId, way.at(-1)![0], random]);
      }),
    );
  });
});

describe('continueTrace', () => {
  it('continueTrace writes what childTrace writes, for every trace', () => {
    for (const flags of ['00', '01', '02', '03', 'ff']) {
      for (const version of ['00', 'cc']) {
        const trace = {
          traceparent: `${version}-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-${flags}`,
          tracestate: 'a=1',
          baggage: 'k=v',
        };
        expect(continueTrace(trace)?.('2222222222222222')).toEqual(childTrace(trace, '2222222222222222'));
      }
    }
    expect([continueTrace({}), continueTrace({ traceparent: 'x' })]).toEqual([undefined, undefined]);
  });
});
