import { context, propagation, ROOT_CONTEXT, SpanKind, trace, TraceFlags } from '@opentelemetry/api';
import { ParentBasedSampler, SamplingDecision } from '@opentelemetry/sdk-trace-base';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { call, End, openLab, result, wire, type Lab, type Message } from '../../../../test/otel/lab.js';
import type { Issue } from '../wire/issue.js';
import { openTelemetry, type OpenTelemetryOptions } from './index.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const GOOD = `00-${TRACE}-${PARENT}-01`;
const OTHER_TRACE = '11111111111111111111111111111111';
const OTHER = `00-${OTHER_TRACE}-2222222222222222-01`;

let lab: Lab;
beforeAll(() => {
  lab = openLab({
    sampler: new ParentBasedSampler({
      root: { shouldSample: () => ({ decision: SamplingDecision.RECORD_AND_SAMPLED }), toString: () => 'on' },
    }),
  });
});
afterEach(() => lab.reset());
afterAll(() => lab.close());

interface Served {
  trace: string;
  parent: string | undefined;
  links: string[];
  state: string | undefined;
  baggage: string | undefined;
  sampled: boolean;
  issues: number;
}

/** Sends one request to a traced server and returns the trace it was served under. */
async function served(
  meta: unknown,
  { headers, ...options }: OpenTelemetryOptions & { headers?: Headers | Message } = {},
): Promise<Served> {
  const issues: Issue[] = [];
  const [near, far] = wire();
  openTelemetry({ onIssue: (issue) => issues.push(issue), ...options }).attach(far);
  if (headers !== undefined) far.extra = headers instanceof Headers ? { request: { headers } } : { requestInfo: { headers } };
  let seen: Omit<Served, 'links' | 'issues'> | undefined;
  far.onmessage = ({ id }: Message) => {
    const active = context.active();
    const span = trace.getSpanContext(active);
    const baggage = propagation.getBaggage(active)?.getAllEntries();
    seen = {
      trace: span?.traceId ?? '',
      parent: undefined,
      state: span?.traceState?.serialize(),
      baggage: baggage?.map(([key, { value }]) => `${key}=${value}`).join(),
      sampled: span?.traceFlags === TraceFlags.SAMPLED,
    };
    void far.send(result(id));
  };
  await near.send(call(meta === undefined ? {} : { _meta: meta }));
  const span = lab.spans().at(-1);
  const links = span?.links.map((link) => link.context.traceId) ?? [];
  if (seen === undefined) throw new Error('not served');
  return { ...seen, parent: span?.parentSpanContext?.spanId, links, issues: issues.length };
}

/** Our own cases in the manner of the W3C test suite: the value, whether it is continued, and how many values are reported. */
const TRACEPARENTS: [string, unknown, boolean, number][] = [
  ['a plain one', GOOD, true, 0],
  ['not sampled', `00-${TRACE}-${PARENT}-00`, true, 0],
  ['random flag', `00-${TRACE}-${PARENT}-03`, true, 0],
  ['upper case', GOOD.toUpperCase(), false, 1],
  ['a zero trace id', `00-${'0'.repeat(32)}-${PARENT}-01`, false, 1],
  ['a zero parent id', `00-${TRACE}-${'0'.repeat(16)}-01`, false, 1],
  ['version ff', `ff-${TRACE}-${PARENT}-01`, false, 1],
  ['version 00 with a fifth field', `${GOOD}-extra`, false, 1],
  ['a trailing dash', `${GOOD}-`, false, 1],
  ['a short trace id', `00-${TRACE.slice(1)}-${PARENT}-01`, false, 1],
  ['a letter that is no digit', `00-${TRACE.slice(1)}g-${PARENT}-01`, false, 1],
  ['other separators', GOOD.replaceAll('-', '_'), false, 1],
  ['nothing at all', '', false, 1],
];

