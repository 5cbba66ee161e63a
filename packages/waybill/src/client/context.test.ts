import { describe, expect, it } from 'vitest';
import { modern, rig, type Message } from '../../../../test/support/client-rig.js';
import { failingThenable, lazy, thenable } from '../../../../test/support/thenable.js';
import { ContextError } from '../wire/errors.js';
import { ACCEPT_LANGUAGE, CLIENT_CONTEXT, CLIENT_CONTEXT_SIBLING, EXTENSION_ID } from '../wire/keys.js';
import { clientContext, type ClientPart } from './index.js';
import { jar } from './jar/index.js';

describe('attach()', () => {
  it('attach() returns the transport itself, also when it is called twice', () => {
    const { waybill, transport } = rig();
    expect(waybill.attach(transport)).toBe(transport);
  });

  it.each([undefined, null, {}, new URL('http://a.example')])('%s is no transport, and the error says so', (transport) => {
    expect(() => clientContext().attach(transport as never)).toThrow(
      'attach: expected a transport: client.connect(waybill.attach(transport))',
    );
  });

  it('a second attach() must have the options of the first', () => {
    const { waybill, transport } = rig({}, undefined, { server: 'shop' });
    expect(waybill.attach(transport, { server: 'shop' })).toBe(transport);
    expect(waybill.attach(transport, { fetch: true })).toBe(transport);
    expect(() => waybill.attach(transport, { server: 'bank' })).toThrow(
      /^attach\.server: this transport is already attached with another value/,
    );
    expect(() => waybill.attach(transport, { principal: 'ada' })).toThrow(/^attach\.principal: /);
    const state = jar();
    const { jar: kept } = clientContext({ state: jar() });
    const other = rig({ state }, undefined, { conversation: kept.resume('a') });
    expect(other.waybill.attach(other.transport, { conversation: kept.resume('a') })).toBe(other.transport);
    expect(() => other.waybill.attach(other.transport, { conversation: kept.resume('b') })).toThrow(/^attach\.conversation: /);
  });

  it('attach() fails on a transport that belongs to another context', () => {
    const { transport } = rig();
    expect(() => clientContext().attach(transport)).toThrow(/already belongs to another context/);
  });

  it.each<[unknown, string]>([
    [{ princpal: 'ada' }, 'princpal: unknown option; did you mean principal?'],
    [{ principal: 5 }, 'principal: expected a text that is not empty, or null for no particular user'],
    [{ principal: '' }, 'principal: expected a text that is not empty, or null for no particular user'],
    [{ principal: undefined }, 'principal: expected a text that is not empty, or null for no particular user'],
    [{ server: 42 }, 'server: expected a text that is not empty'],
    [{ server: '' }, 'server: expected a text that is not empty'],
    [{ conversation: 'some-id' }, 'conversation: expected an object'],
    [{ fetch: 'no' }, 'fetch: expected true or false'],
    [{ client: 'it' }, 'client: expected an object'],
  ])('wrong options fail at the call and name their path: %j', (options, message) => {
    const { waybill, transport } = rig();
    expect(() => waybill.attach(transport, options as never)).toThrow(new TypeError(`attach.${message}`));
    expect(() => waybill.fetch(undefined, options as never)).toThrow(new TypeError(`fetch.${message}`));
    expect(() => waybill.instrument(Map, options as never)).toThrow(new TypeError(`instrument.${message}`));
  });

  it.each([undefined, '', 0, NaN, {}, () => 'ada', Symbol('ada'), Promise.resolve('ada'), thenable('ada')])(
    'D-35: a principal is a text or null in every place that takes one: case %#',
    (principal) => {
      const { waybill } = rig();
      const given = { principal } as never;
      expect(() => clientContext(given)).toThrow(TypeError);
      for (const call of [() => waybill.update(given), () => waybill.with(given), () => waybill.run(given, () => undefined)])
        expect(call).toThrow('principal: expected a text that is not empty, or null for no particular user');
    },
  );

  it('a value that is not a function is named in the error', () => {
    const { waybill } = rig();
    expect(() => waybill.run({}, undefined as never)).toThrow('run: expected a function as the second argument');
    expect(() => waybill.fetch(5 as never)).toThrow('fetch: expected a function like fetch');
  });

  it('options that are not objects fail; options that are undefined count as not given', () => {
    const { waybill, transport } = rig();
    for (const options of [null, [], 'ada'])
      expect(() => waybill.attach(transport, options as never)).toThrow('attach: expected an object');
    const none = { server: undefined, conversation: undefined, fetch: undefined, client: undefined };
    expect(waybill.attach(transport, none as never)).toBe(transport);
  });

  it('requests of the server and our answers to them pass unchanged', async () => {
    const { transport, sent, delivered, say } = rig({ language: 'de' });
    say({ id: 's1', method: 'elicitation/create', params: { message: 'x' } });
    await transport.send({ jsonrpc: '2.0', id: 's1', result: { action: 'accept' } });
    expect(delivered).toEqual([{ jsonrpc: '2.0', id: 's1', method: 'elicitation/create', params: { message: 'x' } }]);
    expect(sent).toEqual([{ jsonrpc: '2.0', id: 's1', result: { action: 'accept' } }]);
  });

  it('D-05: principal and conversation of attach() apply to a call, unless run() says otherwise', async () => {
    const seen: unknown[] = [];
    const part: ClientPart = { name: 'p', request: ({ principal, conversation }) => void seen.push([principal, conversation]) };
    const [one, two] = [{ id: 1 }, { id: 2 }] as never[];
    const { ask, waybill } = rig({ parts: [part], state: jar() }, undefined, { principal: 'ada', conversation: one! });
    await ask('ping');
    await waybill.run({ principal: 'bob', conversation: two! }, () => ask('ping'));
    expect(seen).toEqual([
      ['ada', one],
      ['bob', two],
    ]);
  });

  it.each(['the options', 'update()'])('D-05: values of attach() beat those of %s', async (where) => {
    const seen: unknown[] = [];
    const part: ClientPart = { name: 'p', request: ({ principal, conversation }) => void seen.push([principal, conversation]) };
    const [far, near] = [{ id: 1 }, { id: 2 }] as never[];
    const base = { principal: 'service', conversation: far! };
    const { ask, waybill } = rig({ parts: [part], state: jar(), ...(where === 'the options' && base) }, undefined, {
      principal: 'ada',
      conversation: near!,
    });
    if (where === 'update()') waybill.update(base);
    await ask('ping');
    await waybill.run({ principal: 'bob' }, () => ask('ping'));
    await ask('ping', { _meta: waybill.with({ principal: 'eve' }).meta });
    expect(seen).toEqual([
      ['ada', near],
      ['bob', near],
      ['eve', near],
    ]);
  });
});

