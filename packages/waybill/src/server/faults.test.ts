import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { describe, expect, it } from 'vitest';
import { openRig, textOf, SDKS, text } from '../../../../test/support/server-rig.js';
import { failingThenable, lazy, thenable } from '../../../../test/support/thenable.js';
import {
  ACCEPT_LANGUAGE,
  CLIENT_CAPABILITIES,
  CLIENT_CONTEXT,
  CONTENT_LANGUAGE,
  OWN_CLIENT_CAPABILITIES,
  PROTOCOL_VERSION,
  TRACEPARENT,
} from '../wire/keys.js';
import type { FetchHandler } from '../transport/index.js';
import { contextOf } from './context.js';
import type { ServerRequest } from './part.js';
import { serverContext, type ServerContext } from './server.js';

const boom = (): never => {
  throw new Error('boom');
};
const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe.each(SDKS)('a function of the options that fails, SDK %s', (sdk) => {
  it.each([
    ['language.strategy throws', { languages: ['en', 'fr'], language: { strategy: boom } }, 'en'],
    ['language.strategy gives no tag', { languages: ['en', 'fr'], language: { strategy: () => 5 as never } }, 'en'],
    ['language.strategy gives another language', { languages: ['en', 'fr'], language: { strategy: () => 'fr-CA' } }, 'en'],
    ['language.strategy gives a promise', { languages: ['en', 'fr'], language: { strategy: async () => 'fr' } as never }, 'en'],
    ['language.strategy gives a thenable', { languages: ['en', 'fr'], language: { strategy: () => thenable('fr') } as never }, 'en'],
    ['clock throws', { clock: boom }, /^[0-9]{4}-/],
    ['clock gives a thenable', { clock: () => thenable(0) as never }, /^[0-9]{4}-/],
    ['clock gives no number', { clock: () => 'x' as never }, /^[0-9]{4}-/],
    ['random throws', { trace: { takesPart: true }, random: boom }, PARENT],
    ['telemetry.carrier throws', { telemetry: { around: (hooks: any) => hooks, carrier: boom } as never }, PARENT],
    ['telemetry.around throws', { telemetry: { around: boom, carrier: () => ({}) } as never }, PARENT],
  ])('%s: the fault is reported, and the call goes on', async (_, options, expected) => {
    const faults: unknown[] = [];
    const waybill = serverContext({ ...options, onFault: (error) => faults.push(error) });
    const readsTwice = (ctx: any): unknown => {
      const { language, environment, trace } = contextOf(ctx);
      const found = 'languages' in options ? language.chosen : 'clock' in options ? environment.now.text : trace.carrier().traceparent;
      return text(found);
    };
    const rig = await openRig(sdk, { showContext: readsTwice }, (server) => waybill.attach(server));
    const answer = await rig.call('showContext', { [ACCEPT_LANGUAGE]: 'fr', [TRACEPARENT]: PARENT });
    expect(textOf(answer)).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
    expect(faults).toHaveLength(1);
    if (_.includes(' gives ')) expect(String(faults[0])).toContain(_.split(' ', 1)[0]!.split('.').at(-1)! + ': returned ');
  });
});

describe.each(SDKS)('a handler that asks for a capability and goes on without it, SDK %s', (sdk) => {
  const attached = (tool: (ctx: any) => unknown) =>
    openRig(sdk, { tool }, (server) => serverContext({ languages: ['en', 'de'] }).attach(server));

  it('LANG-20: a handler that caught the refusal and answers keeps its language', async () => {
    const rig = await attached((ctx) => {
      const { language, capabilities } = contextOf(ctx);
      try {
        capabilities.requireCapability('sampling.tools');
      } catch {
        return text(`in ${language.chosen}`);
      }
      return text('never');
    });
    const { result } = await rig.call('tool', { [ACCEPT_LANGUAGE]: 'de' });
    expect([result.content[0].text, result._meta[CONTENT_LANGUAGE]]).toEqual(['in de', 'de']);
  });

  it('the handler’s own error that only quotes the refusal stays unchanged', async () => {
    const rig = await attached((ctx) => {
      try {
        contextOf(ctx).capabilities.requireCapability('sampling.tools');
      } catch (error) {
        return { ...text(`Leider: ${(error as Error).message}`), isError: true };
      }
      return text('never');
    });
    const { result } = await rig.call('tool');
    expect([result.isError, result.content[0].text]).toEqual([true, expect.stringMatching(/^Leider: /)]);
  });
});

