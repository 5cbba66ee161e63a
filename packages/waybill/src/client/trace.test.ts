import { describe, expect, it } from 'vitest';
import { modern, rig, type Message } from '../../../../test/support/client-rig.js';
import { BAGGAGE, TRACEPARENT, TRACESTATE } from '../wire/keys.js';
import { parseTraceparent } from '../wire/trace.js';
import { clientContext } from './index.js';

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const ids = (meta: Message): { traceId: string; parentId: string } => parseTraceparent(meta[TRACEPARENT])!;

describe('the trace of a request', () => {
  it.each(['initialize', 'server/discover', 'tools/list', 'tools/call', 'ping', 'subscriptions/listen'])(
    'TRACE-03: every request carries a trace, with a span of its own: %s',
    async (method) => {
      const { metaOf } = rig({ trace: 'start' });
      const [one, two] = [ids(await metaOf(method)), ids(await metaOf(method, modern()))];
      expect(one.traceId).not.toBe(two.traceId);
      expect(one.parentId).not.toBe(two.parentId);
    },
  );

  it.each([
    ['a traceparent', PARENT, {}],
    ['a whole trace', { [TRACEPARENT]: PARENT, [TRACESTATE]: 'a=1' }, { [TRACESTATE]: 'a=1' }],
    ['a function', () => PARENT, {}],
    ['a function that takes its time', () => Promise.resolve({ [TRACEPARENT]: PARENT, [TRACESTATE]: 'a=1' }), { [TRACESTATE]: 'a=1' }],
  ])('TRACE-11: the trace continues %s, with a span of its own', async (_what, trace, expected) => {
    const { metaOf } = rig({ trace });
    const metas = [await metaOf('tools/call'), await metaOf('tools/call')];
    for (const meta of metas) expect(meta).toMatchObject(expected);
    expect(metas.map((meta) => ids(meta).traceId)).toEqual(Array(2).fill('0af7651916cd43dd8448eb211c80319c'));
    expect(new Set([...metas.map((meta) => ids(meta).parentId), 'b7ad6b7169203331']).size).toBe(3);
  });

  it('D-28: without a source no trace is sent, on requests and on notifications', async () => {
    const { metaOf, transport, sent } = rig({});
    expect(await metaOf('tools/call')).not.toHaveProperty([TRACEPARENT]);
    await transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(sent.at(-1)).toEqual({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  });

  it('D-28: a retry continues the trace that its caller wrote on the first request', async () => {
    const { metaOf } = rig({}, () => ({ resultType: 'input_required', inputRequests: { q: {} }, requestState: 's1' }));
    await metaOf('tools/call', { name: 'x', _meta: { [TRACEPARENT]: PARENT } });
    const retry = ids(await metaOf('tools/call', { name: 'x', inputResponses: { q: {} }, requestState: 's1' }));
    expect(retry.traceId).toBe('0af7651916cd43dd8448eb211c80319c');
  });

  it('no trace is sent if it is null, or if a function returns none', async () => {
    for (const trace of [null, () => undefined]) expect(await rig({ trace }).metaOf('tools/call')).not.toHaveProperty([TRACEPARENT]);
  });

  it('a caller’s own trace stays whole: our tracestate is not added to it', async () => {
    const { metaOf } = rig({ trace: { [TRACEPARENT]: PARENT, [TRACESTATE]: 'a=1' } });
    const own = PARENT.replace('0af', '1bc');
    const meta = await metaOf('tools/call', { _meta: { [TRACEPARENT]: own } });
    expect([meta[TRACEPARENT], meta[TRACESTATE]]).toEqual([own, undefined]);
  });

  it('IX-14: a retry after an input-required result is a new span of the same trace, also if the program makes it by hand', async () => {
    const { metaOf } = rig({ trace: 'start' }, () => ({ resultType: 'input_required', inputRequests: { q: {} }, requestState: 's1' }));
    const args = { a: 1 };
    const first = ids(await metaOf('tools/call', { name: 'x', arguments: args }));
    const retry = ids(await metaOf('tools/call', { name: 'x', arguments: args, inputResponses: { q: {} }, requestState: 's1' }));
    const byHand = ids(await metaOf('tools/call', { name: 'x', arguments: { a: 1 }, inputResponses: { q: {} }, requestState: 's1' }));
    expect([retry.traceId, byHand.traceId]).toEqual([first.traceId, first.traceId]);
    expect(new Set([first.parentId, retry.parentId, byHand.parentId]).size).toBe(3);
    const other = ids(await metaOf('tools/call', { name: 'x', arguments: args }));
    expect(other.traceId).not.toBe(first.traceId);
  });

  it('TRACE-03: a notification carries the given trace, or begins one like a request; null sends none', async () => {
    const { transport, sent } = rig({ trace: PARENT });
    await transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(ids(sent[0]!['params']._meta).traceId).toBe('0af7651916cd43dd8448eb211c80319c');
    const begun = rig({ trace: 'start' });
    await begun.transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(ids(begun.sent[0]!['params']._meta).traceId).toMatch(/^[0-9a-f]{32}$/);
    const bare = rig({ trace: null });
    await bare.transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(bare.sent[0]).toEqual({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('x');
      },
    ],
    ['gives no trace', () => '00-xyz'],
  ])('a function that %s is reported, and the call goes on', async (_what, trace) => {
    const { metaOf, issues } = rig({ trace });
    expect(await metaOf('tools/call')).not.toHaveProperty([TRACEPARENT]);
    expect(issues).toMatchObject([{ concern: 'trace' }]);
  });

  it.each([
    ['00-0', RangeError, /^trace: is not a/],
    [{ [TRACEPARENT]: 'x' }, RangeError, /^trace\.traceparent: is not a/],
    [7, TypeError, /^trace: expected/],
  ])('a wrong trace fails at construction: %j', (trace, type, message) => {
    expect(() => clientContext({ trace } as never)).toThrow(type);
    expect(() => clientContext({ trace } as never)).toThrow(message);
  });

  it('ids come from the given random function and are never all zero', async () => {
    const { metaOf } = rig({ trace: 'start', random: (bytes) => bytes.fill(0) });
    expect((await metaOf('tools/call'))[TRACEPARENT]).toBe(`00-${'0'.repeat(31)}1-${'0'.repeat(15)}1-03`);
  });
});

describe('baggage', () => {
  const trace = { [TRACEPARENT]: PARENT, [BAGGAGE]: 'user=ada,session=9' };

  it.each([
    ['none by default', {}, undefined],
    ['what is on the list', { baggage: ['session'] }, 'session=9'],
  ])('D-20: baggage leaves only through an allow-list: %s', async (_what, options, expected) => {
    expect((await rig({ trace, ...options }).metaOf('tools/call'))[BAGGAGE]).toBe(expected);
  });

  it.each([
    ['none by default', {}, undefined, 1],
    ['what is on the list', { baggage: ['session'] }, 'session=9', 1],
    ['all of it', { baggage: ['session', 'user'] }, 'user=ada,session=9', 0],
  ])('D-25: the allow-list applies to baggage of a caller or another library too: %s', async (_what, options, expected, reported) => {
    const { metaOf, issues } = rig(options);
    expect((await metaOf('tools/call', { _meta: { [BAGGAGE]: 'user=ada,session=9' } }))[BAGGAGE]).toBe(expected);
    expect(issues).toHaveLength(reported);
  });

  it.each([
    ['none by default', {}, undefined, 1],
    ['what is on the list', { baggage: ['session'] }, 'session=9', 1],
    ['all of it', { baggage: ['session', 'user'], trace: null }, 'user=ada,session=9', 0],
    ['no trace, so no baggage', { trace: null }, undefined, 1],
  ])('D-20, D-25: the allow-list applies to notifications: %s', async (_what, options, expected, reported) => {
    const { transport, sent, issues } = rig(options);
    const params = { progressToken: 1, progress: 1, _meta: { [BAGGAGE]: 'user=ada,session=9' } };
    await transport.send({ jsonrpc: '2.0', method: 'notifications/progress', params });
    expect(sent[0]?.['params']._meta[BAGGAGE]).toBe(expected);
    expect(issues).toHaveLength(reported);
  });

  it('D-20: the allow-list applies to the spellings of Jaeger and OpenTracing, and to no other key', async () => {
    const { metaOf, transport, sent, issues } = rig({ baggage: ['session'], trace: null });
    const others = { 'uber-trace-id': 'a:b:0:1', 'uberctx-x/y': 1, 'x/uberctx-user': 1 };
    const _meta = { ...others, 'uberctx-user': 'ada', 'uberctx-session': '9', 'ot-baggage-user': 'ada', 'ot-baggage-session': '9' };
    const kept = { ...others, 'uberctx-session': '9', 'ot-baggage-session': '9' };
    expect(await metaOf('tools/list', { _meta })).toEqual(kept);
    await transport.send({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1, _meta } });
    expect(sent[1]?.['params']._meta).toEqual(kept);
    expect(issues).toHaveLength(2);
  });
});