describe('a closed connection', () => {
  const told = (r: ReturnType<typeof rig>): number => r.delivered.filter(({ method }) => String(method).endsWith('list_changed')).length;

  it('a closed connection gets no change, until it is used again', async () => {
    const r = rig();
    r.waybill.update({ capabilities: { roots: {} } });
    const open = told(r);
    await r.transport.close();
    r.waybill.update({ capabilities: { sampling: {} } });
    expect([open > 0, told(r)]).toEqual([true, open]);
    await r.ask('ping');
    r.waybill.update({ capabilities: {} });
    expect(told(r)).toBe(2 * open);
  });
});

describe('run() and with()', () => {
  const language = async (r: ReturnType<typeof rig>, params?: Message): Promise<unknown> =>
    (await r.metaOf('tools/list', params))[ACCEPT_LANGUAGE];

  it('run() applies to everything its function sends, now or later, also nested, and to nothing else', async () => {
    const r = rig({ language: 'de' });
    const seen = await r.waybill.run({ language: 'fr' }, async () => {
      const first = await language(r);
      await Promise.resolve();
      return [first, await r.waybill.run({ language: 'ja' }, () => language(r)), await language(r)];
    });
    expect([...seen, await language(r)]).toEqual(['fr', 'ja', 'fr', 'de']);
  });

  it('two run() at the same time do not see each other', async () => {
    const r = rig({ language: 'de' });
    const all = await Promise.all(
      ['fr', 'ja', 'it'].map((tag) => r.waybill.run({ language: tag }, async () => (await Promise.resolve(), language(r)))),
    );
    expect(all).toEqual(['fr', 'ja', 'it']);
  });

  it('update() inside run() changes only values that run() does not set', async () => {
    const r = rig({ language: 'de', meta: { 'x.y/a': 1 } });
    await r.waybill.run({ language: 'fr' }, async () => {
      r.waybill.update({ meta: { 'x.y/a': 2 } });
      expect(await r.metaOf('ping')).toMatchObject({ [ACCEPT_LANGUAGE]: 'fr', 'x.y/a': 2 });
    });
  });

  it('no storage is made before the first run(), and a given storage is used', async () => {
    let runs = 0;
    let store: unknown;
    const storage = {
      run<R>(value: unknown, fn: () => R): R {
        runs++;
        store = value;
        return fn();
      },
      getStore: () => store,
    };
    const r = rig({ language: 'de', storage });
    expect([await language(r), runs]).toEqual(['de', 0]);
    expect([await r.waybill.run({ language: 'fr' }, () => language(r)), runs]).toEqual(['fr', 1]);
  });

  it('without a storage run() throws an error that says so, and with() still works', async () => {
    const r = rig({ language: 'de' });
    const { getBuiltinModule } = process;
    try {
      Object.assign(process, { getBuiltinModule: undefined });
      expect(() => r.waybill.run({ language: 'fr' }, () => undefined)).toThrow(/storage: expected an AsyncLocalStorage/);
      expect(await language(r, { _meta: r.waybill.with({ language: 'fr' }).meta })).toBe('fr');
    } finally {
      Object.assign(process, { getBuiltinModule });
    }
  });

  it('with() travels in the _meta of a call, beside other keys, and never leaves the process', async () => {
    const r = rig({ language: 'de' });
    const { meta } = r.waybill.with({ language: 'fr', environment: { timezone: 'Asia/Tokyo' } });
    const sent = await r.metaOf('tools/call', modern({ _meta: { ...meta, own: 1 } }));
    expect(sent).toMatchObject({ [ACCEPT_LANGUAGE]: 'fr', own: 1, [CLIENT_CONTEXT]: { timezone: 'Asia/Tokyo' } });
    expect(Object.getOwnPropertySymbols(sent)).toEqual([]);
    expect(Object.keys(meta)).toEqual([]);
    expect(await language(r)).toBe('de');
  });

  it('with() of another context changes nothing', async () => {
    const r = rig({ language: 'de' });
    expect(await language(r, { _meta: clientContext().with({ language: 'fr' }).meta })).toBe('de');
  });

  it('with().client() gives its calls those values, and its lists do not come from a cache', async () => {
    const seen: unknown[] = [];
    class Client {
      #secret = 7;
      name = 'c';
      callTool(...args: unknown[]): number {
        seen.push(args);
        return this.#secret;
      }
      listTools(...args: unknown[]): void {
        seen.push(args);
      }
      request(...args: unknown[]): void {
        seen.push(args);
      }
      close(): number {
        return this.#secret;
      }
    }
    const context = clientContext().with({ language: 'fr' });
    const view = context.client(new Client());
    expect([view.callTool({ name: 'x', _meta: { own: 1 } }, { timeout: 5 }), view.close(), view.name]).toEqual([7, 7, 'c']);
    view.listTools();
    view.listTools({ cursor: 'c' }, { timeout: 5 });
    view.request({ method: 'x/y', params: { a: 1 } }, 'schema');
    const { meta } = context;
    expect(seen).toEqual([
      [{ name: 'x', _meta: { ...meta, own: 1 } }, { timeout: 5 }],
      [{ _meta: meta }, { cacheMode: 'refresh' }],
      [
        { cursor: 'c', _meta: meta },
        { cacheMode: 'refresh', timeout: 5 },
      ],
      [{ method: 'x/y', params: { a: 1, _meta: meta } }, 'schema'],
    ]);
    expect(view).toBeInstanceOf(Client);
  });

  it.each([[{ language: 7 }], [{ unknown: 1 }], [{ principal: 1 }], [null]])('wrong values fail at once: %j', (values) => {
    const { waybill } = rig();
    for (const give of [
      () => waybill.update(values as never),
      () => waybill.with(values as never),
      () => waybill.run(values as never, () => undefined),
    ])
      expect(give).toThrow(TypeError);
  });
});

