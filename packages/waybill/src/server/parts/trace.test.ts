import { describe, expect, it } from 'vitest';
import type { HeaderSource } from '../../wire/headers.js';
import type { Issue } from '../../wire/issue.js';
import { readRequest } from '../../wire/read.js';
import { parseTraceparent, SAMPLED } from '../../wire/trace.js';
import { Answer } from '../answer.js';
import type { RequestTrace } from '../context.js';
import type { ServerContextOptions, TraceOptions } from '../options.js';
import type { ServerRequest } from '../part.js';
import { serverContext } from '../server.js';
import { trace } from './trace.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const GOOD = `00-${TRACE}-b7ad6b7169203331-01`;
const OTHER = '00-11111111111111111111111111111111-2222222222222222-01';
/** A legal text that no two hops would write alike. */
const STATE = 'a=1 , ,\tb@c=2;x ';

function seen(
  meta: unknown,
  options: TraceOptions = {},
  headers?: HeaderSource,
  around?: Omit<ServerContextOptions, 'trace'>,
): RequestTrace & { issues: Issue[] } {
  const issues: Issue[] = [];
  const report = (issue: Issue): void => void issues.push(issue);
  const received = readRequest({ method: 'tools/call', params: { _meta: meta } }, { onIssue: report });
  const face = trace({ trace: options, ...around }).provides?.['trace']?.({
    received,
    headers,
    report,
    answer: new Answer(),
  } as unknown as ServerRequest) as RequestTrace;
  return Object.assign(face, { issues });
}

describe('the incoming trace', () => {
  it('TRACE-11: a handler sees it as it came, and it goes on byte for byte if the server takes no part', () => {
    const given = { traceparent: `cc-${TRACE}-b7ad6b7169203331-0b-later`, tracestate: STATE, baggage: 'k = v;p , other=1' };
    const face = seen(given);
    expect(face.parent).toEqual(given);
    expect(face.carrier()).toEqual(given);
  });

  it('TRACE-11: if the server takes part, each request gets its own id within the same trace', () => {
    const face = seen({ traceparent: GOOD, tracestate: STATE }, { takesPart: true });
    const carried = face.carrier();
    expect(carried.traceparent).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
    expect(carried.traceparent).not.toBe(GOOD);
    expect(carried.tracestate).toBe(STATE);
    expect(face.carrier()).toEqual(carried);
    expect(face.parent?.traceparent).toBe(GOOD);
  });

  it('without a trace nothing is sent', () => {
    const face = seen(undefined, { takesPart: true });
    expect([face.parent, face.link, face.carrier(), face.headers({ accept: '*/*' })]).toEqual([
      undefined,
      undefined,
      {},
      { accept: '*/*' },
    ]);
  });

  it.each([
    ['an invalid traceparent', { traceparent: 'x', tracestate: 'a=1' }, 2],
    ['a wrong type', { traceparent: 7, baggage: ['k=v'] }, 2],
    ['a hostile one', { traceparent: `${GOOD}\r\nx: y`, baggage: 'k=v\nx: y' }, 2],
  ])('D-13: %s is ignored and counted', (_what, meta, count) => {
    const face = seen(meta);
    expect([face.parent, face.carrier()]).toEqual([undefined, {}]);
    expect(face.issues).toHaveLength(count);
  });
});

