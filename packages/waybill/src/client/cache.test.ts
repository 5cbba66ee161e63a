import { describe, expect, it } from 'vitest';
import { modern, rig, type Message } from '../../../../test/support/client-rig.js';
import type { VariantOptions } from './cacheStore.js';
import { ACCEPT_LANGUAGE, CLIENT_CAPABILITIES, CONTENT_LANGUAGE, EXTENSION_ID } from '../wire/keys.js';

const LISTS = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'resources/read'];
const answering =
  (meta: Message = {}, ttlMs?: number) =>
  (): Message => ({ tools: [], _meta: meta, ...(ttlMs !== undefined && { ttlMs }) });

describe('a client without a cache of variants', () => {
  const SAID = { [CONTENT_LANGUAGE]: 'fr' };
  it.each(LISTS)('LANG-60: a result that varies is not reused: %s', async (method) => {
    const { ask } = rig({ language: 'fr' }, answering(SAID, 60_000));
    expect((await ask(method, modern())).result.ttlMs).toBe(0);
  });

  it.each([
    ['a server that ignores the preference', { language: 'fr' }, {}, 60_000, 60_000],
    ['nobody has a language', {}, {}, 60_000, 60_000],
    ['no language is asked for, and the server names one', {}, SAID, 60_000, 0],
    [
      'the server names a language and no lifetime: the application may have set one for all results',
      { language: 'fr' },
      SAID,
      undefined,
      0,
    ],
    ['the server names neither a lifetime nor a language', { language: 'fr' }, {}, undefined, undefined],
    ['a preference that is removed for this call', { language: () => null }, {}, 60_000, 0],
    ['an environment', { environmentEverywhere: true, environment: { timezone: 'UTC' } }, {}, 60_000, 0],
    ['an environment under another key', { environmentEverywhere: true, environmentKey: 'acme.example/env' }, {}, 60_000, 0],
    ['an environment and no lifetime: the application may have set one for all results', { environmentEverywhere: true }, {}, undefined, 0],
    ['capabilities of its own', { language: 'fr', capabilities: { roots: {} } }, {}, 60_000, 0],
  ])('a result is reused only if it cannot vary: %s', async (_what, options, meta, ttlMs, expected) => {
    const { ask } = rig(options, answering(meta, ttlMs));
    expect((await ask('tools/list', modern())).result.ttlMs).toBe(expected);
  });

  it.each([{ inputResponses: {} }, { requestState: 's' }])('the answer to a retry is not reused: %j', async (retry) => {
    const { ask } = rig({}, answering({}, 60_000));
    expect((await ask('resources/read', modern(retry))).result.ttlMs).toBe(0);
  });

  it('on a 2025-11-25 connection nothing is added to a result without a lifetime: SDK v1 has no cache', async () => {
    const { ask } = rig({ environmentEverywhere: true }, answering());
    expect((await ask('resources/read')).result).not.toHaveProperty('ttlMs');
  });

  it('no result is reused once a server has named a language', async () => {
    const answers = [{ _meta: SAID }, { ttlMs: 60_000 }];
    const { ask } = rig({ language: 'fr' }, () => answers.shift());
    await ask('tools/call', modern());
    expect((await ask('tools/list', modern())).result.ttlMs).toBe(0);
  });

  it('no result of a server that has this layer is reused', async () => {
    const { ask } = rig({ language: 'fr' }, ({ method }) =>
      method === 'server/discover' ? { capabilities: { extensions: { [EXTENSION_ID]: {} } } } : { ttlMs: 9 },
    );
    await ask('server/discover', modern());
    expect((await ask('tools/list', modern())).result.ttlMs).toBe(0);
  });

  it('results that ask for input, and results of other methods, are left alone', async () => {
    const { ask } = rig({ language: 'fr' }, () => ({ inputRequests: {}, ttlMs: 9, _meta: SAID }));
    expect((await ask('resources/read', modern())).result.ttlMs).toBe(9);
    expect((await ask('tools/call', modern())).result.ttlMs).toBe(9);
  });

  it('results that were kept while no language was set are dropped when the first language is set', async () => {
    const server = ({ method }: Message): Message =>
      method === 'server/discover' ? { capabilities: { tools: {}, resources: {} } } : { ttlMs: 9 };
    const { ask, waybill, delivered } = rig({}, server);
    await ask('server/discover', modern());
    await ask('tools/list', modern());
    await ask('resources/read', modern({ uri: 'note://x' }));
    const told = (): unknown[] => delivered.filter(({ method }) => method !== undefined).map(({ method, params }) => params?.uri ?? method);
    waybill.update({ environment: { timezone: 'UTC' } });
    expect(told()).toEqual([]);
    waybill.run({ language: 'fr' }, () => undefined);
    expect(told()).toEqual(['notifications/tools/list_changed', 'notifications/resources/list_changed', 'note://x']);
    waybill.update({ language: 'de' });
    expect(told()).toHaveLength(3);
    expect((await ask('tools/list', modern({ _meta: {} }))).result.ttlMs).toBe(9);
  });
});