describe.each(SDKS)('the clock, SDK %s', (sdk) => {
  it('CTX-26: a zone without a timestamp puts the server’s clock into that zone', async () => {
    const now = Date.UTC(2026, 6, 1, 20);
    const waybill = serverContext({ clock: () => now });
    const readsNow = (ctx: any): unknown => text(contextOf(ctx).environment.now.text);
    const rig = await openRig(sdk, { showContext: readsNow }, (server) => waybill.attach(server));
    const told = async (timezone?: string): Promise<string> =>
      textOf(await rig.call('showContext', timezone && { [CLIENT_CONTEXT]: { timezone } }));
    expect([await told('Asia/Tokyo'), await told('America/St_Johns'), await told()]).toEqual([
      '2026-07-02T05:00:00.000+09:00',
      '2026-07-01T17:30:00.000-02:30',
      '2026-07-01T20:00:00.000Z',
    ]);
  });
});

describe('a foreign transport that passes nothing beside the message, behind the edge', () => {
  class Bare {
    onmessage?: (message: any) => void;
    readonly #open = new Map<unknown, (answer: any) => void>();
    start = () => Promise.resolve();
    close = () => Promise.resolve();
    send = (answer: any) => Promise.resolve(this.#open.get(answer.id)?.(answer));
    handle = (message: any) => new Promise((resolve) => (this.#open.set(message.id, resolve), this.onmessage?.(message)));
  }

  it('D-13, LANG-48: status, language and privacy are those of the call', async () => {
    const waybill = serverContext({ languages: ['en', 'de'], tools: { needs: { requires: { sampling: {} } } } });
    const server = new McpServer({ name: 's', version: '1' });
    server.registerTool('says', {}, (extra: any) => text(contextOf(extra).language.chosen));
    server.registerTool('needs', {}, () => text('x'));
    const transport = new Bare();
    await waybill.attach(server).connect(transport);
    const handler = waybill.http(async (_request: Request, about?: any) => Response.json(await transport.handle(about.parsedBody)));
    const post = async (name: string, meta: object) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: name, method: 'tools/call', params: { name, arguments: {}, _meta: meta } });
      const response = await handler(
        new Request('http://127.0.0.1/', { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
      );
      return [response.status, response.headers.get('content-language'), response.headers.get('cache-control')];
    };
    expect(await post('says', { [ACCEPT_LANGUAGE]: 'de' })).toEqual([200, 'de', 'private']);
    expect(await post('needs', { [PROTOCOL_VERSION]: '2026-07-28', [CLIENT_CAPABILITIES]: {} })).toEqual([400, null, null]);
  });

  /** Tools behind the edge, called with one message or with a batch of an old revision. */
  const served = async (waybill: ServerContext, tools: Record<string, (extra: any) => any>) => {
    const server = new McpServer({ name: 's', version: '1' });
    for (const [name, run] of Object.entries(tools)) server.registerTool(name, {}, run);
    const transport = new Bare();
    await waybill.attach(server).connect(transport);
    const handler = waybill.http(async (_request: Request, about?: any) => {
      const body = about.parsedBody;
      return Response.json(await (Array.isArray(body) ? Promise.all(body.map(transport.handle)) : transport.handle(body)));
    });
    return (body: object, headers: Record<string, string> = {}) =>
      handler(
        new Request('http://127.0.0.1/', {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        }),
      );
  };
  const calls = (name: string, meta: object = {}, id: unknown = 1): object => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: {}, _meta: meta },
  });
  const speaks = (extra: any): any => text(contextOf(extra).language.chosen);

  it.each([
    [['de', 'de'], 'de'],
    [['de', 'en'], null],
    [['de', undefined], 'de'],
  ])('LANG-48: the header of a batch in %j is %j', async (languages, expected) => {
    const post = await served(serverContext({ languages: ['en', 'de'] }), { speaks });
    const response = await post(
      languages.map((language, id) => calls('speaks', language === undefined ? {} : { [ACCEPT_LANGUAGE]: language }, id)),
    );
    expect(response.headers.get('content-language')).toBe(expected);
  });

  it.each([
    [['adds', 'speaks'], 'no-store'],
    [['speaks', 'adds'], 'no-store'],
    [['speaks', 'speaks'], 'private'],
  ])('D-24: a batch of %j is cached as its strictest answer allows', async (tools, expected) => {
    const post = await served(serverContext({ languages: ['en', 'de'] }), {
      speaks,
      adds: (extra) => (contextOf(extra).state.session.set('cart', 'apples'), text('ok')),
    });
    // The preference has no header: LANG-63.
    const meta = { [ACCEPT_LANGUAGE]: 'de', [OWN_CLIENT_CAPABILITIES]: { state: {} } };
    const response = await post(tools.map((name, id) => calls(name, meta, id)));
    expect(response.headers.get('cache-control')).toBe(expected);
  });

  it('D-24: an answer that must not be stored stays so if it is private too', async () => {
    const secret = { name: 'secret', before: ({ answer }: ServerRequest) => answer.caching.restrict('no-store') };
    const post = await served(serverContext({ filter: 'declared', parts: [secret] }), { speaks });
    const response = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('LANG-42, D-19: a mismatch is refused even if the base headers are wrong and nobody else reports them', async () => {
    let ran = 0;
    const post = await served(serverContext({ languages: ['en', 'de'] }), { runs: () => (ran++, text('x')) });
    const meta = { [PROTOCOL_VERSION]: '2026-07-28', [CLIENT_CAPABILITIES]: {}, [ACCEPT_LANGUAGE]: 'de' };
    const response = await post(calls('runs', meta), { 'accept-language': 'en' });
    expect([response.status, (await response.json()).error.code, ran]).toEqual([400, -32020, 0]);
  });

  it('a language that no header can hold stays in the body', async () => {
    const faults: unknown[] = [];
    const waybill = serverContext({ languages: ['en', 'fr'], onFault: (error) => faults.push(error) });
    const post = await served(waybill, { own: () => ({ ...text('x'), _meta: { [CONTENT_LANGUAGE]: 'français' } }) });
    const response = await post(calls('own'));
    expect([response.headers.get('content-language'), faults]).toEqual([null, []]);
    expect((await response.json()).result._meta).toEqual({ [CONTENT_LANGUAGE]: 'français' });
  });

  it('CAP-05: a tool without requirements needs no declaration; a tool with requirements does', async () => {
    const waybill = serverContext({ tools: { free: { requires: {} }, needs: { requires: { sampling: {} } } } });
    const post = await served(waybill, { free: () => text('x'), needs: () => text('x') });
    const status = async (name: string): Promise<unknown[]> => {
      const response = await post(calls(name, { [PROTOCOL_VERSION]: '2026-07-28' }));
      return [response.status, (await response.json()).error?.code];
    };
    expect([await status('free'), await status('needs')]).toEqual([
      [200, undefined],
      [400, -32602],
    ]);
  });

  it('a handler that passes its _meta on to a server of the same layer calls for that request, not for its own', async () => {
    const waybill = serverContext({ languages: ['en', 'de', 'fr'] });
    const inner = await openRig('v1', { speaks }, (server) => waybill.attach(server));
    const post = await served(waybill, {
      passes: async (extra) => {
        const other = textOf(await inner.call('speaks', { ...extra._meta, [ACCEPT_LANGUAGE]: 'de' }));
        return text([other, contextOf(extra).language.chosen]);
      },
    });
    const response = await post(calls('passes', { [ACCEPT_LANGUAGE]: 'fr' }));
    expect(JSON.parse(textOf(await response.json()))).toEqual(['de', 'fr']);
  });
});

describe.each(SDKS)('a part of the author, SDK %s', (sdk) => {
  it.each([
    ['a text', () => 'x'],
    ['a list', () => []],
    ['the promise of a number', () => Promise.resolve(5)],
  ])('a part that returns %s is skipped and reported', async (_, result) => {
    const faults: unknown[] = [];
    const waybill = serverContext({ parts: [{ name: 'mine', result: result as never }], onFault: (error) => faults.push(error) });
    const rig = await openRig(sdk, { tool: () => text('fine') }, (server) => waybill.attach(server));
    expect(textOf(await rig.call('tool'))).toBe('fine');
    expect(String(faults.at(-1))).toBe('TypeError: part "mine": result() returned no object');
  });

  it('D-35: a part that returns thenables is awaited, before the handler and after it', async () => {
    const order: string[] = [];
    const mine = {
      name: 'mine',
      before: () => lazy(() => order.push('before')) as never,
      result: (result: object) => thenable({ ...result, mine: true }) as never,
    };
    const waybill = serverContext({ parts: [mine] });
    const tool = (): unknown => (order.push('handler'), text('fine'));
    const rig = await openRig(sdk, { tool }, (server) => waybill.attach(server));
    expect((await rig.call('tool')).result.mine).toBe(true);
    expect(order).toEqual(['before', 'handler']);
  });

  it('D-35: a part whose thenable is rejected is skipped and reported', async () => {
    const faults: unknown[] = [];
    const error = new Error('no');
    const fails = (): never => failingThenable(error) as never;
    const waybill = serverContext({ parts: [{ name: 'mine', before: fails, result: fails }], onFault: (fault) => faults.push(fault) });
    const rig = await openRig(sdk, { tool: () => text('fine') }, (server) => waybill.attach(server));
    expect(textOf(await rig.call('tool'))).toBe('fine');
    expect(faults).toEqual([error, error]);
  });

  it.each(['instead', 'values'])(
    'D-35: a part that returns a promise for %s, which has to answer at once, is skipped and reported',
    async (name) => {
      const faults: unknown[] = [];
      const waybill = serverContext({
        parts: [{ name: 'mine', [name]: () => thenable({ content: [] }) }],
        onFault: (fault) => faults.push(fault),
      });
      const rig = await openRig(sdk, { tool: () => text('fine') }, (server) => waybill.attach(server));
      expect(textOf(await rig.call('tool'))).toBe('fine');
      expect(String(faults.at(-1))).toBe(`TypeError: part "mine": ${name}(): returned a promise; return the value itself`);
    },
  );
});

describe.each(SDKS)('a part of the author that returns no object for an error, SDK %s', (sdk) => {
  it('the part is skipped and reported, and the error arrives', async () => {
    const faults: unknown[] = [];
    const waybill = serverContext({ parts: [{ name: 'mine', error: () => 5 as never }], onFault: (error) => faults.push(error) });
    const fails = (ctx: any): never => {
      throw contextOf(ctx).error(7, 'no');
    };
    const rig = await openRig(sdk, { fails }, (server) => waybill.attach(server));
    const { error } = await rig.call('fails');
    expect([error.code, error.message]).toEqual([7, 'no']);
    expect(String(faults.at(-1))).toBe('TypeError: part "mine": error() returned no object');
  });
});

describe('attach', () => {
  it.each([undefined, null, 5, {}, { server: {} }])('%j is refused with the name of the called function', (target) => {
    expect(() => serverContext().attach(target as never)).toThrow('attach: expected a server with connect(), or a function that makes one');
  });

  it('a value of a factory that is not a server is refused too', () => {
    const factory = serverContext().attach(() => undefined as unknown as object);
    expect(factory).toThrow('attach: expected a server with connect(), or a function that makes one');
  });

  it('a class in place of its servers is refused too', () => {
    expect(() => serverContext().attach(McpServer)).toThrow(
      'attach: expected a server or a function that makes one, not the class: write () => new McpServer',
    );
  });

  it.each([undefined, null, {}, () => undefined])('instrument wants the class: %s', (target) => {
    expect(() => serverContext().instrument(target as never)).toThrow('instrument: expected a class with connect()');
  });
});

describe('contextOf', () => {
  it.each([{}, { text: 'the arguments' }, 5 as never])('%j is no ctx, and the error says what to pass', (ctx) => {
    expect(() => contextOf(ctx)).toThrow('contextOf: this is not the ctx of a handler');
  });

  it.each([{ mcpReq: { id: 1 } }, { requestId: 1, signal: {} }])('%j is the ctx of a server that is not attached', (ctx) => {
    expect(() => contextOf(ctx)).toThrow('give the server to attach()');
  });
});

describe('options', () => {
  it.each([
    [{ strict: 'yes' }, 'strict: '],
    [{ languages: 'en' }, 'languages: '],
    [{ languages: ['de_AT'] }, 'languages[0]: '],
    [{ languages: ['en'], language: { default: 'fr' } }, 'language.default: '],
    [{ language: { strategy: 'x' } }, 'language.strategy: '],
    [{ limits: { size: -1 } }, 'limits.size: '],
    [{ tools: { a: 5 } }, 'tools.a: '],
    [{ tools: { a: { requires: { elicitation: true } } } }, 'tools.a.requires.elicitation: expected an object'],
    [{ tools: { a: { requires: { elicitation: undefined } } } }, 'tools.a.requires.elicitation: expected an object'],
    [{ tools: { a: { requires: { elicitation: { form: undefined } } } } }, 'tools.a.requires.elicitation: is not JSON'],
    [{ tools: { a: { require: {} } } }, 'tools.a.require: unknown option; did you mean requires?'],
    [{ langauges: ['en'] }, 'langauges: unknown option; did you mean languages?'],
    [{ trace: { incomming: 'link' } }, 'trace.incomming: unknown option; did you mean incoming?'],
    [{ onIssue: 5 }, 'onIssue: '],
    [{ onFault: 'x' }, 'onFault: '],
    [{ parts: 5 }, 'parts: '],
    [{ parts: [5] }, 'parts[0]: '],
    [{ dialects: ['x'] }, 'dialects: '],
    [{ ambient: 5 }, 'ambient: expected true or false'],
    [{ storage: { run: () => 0, getStore: () => 0 } }, 'storage: only used together with ambient: true'],
    [{ ambient: true, storage: {} }, 'storage: expected an AsyncLocalStorage'],
    [{ languages: ['en', 'german'] }, 'languages[1]: expected a BCP 47 language tag, got "german"; did you mean de?'],
  ])('%j fails at construction and names its path', (options, path) => {
    expect(() => serverContext(options as never)).toThrow(path);
  });

  it('options of http() and stdio() are checked too', () => {
    const waybill = serverContext();
    expect(() => waybill.http(() => new Response(), { rebuid: true } as never)).toThrow(
      'http.rebuid: unknown option; did you mean rebuild?',
    );
    expect(() => waybill.stdio({ maxline: 10 } as never)).toThrow('stdio.maxline: unknown option; did you mean maxLine?');
    expect(() => waybill.http(() => new Response(), { rebuild: 'yes' } as never)).toThrow('http.rebuild: expected true or false');
    for (const given of [null, true, 5]) {
      expect(() => waybill.http(() => new Response(), given as never)).toThrow('http: expected an object');
      expect(() => waybill.stdio(given as never)).toThrow('stdio: expected an object');
    }
  });

  it('a handler that returns no Response is named', async () => {
    const handler: FetchHandler = serverContext().http((() => ({ connect: () => undefined })) as never);
    const request = new Request('http://a.example', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });
    await expect(handler(request)).rejects.toThrow('http: the handler returned no Response');
  });

  it.each([
    undefined,
    null,
    5,
    '',
    '.x',
    'sampling..tools',
    'extensions.',
    [],
    { elicitation: undefined },
    { elicitation: { form: undefined } },
  ])('a wrong requirement, %j, is not met by everybody', async (required) => {
    const tries = (ctx: any): unknown => {
      const { capabilities } = contextOf(ctx);
      expect(() => capabilities.can(required as never)).toThrow('can: expected');
      expect(() => capabilities.requireCapability(required as never)).toThrow('requireCapability: expected');
      return text('ok');
    };
    const rig = await openRig(SDKS[0]!, { tries }, (server) => serverContext().attach(server));
    expect(textOf(await rig.call('tries'))).toBe('ok');
  });
});