describe('HTTP headers', () => {
  const shapes: [string, (of: Record<string, string>) => HeaderSource][] = [
    ['fetch', (of) => new Headers(of)],
    ['node', (of) => of],
  ];
  it.each(shapes)('%s: headers are the parent if _meta has none', (_what, of) => {
    const face = seen({}, {}, of({ traceparent: GOOD, tracestate: 'a=1', baggage: 'k=v' }));
    expect(face.parent).toEqual({ traceparent: GOOD, tracestate: 'a=1', baggage: 'k=v' });
    expect(face.link).toBeUndefined();
  });

  it.each(shapes)('TRACE-07, TRACE-08: %s: _meta wins, the header can be linked, and the two need not agree', (_what, of) => {
    const face = seen({ traceparent: GOOD }, {}, of({ traceparent: OTHER }));
    expect([face.parent?.traceparent, face.link?.traceparent, face.carrier().traceparent]).toEqual([GOOD, OTHER, GOOD]);
    expect(face.issues).toEqual([]);
    expect(seen({ traceparent: GOOD }, {}, of({ traceparent: GOOD })).link).toBeUndefined();
  });

  it('baggage alone in _meta still belongs to the caller', () => {
    expect(seen({ baggage: 'k=meta' }, {}, { traceparent: GOOD, baggage: 'k=http' }).parent).toEqual({
      traceparent: GOOD,
      baggage: 'k=meta',
    });
  });

  it('malformed headers are ignored and counted', () => {
    const face = seen({}, {}, { traceparent: 'x' });
    expect([face.parent, face.issues.length]).toEqual([undefined, 1]);
  });
});

describe('D-25: trust', () => {
  const meta = { traceparent: GOOD, tracestate: 'a=1', baggage: 'tier=gold,user=alice' };

  it('link: a new trace begins, the caller’s sampled flag is ignored, and the caller’s trace can be linked', () => {
    const face = seen(meta, { incoming: 'link' });
    const carried = face.carrier();
    const begun = parseTraceparent(carried.traceparent ?? '');
    expect(begun?.traceId).not.toBe(TRACE);
    expect((begun?.flags ?? SAMPLED) & SAMPLED).toBe(0);
    expect([face.parent, face.link?.traceparent, carried.tracestate, carried.baggage]).toEqual([undefined, GOOD, undefined, undefined]);
  });

  it('ignore: nothing of the caller is read', () => {
    const face = seen({ ...meta, traceparent: 'x' }, { incoming: 'ignore' }, { traceparent: GOOD });
    expect([face.parent, face.link, face.carrier(), face.issues]).toEqual([undefined, undefined, {}, []]);
  });

  it('TRACE-12: baggage of a trusted caller goes on whole, otherwise by the list', () => {
    expect(seen(meta).carrier().baggage).toBe('tier=gold,user=alice');
    expect(seen(meta, {}, undefined, { baggage: ['tier'] }).carrier().baggage).toBe('tier=gold');
    expect(seen(meta, {}, undefined, { baggage: [] }).carrier().baggage).toBeUndefined();
    expect(seen(meta, { incoming: 'link' }, undefined, { baggage: ['tier'] }).carrier().baggage).toBe('tier=gold');
  });

  it('wrong options fail at once', () => {
    expect(() => serverContext({ trace: { incoming: 'maybe' as never } })).toThrow('trace.incoming: expected one of parent, link, ignore');
    expect(() => serverContext({ baggage: 'k' as never })).toThrow('baggage: expected a list of texts');
  });
});

describe('outbound', () => {
  it('TRACE-15: headers follow the policies, with the hop’s own ids', () => {
    const face = seen({ traceparent: GOOD, tracestate: 'a=1', 'x-tenant': 't1', tenant: 't2' }, { takesPart: true });
    const groups = { own: { policy: 'prefer-meta', headers: ['x-tenant'] } } as const;
    expect(face.headers({ Tracestate: 'old=1', accept: '*/*' }, { groups })).toEqual({
      accept: '*/*',
      ...face.carrier(),
      'x-tenant': 't1',
    });
  });

  it('telemetry decides, unless it takes no part', () => {
    const telemetry = { around: (hooks: object) => hooks, carrier: () => ({ traceparent: OTHER }) };
    expect(seen({ traceparent: GOOD }, {}, undefined, { telemetry }).carrier()).toEqual({ traceparent: OTHER });
    const silent = { ...telemetry, carrier: () => ({}) };
    expect(seen({ traceparent: GOOD }, {}, undefined, { telemetry: silent }).carrier()).toEqual({ traceparent: GOOD });
  });
});