describe('a client that was built with clientOptions()', () => {
  it.each(LISTS)('results keep their lifetime and carry no mark of their variant: %s', async (method) => {
    const { ask, waybill } = rig({ language: 'fr' }, answering({ [CONTENT_LANGUAGE]: 'fr' }, 60_000));
    const { capabilities } = waybill.clientOptions({ capabilities: { roots: {} } });
    const listed = async (): Promise<Message> => (await ask(method, modern({}, { ...capabilities }))).result;
    const [one, two] = [await listed(), await waybill.run({ language: 'de' }, listed)];
    expect([one['ttlMs'], two['ttlMs']]).toEqual([60_000, 60_000]);
    expect([one['_meta'], two['_meta']]).toEqual([{ [CONTENT_LANGUAGE]: 'fr' }, { [CONTENT_LANGUAGE]: 'fr' }]);
  });

  it('on a 2025-11-25 connection the client is recognised by what it declared in initialize', async () => {
    const { ask, waybill } = rig({ language: 'fr' }, () => ({ tools: [{ name: 'x' }] }));
    const { capabilities, responseCacheStore: store } = waybill.clientOptions({
      capabilities: {},
      defaultCacheTtlMs: 9,
    }) as unknown as VariantOptions;
    await ask('initialize', { capabilities });
    const { result } = await ask('tools/list');
    await store.set({ method: 'tools/list' }, { value: JSON.stringify(result), expiresAt: 9 });
    expect(await store.get({ method: 'tools/list' })).toMatchObject({ expiresAt: 9 });
  });

  it('later pages, answers that ask for input, and results that are not kept belong to no variant', async () => {
    const answers = [
      { tools: [{ name: 'x' }], ttlMs: 9 },
      { resultType: 'input_required', inputRequests: {}, ttlMs: 9 },
      { tools: [], ttlMs: 0 },
    ];
    const { ask, waybill } = rig({ language: 'fr' }, () => answers.shift());
    const { capabilities, responseCacheStore: store } = waybill.clientOptions();
    for (const params of [{ cursor: 'c' }, {}, {}]) {
      const { result } = await ask('tools/list', modern(params, capabilities));
      await store.set({ method: 'tools/list' }, { value: JSON.stringify(result), expiresAt: 9 });
      expect(await store.get({ method: 'tools/list' })).not.toHaveProperty('expiresAt');
    }
  });

  it('clientOptions() keeps the options it is given, also the store', () => {
    const { waybill } = rig();
    const given = { capabilities: { roots: {}, extensions: { 'x/y': {} } }, listMaxPages: 3 };
    expect(waybill.clientOptions(given)).toMatchObject({ ...given, capabilities: { extensions: { 'x/y': {}, [EXTENSION_ID]: {} } } });
  });
});

