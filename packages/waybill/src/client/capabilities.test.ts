import { describe, expect, it } from 'vitest';
import { modern, rig, type Message } from '../../../../test/support/client-rig.js';
import { ContextError } from '../wire/errors.js';
import {
  CLIENT_CAPABILITIES,
  EXTENSION_ID,
  OWN_CLIENT_CAPABILITIES,
  REQUIRED_CAPABILITIES,
  UNAVAILABLE,
  WHEN_CAPABILITIES_UNAVAILABLE,
} from '../wire/keys.js';
import { clientContext } from './index.js';

const OURS = { extensions: { [EXTENSION_ID]: {} } };

describe('the capabilities of a request', () => {
  it.each(['server/discover', 'tools/list', 'tools/call', 'subscriptions/listen'])(
    'every envelope declares the extension: %s',
    async (method) => {
      const meta = await rig().metaOf(method, modern({}, { roots: {}, extensions: { 'x/y': { a: 1 } } }));
      expect(meta[CLIENT_CAPABILITIES]).toEqual({ roots: {}, extensions: { 'x/y': { a: 1 }, [EXTENSION_ID]: {} } });
    },
  );

  it('settings of the extension that the application wrote stay', async () => {
    const meta = await rig().metaOf('tools/list', modern({}, { extensions: { [EXTENSION_ID]: { a: 1 } } }));
    expect(meta[CLIENT_CAPABILITIES]).toEqual({ extensions: { [EXTENSION_ID]: { a: 1 } } });
  });

  it('on a 2025-11-25 connection initialize declares the extension, and requests do not repeat it', async () => {
    const { ask, metaOf, sent } = rig();
    await ask('initialize', { protocolVersion: '2025-11-25', capabilities: { roots: {} } });
    expect(sent[0]!['params'].capabilities).toEqual({ roots: {}, ...OURS });
    const meta = await metaOf('tools/list');
    expect(Object.keys(meta).filter((key) => /apabilities/.test(key))).toEqual([]);
  });

  it.each([
    ['update()', (r: any, act: () => Promise<Message>) => (r.waybill.update({ capabilities: { sampling: {} } }), act())],
    ['run()', (r: any, act: () => Promise<Message>) => r.waybill.run({ capabilities: { sampling: {} } }, act)],
  ])('CAP-01: a request declares what %s says, in the envelope or under our own key', async (_how, under) => {
    const new_ = rig();
    await new_.ask('server/discover', modern({}, { roots: {} }));
    const meta = await under(new_, () => new_.metaOf('tools/list', modern({}, { roots: {} })));
    expect(meta[CLIENT_CAPABILITIES]).toEqual({ sampling: {}, ...OURS });
    const old = rig();
    await old.ask('initialize', { capabilities: { roots: {} } });
    const legacy = await under(old, () => old.metaOf('tools/list'));
    expect(legacy[OWN_CLIENT_CAPABILITIES]).toEqual({ sampling: {}, ...OURS });
    expect(legacy).not.toHaveProperty([CLIENT_CAPABILITIES]);
  });

  it('a caller’s own declaration beats the layer’s; what the client was built with does not', async () => {
    const { ask, metaOf, waybill } = rig({ capabilities: { sampling: {} } });
    await ask('server/discover', modern({}, { roots: {} }));
    expect((await metaOf('tools/call', modern({}, { roots: {} })))[CLIENT_CAPABILITIES]).toEqual({ sampling: {}, ...OURS });
    expect((await metaOf('tools/call', modern({}, { elicitation: {} })))[CLIENT_CAPABILITIES]).toEqual({ elicitation: {}, ...OURS });
    waybill.update({ capabilities: null });
    expect((await metaOf('tools/call', modern({}, { roots: {} })))[CLIENT_CAPABILITIES]).toEqual({ roots: {}, ...OURS });
  });

  it('a second client on the same transport may be built with other capabilities', async () => {
    const { ask, metaOf, transport, waybill } = rig();
    await ask('server/discover', modern({}, { roots: {} }));
    await transport.close();
    await ask('server/discover', modern({}, { elicitation: {} }));
    waybill.update({ capabilities: { sampling: {} } });
    expect((await metaOf('tools/call', modern({}, { elicitation: {} })))[CLIENT_CAPABILITIES]).toEqual({ sampling: {}, ...OURS });
    expect((await metaOf('tools/call', modern({}, { roots: {} })))[CLIENT_CAPABILITIES]).toEqual({ roots: {}, ...OURS });
  });

  it('D-16: a function may declare less to one server than to another', async () => {
    const capabilities = ({ connection }: { connection: { server: string | undefined } }): any =>
      connection.server === 'known' ? { roots: {}, sampling: {} } : { roots: {} };
    for (const [server, expected] of [
      ['known', { roots: {}, sampling: {} }],
      ['other', { roots: {} }],
    ] as const) {
      const { metaOf } = rig({ capabilities }, undefined, { server });
      expect((await metaOf('tools/call', modern()))[CLIENT_CAPABILITIES]).toMatchObject(expected);
    }
  });

  it('a legacy server that declares the extension gets the capabilities on every request', async () => {
    const { ask, metaOf } = rig({}, ({ method }) =>
      method === 'initialize' ? { capabilities: { tools: {}, extensions: { [EXTENSION_ID]: {} } } } : {},
    );
    await ask('initialize', { capabilities: { roots: {} } });
    expect((await metaOf('tools/call'))[OWN_CLIENT_CAPABILITIES]).toEqual({ roots: {}, ...OURS });
  });

  it('capabilities that are not objects fail at construction', () => {
    for (const capabilities of [7, [], 'x']) expect(() => clientContext({ capabilities } as never)).toThrow(/^capabilities: /);
    expect(() => clientContext({ tools: { unmet: 'hide' } } as never)).toThrow(/^tools.unmet: expected one of filter, disable, allow/);
    expect(() => clientContext({ tools: { filter: true } } as never)).toThrow(/^tools.filter: /);
  });

  it('a function that throws is reported, and the client’s own capabilities are sent', async () => {
    const { metaOf, issues } = rig({
      capabilities: () => {
        throw new Error('x');
      },
    });
    expect((await metaOf('tools/call', modern({}, { roots: {} })))[CLIENT_CAPABILITIES]).toEqual({ roots: {}, ...OURS });
    expect(issues).toMatchObject([{ concern: 'capabilities' }]);
  });
});