describe('other options', () => {
  it.each<[object, string]>([
    [{ dialects: 5 }, 'dialects: '],
    [{ dialects: ['opnai'] }, 'dialects: '],
    [{ storage: {} }, 'storage: '],
    [{ storage: null }, 'storage: '],
    [{ telemetry: [] }, 'telemetry: '],
    [[], 'expected an object'],
  ])('a wrong option fails at construction and names its path: %j', (options, message) => {
    expect(() => clientContext(options)).toThrow(TypeError);
    expect(() => clientContext(options)).toThrow(message);
  });

  it('an observer that is not a function fails at once', () => {
    expect(() => clientContext().observe(undefined as never)).toThrow(new TypeError('observe: expected a function'));
  });
});

describe('a fault in the layer', () => {
  const broken = (member: Partial<ClientPart>): ClientPart => ({ name: 'broken', ...member });
  const fail = (): never => {
    throw new Error('on purpose');
  };

  it.each([
    ['throws on a request', { request: fail }],
    ['rejects on a request', { request: () => Promise.reject(new Error('on purpose')) }],
    ['throws on an answer', { answer: fail }],
    ['rejects on an answer', { answer: () => Promise.reject(new Error('on purpose')) }],
  ])('a part that %s is left out alone; the call goes on', async (_what, member) => {
    const { ask, sent, issues, faults } = rig({ language: 'de', parts: [broken(member)] }, () => ({ content: [] }));
    expect(await ask('tools/call')).toMatchObject({ result: { content: [] } });
    expect(sent[0]!['params']._meta).toMatchObject({ [ACCEPT_LANGUAGE]: 'de', [CLIENT_CONTEXT]: {} });
    expect(issues).toMatchObject([{ key: 'broken' }]);
    expect(faults).toMatchObject([{ message: 'on purpose' }]);
  });

  it('a part that throws on a notification or a close breaks nothing', async () => {
    const { say, transport, delivered, faults } = rig({ parts: [broken({ notification: fail, closed: fail })] });
    say({ method: 'notifications/message', params: {} });
    await transport.close();
    expect(delivered).toHaveLength(1);
    expect(faults).toHaveLength(2);
  });

  it('a part whose closed() returns a rejected promise breaks nothing', async () => {
    const told = new Promise((resolve) => {
      const closed = (): unknown => Promise.reject(new Error('on purpose'));
      const part = broken({ closed });
      void rig({ parts: [part], onFault: resolve }).transport.close();
    });
    expect(await told).toMatchObject({ message: 'on purpose' });
  });

  it('a refusal is no fault: the request fails with it', async () => {
    const refuse = (): never => {
      throw new ContextError('missing-capability');
    };
    await expect(rig({ parts: [broken({ request: refuse })] }).ask('tools/call')).rejects.toThrow(ContextError);
    await expect(
      rig({ parts: [broken({ request: () => Promise.reject(new ContextError('missing-capability')) })] }).ask('tools/call'),
    ).rejects.toThrow(ContextError);
  });

  it('listeners that throw break nothing', async () => {
    const { ask } = rig({ language: () => fail(), onIssue: fail, onFault: fail, onAnswer: fail }, () => ({ content: [] }));
    expect(await ask('tools/call')).toMatchObject({ result: { content: [] } });
  });

  it.each([7, 'x', [1], null])('a caller’s _meta that is not an object is left alone and reported: %j', async (meta) => {
    const { ask, sent, issues } = rig({ language: 'de' });
    await ask('tools/call', { name: 'x', _meta: meta });
    expect(sent[0]!['params']._meta).toEqual(meta);
    expect(issues).toMatchObject([{ key: '_meta' }]);
  });

  it.each([7, 'x', [1], null, { a: 7 }])('malformed answers pass unchanged: %j', async (rubbish) => {
    const { ask } = rig({ language: 'de', hide: true }, () => ({ _meta: rubbish, tools: rubbish, content: rubbish }));
    for (const method of ['tools/list', 'initialize', 'server/discover'])
      expect((await ask(method)).result).toMatchObject({ content: rubbish });
  });
});

