import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concernNames, keysOf } from './concerns.js';
import { redact, redactMeta } from './redact.js';

const trace = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', baggage: 'user=SECRET' };
const personal = {
  ...trace,
  'io.modelcontextprotocol/clientContext': { timezone: 'SECRET' },
  'modelcontextprotocol.io/state/session': { cart: 'SECRET' },
  'openai/userLocation': { city: 'SECRET' },
  'vendor.example/anything': 'SECRET',
};
const protocol = {
  progressToken: 1,
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/contentLanguage': 'fr',
};

describe('TRACE-13: redaction', () => {
  it.each<[string, object, object]>([
    [
      'a request',
      { id: 1, method: 'tools/call', params: { name: 'x', arguments: { a: 1 }, _meta: { ...personal, ...protocol } } },
      { id: 1, method: 'tools/call', params: { name: 'x', arguments: { a: 1 }, _meta: protocol } },
    ],
    [
      'a context beside params',
      { id: 1, method: 'tools/call', clientContext: { timezone: 'SECRET' }, params: { name: 'x' } },
      { id: 1, method: 'tools/call', params: { name: 'x' } },
    ],
    [
      'a notification',
      { method: 'notifications/progress', params: { progress: 1, _meta: trace } },
      { method: 'notifications/progress', params: { progress: 1 } },
    ],
    [
      'a result, and the blocks in it',
      { id: 1, result: { content: [{ type: 'text', text: 'x', _meta: personal }], _meta: personal } },
      { id: 1, result: { content: [{ type: 'text', text: 'x' }] } },
    ],
    ['a result alone, as a client returns it', { content: [], _meta: personal }, { content: [] }],
    [
      'an error',
      { id: 1, error: { code: 1, message: 'm', data: { _meta: personal } } },
      { id: 1, error: { code: 1, message: 'm', data: {} } },
    ],
    ['a prompt message', { messages: [{ content: { type: 'text', _meta: trace } }] }, { messages: [{ content: { type: 'text' } }] }],
    ['a _meta that is no object', { params: { _meta: 'SECRET' } }, { params: {} }],
  ])('%s', (_what, message, expected) => {
    const before = JSON.stringify(message);
    expect(redact(message)).toEqual(expected);
    expect(JSON.stringify(message)).toBe(before);
  });

  it('arguments and content of a tool are no metadata, even if they look like it', () => {
    const message = { method: 'tools/call', params: { name: 'x', arguments: { _meta: trace } } };
    expect(redact(message)).toBe(message);
  });

  it('a mark replaces each removed value, and your own list decides which keys stay', () => {
    expect(redactMeta({ ...trace, progressToken: 1 }, { mark: '…' })).toEqual({ traceparent: '…', baggage: '…', progressToken: 1 });
    expect(redactMeta({ ...trace, progressToken: 1 }, { keep: ['traceparent'] })).toEqual({ traceparent: trace.traceparent });
    expect(redact({ _meta: {} })).toEqual({ _meta: {} });
  });

  it('no key of trace, state or environment stays, in any spelling', () => {
    const keys = concernNames.filter((name) => name !== 'language' && name !== 'capabilities');
    const meta = Object.fromEntries([...keysOf(keys)].map((key) => [key, 'SECRET']));
    expect(redactMeta(meta)).toEqual({});
  });

  it('redact takes any JSON of any depth and never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        redact(value);
      }),
    );
    let deep: unknown = { _meta: trace };
    for (let n = 0; n < 100_000; n++) deep = { deep };
    expect(() => redact(deep)).not.toThrow();
    const own = JSON.parse('{"_meta":{"__proto__":"SECRET","progressToken":1}}') as object;
    expect(JSON.stringify(redact(own))).toBe('{"_meta":{"progressToken":1}}');
  });
});