describe('W3C cases over _meta', () => {
  it.each([
    ...TRACEPARENTS,
    ['blanks around it', ` ${GOOD} `, false, 1],
    ['a number', 7, false, 1],
    ['an object', { toString: GOOD }, false, 1],
    ['a list', [GOOD], false, 1],
    ['very long', GOOD.repeat(10_000), false, 1],
  ])('D-13: %s', async (_what, traceparent, isContinued, issues) => {
    const got = await served({ traceparent });
    expect([got.trace === TRACE, got.issues]).toEqual([isContinued, issues]);
    // A span that is not sampled is not exported, and its parent with it.
    if (got.sampled) expect(got.parent).toBe(isContinued ? PARENT : undefined);
  });

  it('a later version is continued by its first four fields', async () => {
    expect(await served({ traceparent: `cc-${TRACE}-${PARENT}-01-what-the-future` })).toMatchObject({ trace: TRACE, parent: PARENT });
  });

  it.each<[string, Message, string | undefined, number]>([
    ['a list', { traceparent: GOOD, tracestate: 'a=1,b=2' }, 'a=1,b=2', 0],
    ['a tenant', { traceparent: GOOD, tracestate: 't@v=1' }, 't@v=1', 0],
    ['33 members', { traceparent: GOOD, tracestate: Array.from({ length: 33 }, (_, n) => `k${n}=1`).join() }, undefined, 1],
    ['a bad member', { traceparent: GOOD, tracestate: 'a=1,B=2' }, undefined, 1],
    ['beside an invalid traceparent', { traceparent: 'x', tracestate: 'a=1' }, undefined, 2],
    ['alone', { tracestate: 'a=1' }, undefined, 1],
  ])('tracestate: %s', async (_what, meta, state, issues) => {
    expect(await served(meta)).toMatchObject({ state, issues });
  });

  it('the trace that VS Code sends with a tool call is continued', async () => {
    const meta = { progressToken: 3, traceparent: GOOD, tracestate: 'vendor=1', 'vscode.conversationId': 'c', 'vscode.requestId': 'r' };
    expect(await served(meta)).toMatchObject({ trace: TRACE, parent: PARENT, state: 'vendor=1', issues: 0 });
  });

  it('the call is served for any content of _meta', async () => {
    const keys = ['traceparent', 'tracestate', 'baggage', 'b3', '__proto__'];
    const anything = fc.oneof(fc.dictionary(fc.constantFrom(...keys), fc.jsonValue()), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(anything, async (meta) => {
        const got = await served(meta);
        return got.trace.length === 32;
      }),
      { numRuns: 200 },
    );
  });
});

describe('W3C cases over HTTP headers', () => {
  const shapes: [string, (headers: Record<string, string>) => Headers | Message][] = [
    ['fetch headers', (headers) => new Headers(headers)],
    ['a plain object', (headers) => headers],
  ];
  describe.each(shapes)('%s', (_shape, of) => {
    it.each(TRACEPARENTS.filter(([, value]) => value !== ''))('%s', async (_what, value, isContinued, issues) => {
      const got = await served(undefined, { headers: of({ Traceparent: String(value) }) });
      expect([got.trace === TRACE, got.issues]).toEqual([isContinued, issues]);
      // A span that is not sampled is not exported, and its parent with it.
      if (got.sampled) expect(got.parent).toBe(isContinued ? PARENT : undefined);
    });

    it('headers are the parent if _meta has none, with tracestate and baggage', async () => {
      const headers = of({ traceparent: GOOD, tracestate: 'a=1', baggage: 'k=v' });
      expect(await served({}, { headers })).toMatchObject({
        trace: TRACE,
        parent: PARENT,
        state: 'a=1',
        baggage: 'k=v',
        links: [],
        issues: 0,
      });
    });

    it('TRACE-07: headers are linked if _meta has its own parent', async () => {
      expect(await served({ traceparent: GOOD }, { headers: of({ traceparent: OTHER }) })).toMatchObject({
        trace: TRACE,
        parent: PARENT,
        links: [OTHER_TRACE],
      });
    });

    it('TRACE-08: headers and _meta are never compared: the call is served, and nothing is reported', async () => {
      expect((await served({ traceparent: GOOD }, { headers: of({ traceparent: OTHER }) })).issues).toBe(0);
      expect((await served({ traceparent: GOOD }, { headers: of({ traceparent: GOOD }) })).links).toEqual([]);
    });
  });

  it('two lines of traceparent count as none', async () => {
    const headers = { traceparent: [GOOD, OTHER] };
    expect(await served(undefined, { headers })).toMatchObject({ parent: undefined, issues: 1 });
  });
});