describe('D-35: thenables that are not native promises', () => {
  it('the layer awaits thenables of option functions', async () => {
    const { metaOf, faults } = rig({
      language: () => thenable('fr'),
      environment: { timezone: () => thenable('Europe/Paris') },
      meta: { 'a.example/b': () => thenable(1) },
    });
    expect(await metaOf('tools/call')).toMatchObject({
      [ACCEPT_LANGUAGE]: 'fr',
      [CLIENT_CONTEXT]: { timezone: 'Europe/Paris' },
      'a.example/b': 1,
    });
    expect(faults).toEqual([]);
  });

  it('a rejected thenable of an option function counts as no value', async () => {
    const error = new Error('no');
    const { metaOf, faults } = rig({ language: () => failingThenable(error) });
    expect(await metaOf('tools/list')).not.toHaveProperty(ACCEPT_LANGUAGE);
    expect(faults).toEqual([error]);
  });

  it('the layer awaits thenables of parts, on requests and on answers', async () => {
    const part: ClientPart = {
      name: 'mine',
      request: (_call, draft) => lazy(() => (draft.added['a.example/b'] = 1)) as never,
      answer: (message) => thenable({ ...message, result: { mine: true } }) as never,
    };
    const { ask, sent } = rig({ parts: [part] });
    expect((await ask('tools/call')).result).toEqual({ mine: true });
    expect(sent[0]?.['params']?._meta).toMatchObject({ 'a.example/b': 1 });
  });
});

