import { describe, expect, it } from 'vitest';
import { modern, NOW, rig, type Message, type Rig, type Server } from '../../../../../test/support/client-rig.js';
import type { ClientContextOptions } from '../options.js';
import type { AttachOptions } from '../options.js';
import { jar } from '../jar/index.js';
import { memoryStore } from '../jar/memory.js';
import { policy, type ConsentQuestion, type Consent, type LedgerEntry, type Policy, type PolicyOptions } from './index.js';
import { policy as unbundled } from './unbundled.js';

const CONTEXT = 'io.modelcontextprotocol/clientContext';
const LANGUAGE = 'io.modelcontextprotocol/acceptLanguage';
const DECLARED = 'io.modelcontextprotocol/clientCapabilities';
const STATE = 'modelcontextprotocol.io/state/server';
const PLACE = { city: 'Vienna', country: 'AT', coordinates: { latitude: 48.20849, longitude: 16.37208 } };

interface More extends ClientContextOptions {
  readonly attach?: AttachOptions;
  readonly server?: Server;
  readonly asking?: PolicyOptions;
}
function under(rules: Policy | Parameters<typeof policy>[0], { attach = { server: 'shop' }, server, asking, ...options }: More = {}): Rig {
  const all = { language: ['de'], environment: { location: PLACE }, trace: 'start', ...options };
  return rig({ ...all, policy: policy(rules, asking) }, server, attach);
}
const call = (meta: Message = {}): Message => modern({ name: 'x', _meta: meta });
const summary = async ({ waybill }: Rig, filter = {}): Promise<Record<string, number>> =>
  Object.fromEntries(
    ((await waybill.ledger?.list(filter)) ?? []).map((entry) => [
      `${entry.field} ${entry.outcome}${entry.precision === undefined ? '' : ` ${entry.precision}`}`,
      entry.count,
    ]),
  );