describe('pages', () => {
  it('IX-01: a cursor belongs to the variant that issued it: the next page is in the language of the first', async () => {
    let language = 'fr';
    const { metaOf } = rig({ language: () => language }, ({ params }) =>
      params.cursor === 'p3' ? {} : { nextCursor: params.cursor === 'p2' ? 'p3' : 'p2' },
    );
    const seen = [];
    for (const cursor of [undefined, 'p2', 'p3']) {
      seen.push((await metaOf('tools/list', { ...(cursor !== undefined && { cursor }) }))[ACCEPT_LANGUAGE]);
      language = 'de';
    }
    expect(seen).toEqual(['fr', 'fr', 'fr']);
    expect((await metaOf('tools/list', {}))[ACCEPT_LANGUAGE]).toBe('de');
    expect((await metaOf('prompts/list', { cursor: 'p2' }))[ACCEPT_LANGUAGE]).toBe('de');
  });

  const numbered = ({ params }: Message): Message => ({ ...(params.cursor === undefined && { nextCursor: '2' }) });

  it('D-05: two users who got the same cursor do not get each other’s values', async () => {
    const { metaOf, waybill } = rig({}, numbered);
    const own = 'com.example/tenant';
    const users = [
      { principal: 'ada', language: 'fr', meta: { [own]: 'of ada' } },
      { principal: 'bob', language: 'de', meta: { [own]: 'of bob' } },
    ];
    for (const values of users) await waybill.run(values, () => metaOf('tools/list', {}));
    for (const values of users)
      expect(await waybill.run(values, () => metaOf('tools/list', { cursor: '2' }))).toMatchObject({
        [ACCEPT_LANGUAGE]: values.language,
        [own]: values.meta[own],
      });
  });

  it('D-05: a cursor that only another user got does not change the language of this user', async () => {
    const { metaOf, waybill } = rig({}, numbered);
    await waybill.run({ principal: 'ada', language: 'fr' }, () => metaOf('tools/list', {}));
    const page = (principal?: string): Promise<Message> =>
      waybill.run({ language: 'de', ...(principal !== undefined && { principal }) }, () => metaOf('tools/list', { cursor: '2' }));
    expect((await page('bob'))[ACCEPT_LANGUAGE]).toBe('de');
    expect((await page())[ACCEPT_LANGUAGE]).toBe('de');
    expect((await page('ada'))[ACCEPT_LANGUAGE]).toBe('fr');
  });

  it('a later page takes only language and capabilities from the first page; everything else comes from the call', async () => {
    const { metaOf, waybill } = rig({ language: 'fr', meta: { 'com.example/turn': 1 } }, numbered);
    await metaOf('tools/list', {});
    waybill.update({ language: 'de', meta: { 'com.example/turn': 2 } });
    expect(await metaOf('tools/list', { cursor: '2' })).toMatchObject({ [ACCEPT_LANGUAGE]: 'fr', 'com.example/turn': 2 });
  });

  it('IX-01: if several variants issued the same cursor, the current variant is taken, or else the last one', async () => {
    const { metaOf, waybill } = rig({}, numbered);
    const page = async (language: () => unknown, cursor?: string): Promise<unknown> =>
      (await waybill.run({ language } as never, () => metaOf('tools/list', { ...(cursor !== undefined && { cursor }) })))[ACCEPT_LANGUAGE];
    for (const tag of ['fr', 'de']) await page(() => tag);
    expect(await page(() => Promise.resolve('fr'), '2')).toBe('fr');
    expect(await page(() => 'de', '2')).toBe('de');
    expect(await page(() => 'it', '2')).toBe('de');
  });

  it('IX-01: a later page has the capabilities of the first page', async () => {
    const { metaOf, waybill } = rig({}, numbered);
    const page = async (capabilities: Message, params: Message = {}): Promise<unknown> =>
      (await waybill.run({ capabilities }, () => metaOf('tools/list', modern(params))))[CLIENT_CAPABILITIES];
    for (const capabilities of [{ roots: {} }, { sampling: {} }]) await page(capabilities);
    expect(await page({ roots: {} }, { cursor: '2' })).toHaveProperty('roots');
    expect(await page({ sampling: {} }, { cursor: '2' })).toHaveProperty('sampling');
    expect(await page({ elicitation: {} }, { cursor: '2' })).toHaveProperty('sampling');
  });
});