const needs = (name: string, required: unknown, unless?: unknown): Message => ({
  name,
  inputSchema: { type: 'object' },
  _meta: { 'x/y': 1, [REQUIRED_CAPABILITIES]: required, ...(unless !== undefined && { [WHEN_CAPABILITIES_UNAVAILABLE]: unless }) },
});
const TOOLS = [
  { name: 'plain' },
  needs('asks', { elicitation: { form: {} } }),
  needs('samples', { sampling: { tools: {} } }),
  needs('both', { roots: {}, extensions: { 'a/b': {} } }),
];
const listing = ({ method }: Message): Message => (method === 'tools/list' ? { tools: TOOLS, nextCursor: 'n' } : {});
const DECLARED = { elicitation: {}, sampling: {} };
const list = async (r: { ask(method: string, params: Message): Promise<Message> }, declared: Message = DECLARED): Promise<Message[]> =>
  (await r.ask('tools/list', modern({}, declared))).result.tools;

describe('tools that need more than the client declared', () => {
  it('CAP-12, CAP-13, CAP-14: the client does not offer them by default', async () => {
    const names = async (declared: Message): Promise<string[]> => (await list(rig({}, listing), declared)).map(({ name }) => name);
    expect(await names(DECLARED)).toEqual(['plain', 'asks']);
    expect(await names({})).toEqual(['plain']);
    expect(await names({ sampling: { tools: {} }, roots: {}, extensions: { 'a/b': {} } })).toEqual(['plain', 'samples', 'both']);
  });

  it('a list without a change is the very message that came, with its cursor and order', async () => {
    const { ask, delivered } = rig({}, () => ({ tools: [{ name: 'b' }, { name: 'a' }], nextCursor: 'n' }));
    await ask('tools/list', modern());
    expect(delivered[0]!['result']).toEqual({ tools: [{ name: 'b' }, { name: 'a' }], nextCursor: 'n' });
  });

  it('CAP-14: under "disable" the client offers them with the reason, and a call fails with a clear error before it is sent', async () => {
    const r = rig({ tools: { unmet: 'disable' } }, listing);
    const tools = await list(r);
    expect(tools.map(({ name, _meta }) => [name, _meta?.[UNAVAILABLE]])).toEqual([
      ['plain', undefined],
      ['asks', undefined],
      ['samples', { reason: 'needs sampling.tools, which this client did not declare', missing: { sampling: { tools: {} } } }],
      [
        'both',
        { reason: 'needs roots and extensions.a/b, which this client did not declare', missing: { roots: {}, extensions: { 'a/b': {} } } },
      ],
    ]);
    expect(tools[2]!['_meta']['x/y']).toBe(1);
    const before = r.sent.length;
    const call = r.ask('tools/call', modern({ name: 'samples' }, DECLARED));
    await expect(call).rejects.toThrow(ContextError);
    await expect(call).rejects.toMatchObject({
      code: -32021,
      message: expect.stringContaining('"samples" needs sampling.tools'),
      data: { requiredCapabilities: { sampling: { tools: {} } } },
    });
    expect(r.sent.length).toBe(before);
    await r.ask('tools/call', modern({ name: 'asks' }, DECLARED));
    await r.waybill.run({ capabilities: { sampling: { tools: {} } } }, () => r.ask('tools/call', modern({ name: 'samples' }, DECLARED)));
    expect(r.sent.length).toBe(before + 2);
  });

  it('CAP-14: under "allow" the client offers them unchanged, and a call fails with a clear error', async () => {
    const r = rig({ tools: { unmet: 'allow' } }, listing);
    expect(await list(r)).toEqual(TOOLS);
    await expect(r.ask('tools/call', modern({ name: 'both' }, DECLARED))).rejects.toThrow(/"both" needs roots and extensions/);
  });

  it.each(['disable', 'allow'] as const)(
    'CAP-14: under %s a call of a tool that was not listed yet goes to the server, which may refuse it',
    async (unmet) => {
      const r = rig({ tools: { unmet } }, listing);
      await r.ask('tools/call', modern({ name: 'samples' }, DECLARED));
      expect(r.sent).toHaveLength(1);
      await list(r);
      await expect(r.ask('tools/call', modern({ name: 'samples' }, DECLARED))).rejects.toThrow(/"samples" needs sampling/);
      expect(r.sent).toHaveLength(2);
    },
  );

  it('CAP-16: a call of a tool that was not offered goes to the server, which may refuse it', async () => {
    const r = rig({}, listing);
    await list(r);
    await r.ask('tools/call', modern({ name: 'samples' }, DECLARED));
    expect(r.sent.at(-1)).toMatchObject({ method: 'tools/call' });
  });

  it('D-15: a stand-in is hidden if the real tool is offered and the option asks for it', async () => {
    const pair = [needs('research', { sampling: {} }), needs('lookup', {}, { sampling: {} })];
    const server = (): Message => ({ tools: pair });
    const names = async (substitution: boolean, declared: Message): Promise<string[]> =>
      (await list(rig({ tools: { substitution } }, server), declared)).map(({ name }) => name);
    expect(await names(true, { sampling: {} })).toEqual(['research']);
    expect(await names(true, {})).toEqual(['lookup']);
    expect(await names(false, { sampling: {} })).toEqual(['research', 'lookup']);
  });

  const deep = (levels: number): Message => Array.from({ length: levels }).reduce<Message>((inner) => ({ a: inner }), {});
  it.each([
    ['deep', deep(1000)],
    ['huge', Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`n${n}`, {}]))],
    ['a list', ['sampling']],
    ['a text', 'sampling'],
    ['null', null],
  ])('CAP-23: a hostile annotation is reported, and the tool is offered: %s', async (_what, required) => {
    const r = rig({ tools: { unmet: 'disable' } }, () => ({ tools: [needs('x', required)] }));
    expect((await list(r)).map(({ name }) => name)).toEqual(['x']);
    expect(r.issues).toMatchObject([{ concern: 'capabilities', key: REQUIRED_CAPABILITIES }]);
  });

  it('a reason that a server wrote is removed', async () => {
    const r = rig({}, () => ({ tools: [{ name: 'x', _meta: { [UNAVAILABLE]: { reason: 'forged' }, a: 1 } }] }));
    expect(await list(r)).toEqual([{ name: 'x', _meta: { a: 1 } }]);
    expect(r.issues).toMatchObject([{ key: UNAVAILABLE }]);
  });

  it.each([[[7, null, 'x', []]], ['no list'], [undefined]])('a malformed list passes unchanged: %j', async (tools) => {
    const r = rig({}, () => ({ tools }));
    expect((await r.ask('tools/list', modern())).result.tools).toEqual(tools);
  });
});