describe('the fields that a server may know', () => {
  it('never is enforced whoever wrote the value (D-20)', async () => {
    const never = {
      language: 'never',
      timezone: 'never',
      now: 'never',
      locale: 'never',
      location: 'never',
      trace: 'never',
      baggage: 'never',
    } as const;
    const shop = under({ servers: { shop: never } });
    const own = {
      [LANGUAGE]: 'fr',
      [CONTEXT]: { timezone: 'UTC' },
      traceparent: `00-${'1'.repeat(32)}-${'1'.repeat(16)}-01`,
      baggage: 'a=1',
      b3: '1',
    };
    expect(Object.keys(await shop.metaOf('tools/call', call(own)))).toEqual(Object.keys(modern()['_meta']));
    await shop.transport.send({ jsonrpc: '2.0', method: 'notifications/x', params: { _meta: own } });
    await shop.transport.send({ jsonrpc: '2.0', id: 9, result: { _meta: own } });
    expect(shop.sent.slice(-2)).toEqual([
      { jsonrpc: '2.0', method: 'notifications/x', params: { _meta: {} } },
      { jsonrpc: '2.0', id: 9, result: { _meta: {} } },
    ]);
  });

  it('never holds for headers that the application gives with one message (D-20)', async () => {
    const { waybill } = rig({ policy: policy({ servers: { shop: { language: 'never', trace: 'never' } } }) });
    const given: unknown[] = [];
    const transport: any = { send: (_: unknown, options: unknown) => Promise.resolve(void given.push(options)), close: () => undefined };
    waybill.attach(transport, { server: 'shop' });
    const headers = { 'Accept-LANGUAGE': 'it', TraceParent: '00', 'X-Kept': '1' };
    await transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x' } }, { headers, resumptionToken: 't' });
    expect(given).toEqual([{ headers: { 'X-Kept': '1' }, resumptionToken: 't' }]);
  });

  it('another server under the same policy gets what its own rule says', async () => {
    const other = under({ default: { location: 'country' }, servers: { shop: { location: 'never' } } }, { attach: { server: 'other' } });
    expect((await other.metaOf('tools/call', call()))[CONTEXT]).toMatchObject({
      userLocation: { country: 'AT' },
      timezone: 'Europe/Vienna',
    });
  });

  it('the policy takes away and never adds: a place that nobody gave is not sent (CTX-30)', async () => {
    const shop = under({ default: { location: 'coordinates' } }, { environment: {} });
    expect((await shop.metaOf('tools/call', call({ [CONTEXT]: { userLocation: PLACE } })))[CONTEXT]).not.toHaveProperty('userLocation');
  });

  it('nobody is asked for a place that will not be sent', async () => {
    let asked = 0;
    const location = (): typeof PLACE => (asked++, PLACE);
    const shop = under({ default: { location: 'never' } }, { environment: { location } });
    await shop.ask('tools/call', call());
    expect([asked, await summary(shop)]).toMatchObject([0, { 'location withheld': 1 }]);
  });

  it('names of baggage in the policy are the allow-list where there is no other', async () => {
    const shop = under({ default: { baggage: ['a'] } });
    expect((await shop.metaOf('tools/call', call({ baggage: 'a=1,b=2' })))['baggage']).toBe('a=1');
  });

  it('a function is asked for each message, and one that fails grants nothing (D-35)', async () => {
    let rules: unknown = { language: 'never' };
    const shop = under(() => rules as never, {});
    expect(await shop.metaOf('tools/call', call())).not.toHaveProperty([LANGUAGE]);
    rules = undefined;
    expect(await shop.metaOf('tools/call', call())).toHaveProperty([LANGUAGE], 'de');
    for (const bad of [Promise.resolve({}), { langauge: 'never' }, 'never']) {
      rules = bad;
      const meta = await shop.metaOf('tools/call', call());
      expect([meta[LANGUAGE], meta[CONTEXT], meta['traceparent'], meta[DECLARED]]).toEqual([undefined, undefined, undefined, {}]);
    }
    expect(shop.issues.filter(({ key }) => key === 'policy')).toHaveLength(1);
  });

  it.each([
    [() => policy('x' as never), 'policy: expected an object or a function'],
    [() => policy({ default: { langauge: 'never' } } as never), 'policy.default.langauge: unknown field; did you mean language?'],
    [() => policy({}, { asc: 1 } as never), 'policy.asc: unknown option; did you mean ask?'],
    [() => policy({}, { askTimeout: 0 }), 'policy.askTimeout: expected a number of milliseconds'],
    [() => rig({ policy: { default: { langauge: 'never' } } as never }), 'policy.default.langauge: unknown field; did you mean language?'],
    [() => rig({ policy: 'x' as never }), 'policy: expected rules, a function that returns rules'],
    [() => unbundled(), "policy: expected policy(rules) in a browser; import { policy } from 'waybill/client/policy'"],
    [() => rig({ policy: policy({}) }, undefined, { fetch: false }), 'attach.fetch: expected true'],
  ])('a mistake is an error at construction: %#', (make, message) => {
    expect(make).toThrow(message);
  });

  it.each([
    ['an object', { default: { language: 'never' } }],
    ['a function', () => ({ language: 'never' as const })],
  ] as const)('plain rules work like policy(rules): %s', async (_, rules) => {
    const { waybill } = rig({ language: 'de', policy: rules });
    const { meta, withheld } = await waybill.preview('https://shop.example.com', { method: 'tools/list', params: {} });
    expect(withheld).toMatchObject([{ field: 'language' }]);
    expect(JSON.stringify(meta)).not.toContain('"de"');
  });

  it.each([
    [true, 'always'],
    [false, 'never'],
  ])(
    'a rule for a package holds for a command with arguments; if something else may run it only takes away: %s',
    async (isCertain, told) => {
      const stdio = Object.assign(() => 'command:1', { packageOf: () => ({ name: 'npm:x', isCertain }) });
      const rules: Policy = { default: { location: 'never' }, servers: { 'npm:x': { location: 'always', language: 'never' } } };
      for (const options of [{ policy: policy(rules, { stdio }) }, { policy: policy(rules), state: jar({ stdio }) }]) {
        const { waybill } = rig({ language: 'de', environment: { location: { country: 'AT' } }, ...options });
        const transport = {
          send: async () => undefined,
          close: async () => undefined,
          _serverParams: { command: 'npx', args: ['x', '/data'] },
        };
        waybill.attach(transport as never);
        const { withheld } = await waybill.preview(transport, { method: 'tools/call', params: { name: 'x' } });
        expect(withheld.map(({ field }) => field)).toEqual(told === 'always' ? ['language'] : ['language', 'location']);
      }
    },
  );

  it('a question tells the package of a command whose name is a digest', async () => {
    const questions: ConsentQuestion[] = [];
    const ask = (question: ConsentQuestion): 'never' => (questions.push(question), 'never');
    const stdio = Object.assign(() => 'command:1', { packageOf: () => ({ name: 'npm:x', isCertain: false }) });
    const { waybill } = rig({ language: 'de', policy: policy({ servers: { 'npm:x': { language: 'ask' } } }, { stdio, ask }) });
    const transport = {
      send: async () => undefined,
      close: async () => undefined,
      _serverParams: { command: 'npx', args: ['x', '/data'] },
    };
    await waybill.attach(transport as any).send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    expect(questions).toMatchObject([{ server: 'command:1', package: 'npm:x', field: 'language' }]);
  });

  it('a rule for a command that nobody names is a setup issue', () => {
    const { waybill, issues } = rig({ policy: policy({ servers: { 'npm:x': {} } }) });
    waybill.attach({ send: async () => undefined, close: async () => undefined, _serverParams: { command: 'npx', args: ['x'] } } as never);
    expect(issues).toMatchObject([{ side: 'setup', key: 'policy.stdio' }]);
  });
});

