import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CLIENT_CONTEXT } from '../keys.js';
import { liftEnvironment, lowerEnvironment } from './carrier.js';

const context = { timezone: 'Europe/Vienna' };
const other = { timezone: 'Asia/Tokyo' };
const call = (rest: object, params: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'x', ...params },
  ...rest,
});

describe('lifting', () => {
  it('CTX-21: the sibling of params moves into _meta, beside what is there', () => {
    const sent = call({ clientContext: context }, { arguments: { q: 1 }, _meta: { progressToken: 7 } });
    const before = structuredClone(sent);
    expect(liftEnvironment(sent)).toEqual(call({}, { arguments: { q: 1 }, _meta: { progressToken: 7, [CLIENT_CONTEXT]: context } }));
    expect(sent).toEqual(before);
  });

  it('D-03: a member of params moves too, and the key is configurable', () => {
    expect(liftEnvironment(call({}, { clientContext: context }), { environmentKey: 'com.example/context' })).toEqual(
      call({}, { _meta: { 'com.example/context': context } }),
    );
  });

  it('D-03: _meta beats the sibling, the sibling beats the member, and the losers are removed', () => {
    const all = call({ clientContext: other }, { clientContext: other, _meta: { [CLIENT_CONTEXT]: context } });
    expect(liftEnvironment(all)).toEqual(call({}, { _meta: { [CLIENT_CONTEXT]: context } }));
    const two = call({ clientContext: context }, { clientContext: other });
    expect(liftEnvironment(two)).toEqual(call({}, { _meta: { [CLIENT_CONTEXT]: context } }));
  });

  it('a malformed context is lifted unchanged: the reader reports it, and the call is not refused for it', () => {
    for (const value of [null, 0, '', 'x', [], false])
      expect(liftEnvironment(call({ clientContext: value }))).toEqual(call({}, { _meta: { [CLIENT_CONTEXT]: value } }));
  });

  it('a sibling is lifted on any method; a parameter of that name on another method is left alone', () => {
    const read = { jsonrpc: '2.0', id: 1, method: 'resources/read', clientContext: context };
    expect(liftEnvironment(read)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'resources/read',
      params: { _meta: { [CLIENT_CONTEXT]: context } },
    });
    const own = { jsonrpc: '2.0', id: 1, method: 'com.example/run', params: { clientContext: { theirs: true } } };
    expect(liftEnvironment(own)).toBe(own);
  });

  it.each([
    ['a call without context', call({})],
    ['a call with it in _meta', call({}, { _meta: { [CLIENT_CONTEXT]: context } })],
    ['a result', { jsonrpc: '2.0', id: 1, result: {}, clientContext: context }],
    ['a method that is not a string', { method: 1, clientContext: context }],
    ['params that are an array', { method: 'tools/call', params: [1], clientContext: context }],
    ['params that are null', { method: 'tools/call', params: null, clientContext: context }],
    ['a _meta that is text', call({ clientContext: context }, { _meta: 'text' })],
    ['a _meta that is null', call({ clientContext: context }, { _meta: null })],
    ['an array', [call({ clientContext: context })]],
    ['an inherited sibling', Object.create({ method: 'tools/call', clientContext: context })],
  ])('%s is returned as it came', (_what, message) => {
    const before = structuredClone(message);
    expect(liftEnvironment(message)).toBe(message);
    expect(message).toEqual(before);
  });

  it('a hostile key or member name changes no prototype', () => {
    const message = JSON.parse(
      '{"method":"tools/call","params":{"__proto__":{"a":1},"_meta":{"__proto__":{"b":2}}},"clientContext":{"__proto__":{}}}',
    );
    const lifted = liftEnvironment(message, { environmentKey: '__proto__' });
    expect(Object.getPrototypeOf(lifted.params)).toBe(Object.prototype);
    expect(Object.getPrototypeOf(lifted.params._meta)).toBe(Object.prototype);
    expect(JSON.stringify(lifted)).toBe('{"method":"tools/call","params":{"__proto__":{"a":1},"_meta":{"__proto__":{"b":2}}}}');
  });

  const hostile = fc.record(
    {
      method: fc.oneof(fc.constant('tools/call'), fc.jsonValue()),
      params: fc.oneof(fc.record({ _meta: fc.jsonValue(), clientContext: fc.jsonValue() }, { requiredKeys: [] }), fc.jsonValue()),
      clientContext: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );

  it('lifting never throws and never changes its input', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, fc.jsonValue()), (message) => {
        const before = JSON.stringify(message);
        const lifted = liftEnvironment(message);
        liftEnvironment(lowerEnvironment(message));
        expect(liftEnvironment(lifted)).toBe(lifted);
        expect(JSON.stringify(message)).toBe(before);
      }),
    );
  });
});

describe('lowering', () => {
  it('CTX-20: the context leaves _meta for the seed’s place on a tools/call only', () => {
    const sent = call({}, { _meta: { progressToken: 7, [CLIENT_CONTEXT]: context } });
    const before = structuredClone(sent);
    expect(lowerEnvironment(sent)).toEqual(call({ clientContext: context }, { _meta: { progressToken: 7 } }));
    expect(sent).toEqual(before);
    const list = { ...sent, method: 'tools/list' };
    expect(lowerEnvironment(list)).toBe(list);
  });

  it('lowering leaves no empty _meta, and returns the same object if there is nothing to lower', () => {
    expect(lowerEnvironment(call({}, { _meta: { [CLIENT_CONTEXT]: context } }))).toEqual(call({ clientContext: context }));
    const plain = call({}, { _meta: { progressToken: 1 } });
    expect(lowerEnvironment(plain)).toBe(plain);
  });

  it('lifting undoes lowering', () => {
    const meta = fc.dictionary(fc.string(), fc.jsonValue()).map((rest) => ({ ...rest, [CLIENT_CONTEXT]: context }));
    fc.assert(
      fc.property(meta, fc.dictionary(fc.string(), fc.jsonValue()), (_meta, rest) => {
        const message = call({}, { arguments: rest, _meta });
        expect(liftEnvironment(lowerEnvironment(message))).toEqual(message);
      }),
    );
  });
});