describe('the current span of traced HTTP', () => {
  const inHttp = <T>(run: () => Promise<T>): Promise<T> => {
    const span = trace.getTracer('http').startSpan('POST', { kind: SpanKind.SERVER }, ROOT_CONTEXT);
    return context.with(trace.setSpan(ROOT_CONTEXT, span), run).finally(() => span.end());
  };

  it('TRACE-07: it is linked beside a parent in _meta, and is the parent without one', async () => {
    const linked = await inHttp(() => served({ traceparent: GOOD }));
    expect(linked).toMatchObject({ trace: TRACE, parent: PARENT });
    expect(linked.links).toEqual([lab.span('server', 'POST').spanContext().traceId]);
    lab.reset();
    const child = await inHttp(() => served({}));
    expect(child.parent).toBe(lab.span('server', 'POST').spanContext().spanId);
  });

  it('the headers are not read again: the current span has read them', async () => {
    const child = await inHttp(() => served({}, { headers: new Headers({ traceparent: OTHER }) }));
    expect(child.trace).toBe(lab.span('server', 'POST').spanContext().traceId);
  });

  it('it is ignored on a pipe: there it belongs to the start of the process', async () => {
    class StdioEnd extends End {}
    const [near, far] = wire(new End(), new StdioEnd());
    openTelemetry().attach(far);
    far.onmessage = ({ id }: Message) => void far.send(result(id));
    await inHttp(() => near.send(call()));
    const span = lab.span('server', 'tools/call echo');
    expect([span.parentSpanContext, span.links, span.attributes['network.transport']]).toEqual([undefined, [], 'pipe']);
  });

  it('the baggage in _meta is kept', async () => {
    expect(await inHttp(() => served({ baggage: 'k=v' }))).toMatchObject({ baggage: 'k=v' });
  });
});

describe('D-25: trust in incoming traces', () => {
  it('link: a new trace begins, the caller is linked, and its sampled flag and baggage have no effect', async () => {
    const got = await served(
      { traceparent: `00-${TRACE}-${PARENT}-00`, baggage: 'k=v' },
      { incoming: 'link', headers: new Headers({ traceparent: OTHER }) },
    );
    expect(got).toMatchObject({ parent: undefined, links: [TRACE, OTHER_TRACE], sampled: true, baggage: undefined });
    expect([TRACE, OTHER_TRACE]).not.toContain(got.trace);
  });

  it('parent: the caller’s sampled flag counts', async () => {
    await served({ traceparent: `00-${TRACE}-${PARENT}-00` });
    expect(lab.spans()).toHaveLength(0);
  });

  it('ignore: nothing of the caller is read', async () => {
    const got = await served(
      { traceparent: 'malformed', tracestate: 'a=1', baggage: 'k=v' },
      { incoming: 'ignore', headers: new Headers({ traceparent: OTHER }) },
    );
    expect(got).toMatchObject({ parent: undefined, links: [], baggage: undefined, issues: 0 });
  });

  it('TRACE-12: baggage of a trusted caller passes whole, otherwise by the list', async () => {
    const meta = { traceparent: GOOD, baggage: 'tier=gold,user=alice' };
    expect(await served(meta)).toMatchObject({ baggage: 'tier=gold,user=alice' });
    expect(await served(meta, { baggage: ['tier'] })).toMatchObject({ baggage: 'tier=gold' });
    expect(await served(meta, { baggage: ['tier'], incoming: 'link' })).toMatchObject({ baggage: 'tier=gold' });
    expect(await served({ ...meta, baggage: 'x'.repeat(9000) })).toMatchObject({ baggage: undefined, issues: 1 });
  });
});

it.each<[unknown, string]>([
  [null, ': expected an object'],
  [{ mode: 'on' }, '.mode: expected one of spans, propagate, off'],
  [{ incoming: 'maybe' }, '.incoming: expected one of parent, link, ignore'],
  [{ incomming: 'link' }, '.incomming: unknown option; did you mean incoming?'],
  [{ captures: ['arguments'] }, '.captures: unknown option; did you mean capture?'],
  [{ baggage: 'k' }, '.baggage: expected a list of texts'],
  [{ capture: ['state'] }, '.capture: expected a list of arguments, results, messages'],
  [{ joinToolSpan: 'no' }, '.joinToolSpan: expected true or false'],
  [{ mirror: 'false' }, ".mirror: expected true, false or 'always'"],
  [{ tracerProvider: {} }, '.tracerProvider: expected an object with getTracer'],
  [{ meterProvider: {} }, '.meterProvider: expected an object with getMeter'],
  [{ propagator: {} }, '.propagator: expected an object with inject, extract and fields'],
  [{ onIssue: true }, '.onIssue: expected a function'],
  [{ onFault: 'x' }, '.onFault: expected a function'],
])('wrong options fail at once and are named: %j', (options, problem) => {
  expect(() => openTelemetry(options as never)).toThrow(`openTelemetry${problem}`);
});

it('an option that is undefined counts as not set', () => {
  expect(() => openTelemetry({ mode: undefined, propagator: undefined } as never)).not.toThrow();
});
