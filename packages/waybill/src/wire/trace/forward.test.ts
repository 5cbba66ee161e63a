import { describe, expect, it } from 'vitest';
import { forwardHeaders, type ForwardOptions } from './forward.js';

const GOOD = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const OTHER = '00-11111111111111111111111111111111-2222222222222222-00';
const accept = { Accept: 'application/json' };

describe('forwardHeaders', () => {
  it.each<[string, Record<string, unknown>, Record<string, string>, Record<string, string>, ForwardOptions?]>([
    [
      'trace context and baggage, and nothing else',
      { traceparent: GOOD, tracestate: 'a=1', baggage: 'k=v', tenant: 't' },
      accept,
      { ...accept, traceparent: GOOD, tracestate: 'a=1', baggage: 'k=v' },
    ],
    ['nothing where there is nothing', {}, { ...accept, traceparent: OTHER }, { ...accept, traceparent: OTHER }],
    [
      'the whole group, so that a foreign tracestate is removed',
      { traceparent: GOOD },
      { Traceparent: OTHER, Tracestate: 'b=2' },
      { traceparent: GOOD },
    ],
    ['no tracestate without its traceparent', { tracestate: 'a=1' }, { traceparent: OTHER }, { traceparent: OTHER }],
    [
      'no malformed traceparent, and not its tracestate',
      { traceparent: 'x', tracestate: 'a=1' },
      { traceparent: OTHER, tracestate: 'b=2' },
      { traceparent: OTHER, tracestate: 'b=2' },
    ],
    ['no malformed tracestate', { traceparent: GOOD, tracestate: 'A=1' }, { tracestate: 'b=2' }, { traceparent: GOOD }],
    ['baggage over baggage', { baggage: 'k=v' }, { Baggage: 'old=1' }, { baggage: 'k=v' }],
    ['existing baggage, if _meta has none', { traceparent: GOOD }, { baggage: 'old=1' }, { traceparent: GOOD, baggage: 'old=1' }],
    ['no value that is not a text', { traceparent: [GOOD], baggage: 7 }, {}, {}],
    ['no line break', { baggage: 'k=v\r\nX-Evil: 1' }, {}, {}],
    ['no tab, no other script', { baggage: 'k=\tv' }, {}, {}],
    ['nothing longer than 256', { baggage: `k=${'x'.repeat(300)}` }, {}, {}],
    ['longer where that is allowed', { baggage: `k=${'x'.repeat(300)}` }, {}, { baggage: `k=${'x'.repeat(300)}` }, { maxValue: 8192 }],
    ['no more than the total', { traceparent: GOOD, baggage: 'k=v' }, {}, { traceparent: GOOD }, { maxTotal: 70 }],
    [
      'ignore-meta',
      { traceparent: GOOD, baggage: 'k=v' },
      { baggage: 'old=1' },
      { traceparent: GOOD, baggage: 'old=1' },
      { groups: { baggage: { policy: 'ignore-meta' } } },
    ],
    [
      'D-35: nothing if the validator returns a promise or another truthy value',
      { 'x-a': '1', 'x-b': '2' },
      {},
      {},
      {
        groups: {
          own: {
            policy: 'clear-and-use-meta',
            headers: ['x-a', 'x-b'],
            validators: { 'x-a': () => Promise.resolve(false) as never, 'x-b': () => 1 as never },
          },
        },
      },
    ],
    [
      'your own group, with its required headers and validators',
      { 'x-tenant-id': 't1', 'x-request-id': 'bad id' },
      {},
      { 'x-tenant-id': 't1' },
      {
        groups: {
          internal: {
            policy: 'prefer-meta',
            headers: ['x-tenant-id', 'x-request-id'],
            validators: { 'x-request-id': (value) => /^\w+$/.test(value) },
          },
        },
      },
    ],
    [
      'nothing of a group whose required header failed its validator',
      { 'x-a': '1', 'x-b': '2' },
      {},
      {},
      { groups: { own: { policy: 'clear-and-use-meta', headers: ['x-a', 'x-b'], required: ['x-a'], validators: { 'x-a': () => false } } } },
    ],
  ])('TRACE-15: %s', (_what, meta, existing, expected, options) => {
    expect(forwardHeaders(meta, existing, options)).toEqual(expected);
    expect(forwardHeaders(meta, new Headers(existing), options)).toEqual(
      Object.fromEntries(Object.entries(expected).map(([name, value]) => [name.toLowerCase(), value])),
    );
  });

  it('keys of a prototype are ignored', () => {
    expect(forwardHeaders(Object.create({ traceparent: GOOD }) as Record<string, unknown>)).toEqual({});
  });

  it.each<[ForwardOptions['groups'], RegExp]>([
    [{ own: { policy: 'prefer-meta' } }, /groups.own.headers/],
    [{ own: { headers: ['x'] } }, /groups.own.policy/],
    [{ baggage: { policy: 'always' as never } }, /groups.baggage.policy/],
    [{ own: { policy: 'prefer-meta', headers: ['Authorization'] } }, /Authorization/],
    [{ own: { policy: 'prefer-meta', headers: ['a b'] } }, /a b/],
    ...[
      'cookie',
      'Set-Cookie',
      'host',
      'Connection',
      'keep-alive',
      'TE',
      'trailer',
      'Transfer-Encoding',
      'upgrade',
      'Content-Length',
      'Proxy-Authorization',
      'proxy-connection',
      'Sec-Fetch-Site',
    ].map((name): [ForwardOptions['groups'], RegExp] => [
      { own: { policy: 'prefer-meta', headers: ['x-fine', name] } },
      new RegExp(`groups.own.headers: expected headers that may be forwarded, got "${name}`),
    ]),
  ])('a wrong or dangerous configuration fails: %j', (groups, error) => {
    expect(() => forwardHeaders({}, {}, { groups: groups ?? {} })).toThrow(error);
  });
});
