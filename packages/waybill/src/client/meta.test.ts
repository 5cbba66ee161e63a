import { describe, expect, it } from 'vitest';
import { modern, rig } from '../../../../test/support/client-rig.js';
import { STATE_CONFLICTS, STATE_SPELLINGS, TRACEPARENT } from '../wire/keys.js';
import { clientContext } from './index.js';

describe('the application’s own keys', () => {
  it.each(['initialize', 'tools/list', 'tools/call', 'server/discover'])(
    'every request carries the application’s own keys: %s',
    async (method) => {
      let calls = 0;
      const { metaOf } = rig({
        meta: { 'com.example/user': { id: 7 }, 'com.example/n': () => ++calls, 'com.example/later': () => Promise.resolve('x') },
      });
      for (const n of [1, 2])
        expect(await metaOf(method, modern())).toMatchObject({
          'com.example/user': { id: 7 },
          'com.example/n': n,
          'com.example/later': 'x',
        });
    },
  );

  it('a caller’s own key beats the application’s; run() adds keys', async () => {
    const { metaOf, waybill } = rig({ meta: { 'com.example/a': 1, 'com.example/b': 1 } });
    expect(await metaOf('tools/list', { _meta: { 'com.example/a': 2 } })).toMatchObject({ 'com.example/a': 2, 'com.example/b': 1 });
    const run = await waybill.run({ meta: { 'com.example/b': 3, 'com.example/c': 3 } }, () => metaOf('tools/list'));
    expect(run).toMatchObject({ 'com.example/a': 1, 'com.example/b': 3, 'com.example/c': 3 });
    waybill.update({ meta: null });
    expect(await metaOf('tools/list')).not.toHaveProperty(['com.example/a']);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('x');
      },
    ],
    ['gives what is not JSON', () => 1n],
    ['gives what is too deep', () => Array.from({ length: 100 }).reduce((inner) => [inner], 0)],
  ])('a function that %s is reported; the other keys are sent', async (_what, bad) => {
    const { metaOf, issues } = rig({ meta: { 'com.example/bad': bad, 'com.example/good': 1 } });
    const meta = await metaOf('tools/list');
    expect(meta).toMatchObject({ 'com.example/good': 1 });
    expect(meta).not.toHaveProperty(['com.example/bad']);
    expect(issues).toMatchObject([{ concern: 'meta', key: 'com.example/bad' }]);
  });

  it.each([
    [{ 'not a key': 1 }, RangeError, 'meta["not a key"]: is not a valid key'],
    [{ [TRACEPARENT]: 'x' }, RangeError, 'meta["traceparent"]: is reserved for the protocol'],
    [{ 'io.modelcontextprotocol/x': 1 }, RangeError, 'is reserved'],
    [{ 'dev.waybill/x': 1 }, RangeError, 'may only be written by the layer'],
    [{ [STATE_SPELLINGS.session[1]]: {} }, RangeError, 'may only be written by the layer'],
    ['x', TypeError, 'meta: expected an object'],
  ])('BASE-05: a name that may not be used fails at construction: %j', (meta, type, message) => {
    expect(() => clientContext({ meta } as never)).toThrow(type);
    expect(() => clientContext({ meta } as never)).toThrow(message);
  });

  it.each([...STATE_SPELLINGS.session, ...STATE_SPELLINGS.server, STATE_CONFLICTS, 'dev.waybill/clientCapabilities'])(
    'a caller cannot write %s; it is dropped and reported',
    async (key) => {
      const { metaOf, issues } = rig();
      expect(await metaOf('tools/call', modern({ _meta: { [key]: { a: 1 }, 'com.example/x': 1 } }))).not.toHaveProperty([key]);
      expect(issues).toMatchObject([{ key, problem: 'may only be written by the layer' }]);
    },
  );

  it('unknown keys and a progress token of the caller pass unchanged', async () => {
    const own = { progressToken: 'p1', 'x.y/z': [1, { __proto__: null, a: null }] };
    expect(await rig({ language: 'de' }).metaOf('tools/call', { _meta: own })).toMatchObject(own);
  });
});