describe('the option hide', () => {
  const server = (): Message => ({ content: [], _meta: { 'a/b': 1, 'c/d': 2 } });
  it.each([
    [true, undefined],
    [['a/b'], { 'c/d': 2 }],
    [(key: string) => key === 'c/d', { 'a/b': 1 }],
    [false, { 'a/b': 1, 'c/d': 2 }],
  ])('IX-16: keys of results that models read do not reach the application: %s', async (hide, expected) => {
    for (const method of ['tools/call', 'prompts/get', 'resources/read'])
      expect((await rig({ hide }, server).ask(method)).result._meta).toEqual(expected);
    expect((await rig({ hide }, server).ask('server/discover')).result._meta).toEqual({ 'a/b': 1, 'c/d': 2 });
  });

  it('IX-16: a key is hidden if the function throws for it; the other keys follow the function', async () => {
    const hide = (key: string): boolean => {
      if (key === 'a/b') throw new Error('on purpose');
      return false;
    };
    const { ask, faults } = rig({ hide }, server);
    expect((await ask('tools/call')).result._meta).toEqual({ 'c/d': 2 });
    expect(faults).toMatchObject([{ message: 'on purpose' }]);
  });

  it('D-35: a key is hidden if the function returns a promise for it, and that is reported as a fault', async () => {
    const { ask, faults } = rig({ hide: () => failingThenable(new Error('no')) as never }, server);
    expect((await ask('tools/call')).result._meta).toBeUndefined();
    expect(faults.map(String)).toEqual(Array(2).fill('TypeError: hide: returned a promise; return the value itself'));
  });

  it('a wrong value of hide fails and the error says what it takes', () => {
    expect(() => clientContext({ hide: 'x' } as never)).toThrow(/^hide: /);
  });
});

describe('the literal form of the seed', () => {
  it('D-01, D-03: the environment of a tool call stands beside params; a server that did not say that it reads it causes one issue', async () => {
    const { ask, sent, issues } = rig({ wire: 'seed', language: 'de' });
    await ask('tools/call', { name: 'x' });
    await ask('tools/call', { name: 'x' });
    expect(sent[0]).toMatchObject({
      [CLIENT_CONTEXT_SIBLING]: { timezone: 'Europe/Vienna' },
      params: { _meta: { [ACCEPT_LANGUAGE]: 'de' } },
    });
    expect(sent[0]!['params']._meta).not.toHaveProperty([CLIENT_CONTEXT]);
    expect(issues).toMatchObject([{ concern: 'environment', key: CLIENT_CONTEXT_SIBLING }]);
  });

  it('a server that reads the literal form causes no issue', async () => {
    const { ask, issues } = rig({ wire: 'seed' }, () => ({ capabilities: { extensions: { [EXTENSION_ID]: { lifts: true } } } }));
    await ask('initialize', { capabilities: {} });
    await ask('tools/call', { name: 'x' });
    expect(issues).toEqual([]);
  });

  it('a resumed connection asks the SDK client what the server declared', async () => {
    const client = { getServerCapabilities: () => ({ extensions: { [EXTENSION_ID]: { lifts: true } } }) };
    const { ask, issues } = rig({ wire: 'seed' }, undefined, { client });
    await ask('tools/call', { name: 'x' });
    expect(issues).toEqual([]);
  });
});

describe('observe()', () => {
  it('an observer sees each exchange as it crossed the wire, until it is removed', async () => {
    const { ask, waybill } = rig({ language: 'de' }, () => ({ content: [] }));
    const seen: unknown[] = [];
    const stop = waybill.observe(({ method, request }) => {
      seen.push([method, (request['params'] as Message)['_meta'][ACCEPT_LANGUAGE]]);
      return ({ outcome }) => void seen.push(outcome);
    });
    await ask('tools/list');
    stop();
    await ask('tools/list');
    expect(seen).toEqual([['tools/list', 'de'], 'result']);
  });
});