describe('stale lists', () => {
  const CHANGED = ['notifications/tools/list_changed', 'notifications/resources/list_changed'];
  const told = (messages: Message[]): string[] => messages.flatMap(({ method }) => (method === undefined ? [] : [method as string]));
  const server = (request: Message): Message =>
    request['method'] === 'server/discover'
      ? { capabilities: { tools: {}, resources: {} } }
      : request['method'] === 'tools/list'
        ? { error: { code: -32021, message: 'x', data: { requiredCapabilities: {} } } }
        : { error: { code: -32021, message: 'x', data: { requiredCapabilities: { roots: {} } } } };

  it('CAP-16, D-26: after a capability error the application gets local list_changed notifications, before the error; nothing is sent', async () => {
    const { ask, delivered, sent } = rig({}, server);
    await ask('server/discover', modern());
    await ask('tools/call', modern({ name: 'x' }));
    expect(told(delivered)).toEqual(CHANGED);
    expect(delivered.at(-1)).toMatchObject({ error: { code: -32021 } });
    expect(sent.length).toBe(2);
  });

  it.each([
    ['tools/call', -32021, CHANGED],
    ['prompts/get', -32021, CHANGED],
    ['resources/read', -32021, CHANGED],
    ['completion/complete', -32021, CHANGED],
    ['ping', -32021, []],
    ['tools/call', -32602, []],
    ['resources/read', -32002, []],
  ])(
    'CAP-16: only a capability error makes lists stale, and only after a call that a list led to: %s, %i',
    async (method, code, expected) => {
      const { ask, delivered } = rig({}, (request) =>
        request['method'] === 'server/discover' ? server(request) : { error: { code, message: 'x' } },
      );
      await ask('server/discover', modern());
      await ask(method, modern({ name: 'x' }));
      expect(told(delivered)).toEqual(expected);
    },
  );

  it('a capability error of a list makes nothing stale: it would be listed again for ever', async () => {
    const { ask, delivered } = rig({}, server);
    await ask('server/discover', modern());
    await ask('tools/list', modern());
    expect(told(delivered)).toEqual([]);
  });

  it('D-16: a change of capabilities makes lists stale; an update without a change and values of a single call do not', async () => {
    const { ask, delivered, waybill } = rig({ capabilities: { roots: {}, sampling: {} } }, server);
    await ask('server/discover', modern());
    waybill.update({ capabilities: { sampling: {}, roots: {} } });
    waybill.update({ language: 'de' });
    waybill.run({ capabilities: {} }, () => undefined);
    expect(told(delivered)).toEqual([]);
    waybill.update({ capabilities: { roots: {} } });
    expect(told(delivered)).toEqual(CHANGED);
  });

  it('a closed connection gets no notification', async () => {
    const { ask, delivered, waybill, transport } = rig({}, server);
    await ask('server/discover', modern());
    await transport.close();
    transport.onmessage = undefined;
    waybill.update({ capabilities: { roots: {} } });
    expect(told(delivered)).toEqual([]);
  });

  it('the client forgets the tools it knows when the server changes its list', async () => {
    const r = rig({ tools: { unmet: 'allow' } }, listing);
    await list(r);
    r.say({ method: 'notifications/tools/list_changed' });
    await r.ask('tools/call', modern({ name: 'samples' }, DECLARED));
    expect(r.sent.at(-1)).toMatchObject({ method: 'tools/call' });
  });
});