describe('state', () => {
  const server: Server = () => ({ _meta: { [STATE]: { cart: 1 } } });
  it('never neither sends nor offers it, and keeps none', async () => {
    const shop = under({ default: { state: 'never' } }, { state: jar(), server });
    await shop.ask('tools/call', call());
    const meta = await shop.metaOf('tools/call', call());
    expect([meta[STATE], meta[DECLARED].state]).toEqual([undefined, undefined]);
    expect(await shop.waybill.jar?.list()).toEqual([]);
    expect(await summary(shop)).toMatchObject({ 'state withheld': 2 });
  });

  it('always sends what the server set', async () => {
    const shop = under({ default: { state: 'always' } }, { state: jar(), server });
    await shop.ask('tools/call', call());
    expect((await shop.metaOf('tools/call', call()))[STATE]).toEqual({ cart: 1 });
    expect(await summary(shop)).toMatchObject({ 'state sent': 1 });
  });
});

describe('ask', () => {
  interface Asked {
    readonly questions: ConsentQuestion[];
    answer: (consent: Consent) => void;
    elapse: () => void;
    readonly options: PolicyOptions;
  }
  function asking(consent?: Consent): Asked {
    const waiting: ((consent: Consent) => void)[] = [];
    const timers: (() => void)[] = [];
    const asked: Asked = {
      questions: [],
      answer: (given) => waiting.splice(0).forEach((resolve) => resolve(given)),
      elapse: () => timers.splice(0).forEach((elapsed) => elapsed()),
      options: {
        ask: (question) => {
          asked.questions.push(question);
          return consent ?? new Promise((resolve) => waiting.push(resolve));
        },
        startTimer: (milliseconds, elapsed) => {
          if (milliseconds === 30_000) timers.push(elapsed);
          return () => void timers.splice(timers.indexOf(elapsed), 1);
        },
      },
    };
    return asked;
  }
  const rules: Policy = { servers: { shop: { location: 'ask' } } };
  const placeIn = (message: Message | undefined): unknown => message?.['params']._meta[CONTEXT].userLocation;

  it('a hundred parallel calls raise one prompt (D-20)', async () => {
    const user = asking();
    const shop = under(rules, { asking: user.options });
    const calls = Array.from({ length: 100 }, () => shop.ask('tools/call', call()));
    await Promise.resolve();
    expect([user.questions, shop.sent]).toEqual([[{ server: 'shop', field: 'location', precision: 'coordinates', principal: null }], []]);
    user.answer('once');
    await Promise.all(calls);
    expect([shop.sent.length, user.questions.length, shop.sent.every((message) => placeIn(message) !== undefined)]).toEqual([100, 1, true]);
  });

  it('once is for the calls that wait, always and never are remembered', async () => {
    for (const [consent, prompts] of [
      ['once', 2],
      ['always', 1],
      ['never', 1],
    ] as const) {
      const user = asking(consent);
      const shop = under(rules, { asking: user.options });
      await shop.ask('tools/call', call());
      await shop.ask('tools/call', call());
      expect([consent, user.questions.length]).toEqual([consent, prompts]);
      expect(shop.sent.map(placeIn).every((place) => (place !== undefined) === (consent !== 'never'))).toBe(true);
    }
  });

  it('another precision, field, server or principal is another prompt', async () => {
    const user = asking('always');
    const shop = under({ default: { location: 'ask', language: 'ask' } }, { asking: user.options });
    await shop.ask('tools/call', call());
    shop.waybill.update({ environment: { location: { ...PLACE, precision: 'country' } } });
    await shop.ask('tools/call', call());
    shop.waybill.update({ principal: 'ada' });
    await shop.ask('tools/call', call());
    expect(user.questions.map(({ field, precision, principal }) => [field, precision, principal])).toEqual([
      ['language', undefined, null],
      ['location', 'coordinates', null],
      ['location', 'country', null],
      ['language', undefined, 'ada'],
      ['location', 'country', 'ada'],
    ]);
    expect(placeIn(shop.sent.at(-1))).toEqual({ country: 'AT' });
  });

  it.each<[string, (user: Asked) => PolicyOptions, (user: Asked) => void, string]>([
    ['a timeout', (user) => user.options, (user) => user.elapse(), 'gave no answer within 30000 ms, so'],
    ['a throw', (user) => ({ ...user.options, ask: () => { throw new Error('no'); } }), () => undefined, 'failed, see onFault, so'], // prettier-ignore
    [
      'a rejection',
      (user) => ({ ...user.options, ask: () => Promise.reject(new Error('no')) }),
      () => undefined,
      'failed, see onFault, so',
    ],
    ['an answer that is none', (user) => ({ ...user.options, ask: () => 'yes' as never }), () => undefined, 'gave another answer, so'],
    ['no callback', () => ({}), () => undefined, 'is missing, so'],
  ])('%s means never for that connection, with one setup issue (D-20)', async (_, options, act, why) => {
    const user = asking();
    const shop = under({ default: { location: 'ask', language: 'ask' } }, { asking: options(user) });
    const first = shop.ask('tools/call', call());
    await Promise.resolve();
    act(user);
    await first;
    const before = user.questions.length;
    await shop.ask('tools/call', call());
    expect(shop.sent.map((message) => [placeIn(message), message['params']._meta[LANGUAGE]])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
    expect(user.questions.length).toBe(before);
    const problem: unknown = expect.stringMatching(`^${why}`);
    expect(shop.issues.filter(({ side }) => side === 'setup')).toMatchObject([{ key: 'policy.ask', problem }]);
  });

  it('initialize, server/discover and notifications never wait', async () => {
    const user = asking();
    const shop = under({ default: { language: 'ask', capabilities: 'ask', trace: 'ask' } }, { asking: user.options });
    await shop.ask('initialize', { capabilities: { roots: {} } });
    await shop.ask('server/discover', modern());
    await shop.transport.send({ jsonrpc: '2.0', method: 'notifications/x', params: { _meta: { [LANGUAGE]: 'fr' } } });
    expect(user.questions).toEqual([]);
    expect(shop.issues).toEqual([]);
    expect(shop.sent.map(({ params }) => [params.capabilities, params._meta[LANGUAGE], params._meta['traceparent']])).toEqual([
      [{}, undefined, undefined],
      [undefined, undefined, undefined],
      [undefined, undefined, undefined],
    ]);
  });

  it('a want shows its reason in the prompt, raises none where nothing asks, and grants nothing (D-37)', async () => {
    const wants = { location: 'to find\nshops\u202E near you', timezone: 'please' };
    const server: Server = ({ method }) =>
      method === 'server/discover' ? { capabilities: { extensions: { 'dev.waybill/context': { wants } } } } : {};
    const user = asking('never');
    const shop = under({ default: { location: 'ask', timezone: 'never' } }, { asking: user.options, server });
    await shop.ask('server/discover', modern());
    await shop.ask('tools/call', call());
    expect(user.questions).toEqual([
      { server: 'shop', field: 'location', precision: 'coordinates', principal: null, reason: 'to find shops near you' },
    ]);
    expect(shop.sent.at(-1)?.['params']._meta[CONTEXT]).not.toMatchObject({ userLocation: expect.anything() });
    expect(shop.sent.at(-1)?.['params']._meta[CONTEXT]).not.toHaveProperty('timezone');
  });
});

describe('the ledger', () => {
  it('names fields, counts and precision, and never a value', async () => {
    const shop = under({ default: { language: 'never', location: 'city' } });
    await shop.ask('tools/call', call());
    await shop.ask('tools/call', call());
    expect(await summary(shop)).toEqual({
      'language withheld': 2,
      'timezone sent': 2,
      'now sent': 2,
      'locale sent': 2,
      'location sent city': 2,
      'trace sent': 2,
      'capabilities sent': 2,
    });
    const text = JSON.stringify(await shop.waybill.ledger?.export());
    expect(text).not.toMatch(/Vienna|de-AT|AT"|48\./);
    const [entry] = (await shop.waybill.ledger?.list()) as LedgerEntry[];
    expect(entry).toMatchObject({ server: 'shop', first: NOW, last: NOW });
  });

  it('is kept apart by principal and by server', async () => {
    const shop = under({});
    shop.waybill.update({ principal: 'ada' });
    await shop.ask('tools/call', call());
    expect(await summary(shop)).toEqual({});
    expect(await summary(shop, { principal: 'ada', server: 'other' })).toEqual({});
    expect(await summary(shop, { principal: 'ada', server: 'shop' })).toMatchObject({ 'trace sent': 1 });
    expect(await shop.waybill.ledger?.principals()).toEqual(['ada']);
  });

  it('lies in the store of the jar, is shared by programs, and clear erases it (D-20)', async () => {
    const store = memoryStore();
    const timers: (() => void)[] = [];
    const startTimer: PolicyOptions['startTimer'] = (_, elapsed) => (timers.push(elapsed), () => undefined);
    const [one, other] = [1, 2].map(() => under({}, { state: jar({ store }), asking: { startTimer } }));
    await one!.ask('tools/call', call());
    await other!.ask('tools/call', call());
    await Promise.all([one!.waybill.jar?.flush(), other!.waybill.jar?.flush()]);
    const third = under({}, { state: jar({ store }) });
    expect(await summary(third)).toMatchObject({ 'trace sent': 2 });
    expect([await third.waybill.jar?.principals(), await third.waybill.ledger?.principals()]).toEqual([[], ['']]);
    await third.waybill.jar?.clear({ server: 'other' });
    expect(await summary(one!)).toMatchObject({ 'trace sent': 2 });
    await third.waybill.jar?.clear({ server: 'shop' });
    expect([await summary(one!), await summary(third)]).toEqual([{}, {}]);
  });

  it('keeps in memory what a store does not take', async () => {
    const store = { ...memoryStore(), save: () => Promise.reject(new Error('full')) };
    const shop = under({}, { state: jar({ store }) });
    await shop.ask('tools/call', call());
    await expect(shop.waybill.ledger?.flush()).rejects.toThrow('full');
    expect(await summary(shop)).toMatchObject({ 'trace sent': 1 });
  });

  it('is bounded', async () => {
    const { waybill } = rig({ policy: policy({}), trace: 'start' });
    for (let at = 0; at < 2500; at++) {
      const transport: any = { send: () => Promise.resolve(), close: () => Promise.resolve() };
      waybill.attach(transport, { server: `s${at}` });
      void transport.send({ jsonrpc: '2.0', id: at, method: 'ping', params: modern() });
    }
    const entries = (await waybill.ledger?.list()) ?? [];
    expect(entries.length).toBeLessThanOrEqual(4096);
    expect(entries.some(({ server }) => server === 's2499')).toBe(true);
  });

  it('clear forgets what the user answered', async () => {
    let asked = 0;
    const shop = under({ default: { language: 'ask' } }, { asking: { ask: () => (asked++, 'always') } });
    await shop.ask('ping', modern());
    await shop.waybill.ledger?.clear({ server: 'shop' });
    await shop.ask('ping', modern());
    expect(asked).toBe(2);
  });

  it('a misspelt filter is an error', async () => {
    await expect(under({}).waybill.ledger?.list({ sever: 'x' } as never)).rejects.toThrow(
      'ledger.list.sever: unknown option; did you mean server?',
    );
  });
});

describe('minimal capabilities (D-16)', () => {
  const tools = [{ name: 'book', _meta: { 'io.modelcontextprotocol/requiredCapabilities': { elicitation: {} } } }, { name: 'plain' }];
  const server: Server = ({ method }) => (method === 'tools/list' ? { tools } : {});
  const built = { elicitation: { form: {}, url: {} }, sampling: {} };

  it('declares what annotated tools need, offers those tools, and drops the lists once more is declared', async () => {
    const shop = under({ default: { capabilities: 'minimal' } }, { server });
    const before = await shop.metaOf('tools/list', modern({}, built));
    expect(before[DECLARED]).toEqual({ extensions: { 'dev.waybill/context': {} } });
    expect(shop.delivered.at(-1)?.['result'].tools).toHaveLength(2);
    await new Promise((resolve) => setTimeout(resolve));
    expect(shop.delivered.at(-1)?.['method']).toMatch(/list_changed$/);
    const after = await shop.metaOf('tools/call', modern({ name: 'book' }, built));
    expect(after[DECLARED]).toEqual({ elicitation: { form: {} }, extensions: { 'dev.waybill/context': {} } });
    const told = shop.delivered.length;
    await shop.ask('tools/list', modern({}, built));
    await new Promise((resolve) => setTimeout(resolve));
    expect(shop.delivered.length).toBe(told + 1);
    expect(await summary(shop)).toMatchObject({ 'capabilities sent minimal': 3, 'capabilities withheld': 3 });
  });

  it('has no effect on 2025-11-25', async () => {
    const shop = under({ default: { capabilities: 'minimal' } }, { server });
    await shop.ask('initialize', { capabilities: built });
    await shop.ask('tools/list');
    expect(shop.sent[0]?.['params'].capabilities).toMatchObject(built);
  });
});

describe('preview', () => {
  it('says what a message would carry, and why something is left out', async () => {
    const shop = under({ default: { language: 'never', location: 'country', trace: 'ask' } });
    const { meta, headers, withheld } = await shop.waybill.preview(shop.transport, { method: 'tools/call', params: { name: 'x' } });
    expect(meta[CONTEXT]).toMatchObject({ timezone: 'Europe/Vienna', userLocation: { country: 'AT' } });
    expect([meta[LANGUAGE], meta['traceparent'], headers]).toEqual([undefined, undefined, {}]);
    expect(withheld).toEqual([
      { field: 'language', rule: 'default.language', level: 'never' },
      { field: 'trace', rule: 'default.trace', level: 'ask' },
    ]);
  });

  it('sends nothing, asks nobody and uses nothing up', async () => {
    let [asked, random] = [0, 0];
    const fill = (bytes: Uint8Array): void => void (random++, bytes.fill(7));
    const store = memoryStore();
    const server: Server = () => ({ _meta: { [STATE]: { cart: 1 } } });
    const options = { asking: { ask: () => (asked++, 'once' as const) }, random: fill, state: jar({ store }), server };
    const shop = under({ default: { language: 'ask' } }, options);
    await shop.ask('tools/call', call());
    const before = [asked, random, shop.sent.length, JSON.stringify(await shop.waybill.ledger?.list())];
    const seen = await shop.waybill.preview(shop.transport, { method: 'tools/call', params: modern({ name: 'x' }) });
    expect([asked, random, shop.sent.length, JSON.stringify(await shop.waybill.ledger?.list())]).toEqual(before);
    expect([seen.meta[STATE], seen.meta['traceparent']]).toEqual([{ cart: 1 }, `00-${'01'.repeat(16)}-${'01'.repeat(8)}-03`]);
    const next = await shop.metaOf('tools/call', call());
    expect(Object.keys(next).sort()).toEqual([...Object.keys(seen.meta), LANGUAGE].sort());
  });

  it('takes a server by name or address, and tells the headers that HTTP adds', async () => {
    const { waybill } = under({ default: { language: 'never' }, servers: { 'https://crm.example.com': { language: 'always' } } });
    const message = { method: 'tools/call', params: { name: 'x' } };
    expect((await waybill.preview('https://crm.example.com/mcp', message)).headers).toEqual({ 'Accept-Language': 'de' });
    expect((await waybill.preview('npm:@scope/server', message)).withheld).toMatchObject([{ field: 'language', rule: 'default.language' }]);
  });

  it('needs a policy and an attached transport', async () => {
    await expect(rig().waybill.preview('x', {})).rejects.toThrow('preview: expected the option policy');
    await expect(under({}).waybill.preview('', { method: 'tools/list' })).rejects.toThrow('preview: expected an attached transport');
    for (const message of [undefined, 'tools/list', { params: {} }])
      await expect(under({}).waybill.preview('x', message as never)).rejects.toThrow('preview: expected a request as the second argument');
    await expect(under({}).waybill.preview({ send: () => Promise.resolve(), close: () => Promise.resolve() }, {})).rejects.toThrow(
      'preview: expected an attached transport',
    );
  });
});