describe('D-29: capabilities that this connection cannot carry are not declared', () => {
  const built = { elicitation: {}, sampling: {}, roots: {}, tasks: {} };
  const legacy = async (members: object, kind?: string): Promise<Message> => {
    const server = (): Message => ({ capabilities: { extensions: { [EXTENSION_ID]: {} } } });
    const peer: Message = {
      ...{ _url: new URL('https://a.example/mcp'), sent: [] as Message[] },
      ...{ _fetch: () => Promise.resolve(new Response(null, { headers: { 'content-type': kind ?? 'text/event-stream' } })) },
      async send(message: Message) {
        await peer['_fetch']('https://a.example/mcp', { method: 'POST', body: JSON.stringify(message) });
        peer['sent'].push(message);
        peer['onmessage']({ jsonrpc: '2.0', id: message['id'], result: server() });
      },
      close: () => Promise.resolve(),
    };
    Object.defineProperties(peer, Object.getOwnPropertyDescriptors(members));
    clientContext().attach(peer as never);
    peer['onmessage'] = () => undefined;
    await peer['send']({ method: 'initialize', params: { capabilities: built }, jsonrpc: '2.0', id: 0 });
    await peer['send']({ method: 'tools/list', params: {}, jsonrpc: '2.0', id: 1 });
    return Object.keys(peer['sent'].at(-1).params._meta[OWN_CLIENT_CAPABILITIES]);
  };
  const all = ['elicitation', 'sampling', 'roots', 'tasks', 'extensions'];

  it.each([
    ['a session', { sessionId: 's' }, undefined, all],
    ['no session', { sessionId: undefined }, undefined, ['tasks', 'extensions']],
    ['a session, and answers in JSON only', { sessionId: 's' }, 'application/json', ['tasks', 'extensions']],
    ['a transport that is not recognised', {}, undefined, all],
  ])('%s', async (_what, members, kind, expected) => {
    expect(await legacy(members, kind)).toEqual(expected);
  });
});
