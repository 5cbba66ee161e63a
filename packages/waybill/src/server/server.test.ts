import { ResourceTemplate as TemplateV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ResourceTemplate as TemplateV2 } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { buildServer, openRig, textOf, SDKS, text, type Sdk } from '../../../../test/support/server-rig.js';
import { ContextError } from '../wire/errors.js';
import type { Issue } from '../wire/issue.js';
import {
  ACCEPT_LANGUAGE,
  CLIENT_CAPABILITIES,
  CLIENT_CONTEXT,
  CLIENT_INFO,
  CONTENT_LANGUAGE,
  EXTENSION_ID,
  LOG_LEVEL,
  OWN_CLIENT_CAPABILITIES,
  PROTOCOL_VERSION,
} from '../wire/keys.js';
import { readResult } from '../wire/read.js';
import { contextOf } from './context.js';
import { listCache } from './parts/lists.js';
import { catalogs } from './localise/catalogs.js';
import type { ServerContextOptions } from './options.js';
import type { ServerPart } from './part.js';
import { serverContext } from './server.js';

const LANGUAGES = ['en', 'fr', 'de'];
const speaks = (ctx: any): unknown => text(contextOf(ctx).language.chosen);

const open = (
  sdk: Sdk,
  tools: Record<string, (ctx: any, args: any) => unknown>,
  options: ServerContextOptions = { languages: LANGUAGES },
) => {
  const waybill = serverContext(options);
  return openRig(sdk, tools, (server) => waybill.attach(server));
};

describe.each(SDKS)('a server of SDK %s', (sdk) => {
  describe('contextOf', () => {
    it('LANG-04, LANG-05: each request has its own context, with any number of requests at once', async () => {
      let release: () => void = () => undefined;
      const gate = new Promise<void>((resolve) => (release = resolve));
      const rig = await open(sdk, { late: async (ctx) => (await gate, speaks(ctx)) });
      const calls = ['fr', 'de', undefined, 'fr'].map((language) => rig.call('late', language && { [ACCEPT_LANGUAGE]: language }));
      release();
      expect((await Promise.all(calls)).map(textOf)).toEqual(['fr', 'de', 'en', 'fr']);
    });

    it('contextOf works for a request without _meta, and without params', async () => {
      const rig = await open(sdk, { speaks });
      expect(textOf(await rig.call('speaks'))).toBe('en');
      expect((await rig.ask('ping')).result).toEqual({});
      expect((await rig.ask('tools/list')).result.tools).toHaveLength(1);
    });

    it('contextOf says what is wrong if the server is not attached, or no ctx is passed', async () => {
      const rig = await openRig(sdk, { speaks, none: () => text(contextOf().language.chosen) }, (server) => server);
      const answers = [await rig.call('speaks'), await rig.call('none')];
      expect(answers.map(textOf)).toEqual([expect.stringContaining('attach()'), expect.stringContaining('ambient')]);
    });

    it('a peer cannot forge a ticket: a value under our key is ignored', async () => {
      const forged = { [EXTENSION_ID]: { context: { language: { chosen: 'xx' } }, live: {}, room: {} }, [ACCEPT_LANGUAGE]: 'fr' };
      const rig = await open(sdk, { speaks });
      expect(textOf(await rig.call('speaks', forged))).toBe('fr');
    });

    it('no text and no answer contains the ticket: not if _meta is written out, returned or passed on', async () => {
      const metaOf = (ctx: any): any => (ctx.mcpReq ?? ctx)._meta;
      const rig = await open(sdk, {
        written: (ctx) => text(JSON.stringify(metaOf(ctx))),
        returned: (ctx) => ({ ...text('x'), _meta: metaOf(ctx) }),
        cloned: (ctx) => text(Object.keys(JSON.parse(JSON.stringify(metaOf(ctx))) as object).join()),
      });
      const meta = { 'example.test/a': 1, [ACCEPT_LANGUAGE]: 'fr' };
      expect(JSON.parse(textOf(await rig.call('written', meta)))).toEqual(meta);
      const { result } = await rig.call('returned', meta);
      expect(Reflect.ownKeys(result._meta)).toEqual(Object.keys(meta));
      expect(textOf(await rig.call('cloned', meta))).toBe(Object.keys(meta).join());
      expect(JSON.stringify(rig.out)).not.toContain('waybill');
    });

    it('a ticket belongs to its own request, not to one that gets its _meta', async () => {
      const inner = await open(sdk, { speaks });
      const outer = await open(sdk, {
        passes: async (ctx) => text(textOf(await inner.call('speaks', { ...(ctx.mcpReq ?? ctx)._meta, [ACCEPT_LANGUAGE]: 'de' }))),
      });
      expect(textOf(await outer.call('passes', { [ACCEPT_LANGUAGE]: 'fr' }))).toBe('de');
    });

    it('a request has one now, however often a handler reads it and whatever the clock does', async () => {
      let clock = Date.UTC(2026, 0, 1);
      const readsNow = (ctx: any): unknown => text([contextOf(ctx).environment.now.text, contextOf(ctx).environment.now.text]);
      const rig = await open(sdk, { showContext: readsNow }, { clock: () => (clock += 1000) });
      const [first, second] = JSON.parse(textOf(await rig.call('showContext')));
      expect(first).toBe(second);
    });

    it('a context goes on working after the answer has left', async () => {
      let kept: any;
      let lazy: any;
      const rig = await open(sdk, {
        keeps: (ctx) => {
          [kept, lazy] = [ctx, contextOf(ctx)];
          return text('done');
        },
      });
      await rig.call('keeps', { [ACCEPT_LANGUAGE]: 'fr', [CLIENT_CONTEXT]: { timezone: 'Asia/Tokyo', locale: 7 } });
      expect([lazy.language.chosen, lazy.environment.timezone, lazy.issues.length]).toEqual(['fr', 'Asia/Tokyo', 1]);
      expect([contextOf(kept).language.chosen, contextOf(kept).environment.timezone]).toEqual(['fr', 'Asia/Tokyo']);
      expect(contextOf(kept)).toBe(contextOf(kept));
    });

    it('a context that is read after the answer has left gives the same values', async () => {
      let kept: any;
      const told: unknown[] = [];
      const keeps = (ctx: any) => {
        kept = ctx;
        return text('done');
      };
      const rig = await open(sdk, { keeps }, { languages: LANGUAGES, onIssue: (issue) => told.push(issue) });
      const declared = { elicitation: { form: {} } };
      await rig.ask('initialize', { protocolVersion: '2025-11-25', capabilities: declared, clientInfo: { name: 'x', version: '1' } });
      const meta = { [ACCEPT_LANGUAGE]: 'fr', [CLIENT_CONTEXT]: { locale: 7 } };
      await rig.call('keeps', meta);
      const context = contextOf(kept);
      expect([context.language.chosen, context.capabilities.declared, context.meta]).toEqual(['fr', declared, meta]);
      expect(Reflect.ownKeys(context.meta)).toHaveLength(2);
      expect([context.issues.length, told]).toEqual([1, []]);
    });

    it('TRACE-04: meta is the whole _meta as it came', async () => {
      const rig = await open(sdk, {
        meta: (ctx) => text(contextOf(ctx).meta),
        names: (ctx) => text(Reflect.ownKeys(contextOf(ctx).meta).length),
      });
      const meta = { 'example.test/correlation': 'a-1', progressToken: 'p' };
      expect(JSON.parse(textOf(await rig.call('meta', meta)))).toEqual(meta);
      expect(textOf(await rig.call('names', meta))).toBe('2');
    });

    it('contextOf reads the request as it came, even if a handler changed the _meta of its SDK', async () => {
      const spoils = (ctx: any) => {
        (ctx.mcpReq?._meta ?? ctx._meta)[ACCEPT_LANGUAGE] = 'de';
        return text(contextOf(ctx).language.chosen);
      };
      const rig = await open(sdk, { spoils });
      const answer = await rig.call('spoils', { [ACCEPT_LANGUAGE]: 'fr' });
      expect([textOf(answer), answer.result._meta]).toMatchObject(['fr', { [CONTENT_LANGUAGE]: 'fr' }]);
    });

    it.each([CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, PROTOCOL_VERSION])(
      'contextOf works for a call of 2025-11-25 whose _meta has only %s, with the capabilities of its connection',
      async (key) => {
        const rig = await open(sdk, { showContext: (ctx) => text(contextOf(ctx).capabilities.can('roots')) });
        await rig.ask('initialize', {
          protocolVersion: '2025-11-25',
          capabilities: { roots: {} },
          clientInfo: { name: 'x', version: '1' },
        });
        expect(textOf(await rig.call('showContext', { [key]: key === CLIENT_CAPABILITIES ? { roots: {} } : 5 }))).toBe('true');
      },
    );

    it('each handler gets its own copy of _meta', async () => {
      const kept = { 'example.test/correlation': 'a-1' };
      const rig = await open(sdk, {
        spoils: (ctx) => {
          const { meta } = contextOf(ctx);
          meta['example.test/correlation'] = 'b-2';
          return text([contextOf(ctx).meta === meta, ctx.mcpReq?._meta ?? ctx._meta]);
        },
      });
      expect(JSON.parse(textOf(await rig.call('spoils', kept)))).toEqual([true, { 'example.test/correlation': 'a-1' }]);
    });
  });

  describe('attach', () => {
    it('BASE-17: attach declares the extension with what it can do, and nothing else', async () => {
      const rig = await open(sdk, { speaks });
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
      const { capabilities } = (await rig.ask('initialize', params)).result;
      expect(capabilities.extensions).toEqual({ [EXTENSION_ID]: { lifts: true } });
    });

    it('attach returns its argument; attaching twice has no further effect; a second context, or a connected server, fails', async () => {
      const waybill = serverContext({ languages: LANGUAGES });
      const server = buildServer(sdk, { speaks });
      expect(waybill.attach(server)).toBe(server);
      expect(waybill.attach(server)).toBe(server);
      expect(() => serverContext().attach(server)).toThrow('already belongs to another context');
      const rig = await openRig(sdk, { speaks }, (other) => other);
      expect(() => waybill.attach(rig.server)).toThrow('already connected');
      expect(() => waybill.attach({})).toThrow(TypeError);
    });

    it('attach takes a factory, synchronous or not, and low-level servers', async () => {
      const waybill = serverContext({ languages: LANGUAGES });
      const factory = waybill.attach(() => buildServer(sdk, { speaks }));
      const later = waybill.attach(async () => buildServer(sdk, { speaks }).server);
      for (const server of [factory(), await later()]) {
        const rig = await openRig(sdk, {}, () => server);
        expect(textOf(await rig.call('speaks', { [ACCEPT_LANGUAGE]: 'fr' }))).toBe('fr');
      }
    });

    it('one context serves many servers and connections, and keeps nothing between them', async () => {
      const waybill = serverContext({ languages: LANGUAGES });
      const declares = (ctx: any): unknown => text(contextOf(ctx).capabilities.declared ?? null);
      const rigs = await Promise.all([0, 1].map(() => openRig(sdk, { declares }, (server) => waybill.attach(server))));
      await rigs[0]?.ask('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: { sampling: {}, state: {} },
        clientInfo: { name: 'x', version: '1' },
      });
      // D-04: as they came, also with names that the SDK does not know.
      expect((await Promise.all(rigs.map((rig) => rig.call('declares')))).map(textOf)).toEqual(['{"sampling":{},"state":{}}', 'null']);
    });

    it('instrument reaches servers that a framework builds, and can be undone', async () => {
      const waybill = serverContext({ languages: LANGUAGES });
      const undo = waybill.instrument(Object.getPrototypeOf(buildServer(sdk, {}).server).constructor);
      const rig = await openRig(sdk, { speaks }, (server) => server);
      undo();
      const other = await openRig(sdk, { speaks }, (server) => server);
      expect([textOf(await rig.call('speaks')), textOf(await other.call('speaks'))]).toEqual(['en', expect.stringContaining('attach()')]);
    });

    it.each(['Server', 'McpServer'])('instrument declares the extension, with the class %s', async (name) => {
      const built = buildServer(sdk, {});
      const undo = serverContext().instrument((name === 'Server' ? built.server : built).constructor);
      const rig = await openRig(sdk, {}, (server) => server);
      undo();
      const { result } = await rig.ask('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'x', version: '1' },
      });
      expect(result.capabilities.extensions).toHaveProperty([EXTENSION_ID]);
    });

    it('observers see every exchange until they are removed', async () => {
      const waybill = serverContext();
      const seen: string[] = [];
      const rig = await openRig(sdk, { speaks: () => text('x') }, (server) => waybill.attach(server));
      const stop = waybill.observe((exchange) => (ended) => void seen.push(`${exchange.method} ${String(ended.outcome)}`));
      await rig.call('speaks');
      stop();
      await rig.call('speaks');
      expect(seen).toEqual(['tools/call result']);
    });

    it('observers see an error that a tool threw as it is on the wire, not as the result of the SDK', async () => {
      const waybill = serverContext();
      const seen: unknown[] = [];
      const tools = {
        own: (ctx: any) => {
          throw contextOf(ctx).error(-32_050, 'no');
        },
        needs: (ctx: any) => contextOf(ctx).capabilities.requireCapability('sampling'),
      };
      const rig = await openRig(sdk, tools as never, (server) => waybill.attach(server));
      waybill.observe(
        () =>
          ({ outcome, answer }) =>
            void seen.push([outcome, (answer?.['error'] as { code: number }).code]),
      );
      for (const tool of ['own', 'needs']) await rig.call(tool);
      expect(seen).toEqual([
        ['error', -32_050],
        ['error', -32_021],
      ]);
    });
  });

  describe('answers', () => {
    it('LANG-14: the answer reports the language that the handler names', async () => {
      const rig = await open(sdk, {
        other: (ctx) => (contextOf(ctx).language.use('ja'), text('x')),
        two: (ctx) => (contextOf(ctx).language.use(['fr', 'de']), text('x')),
        none: (ctx) => (contextOf(ctx).language.use(undefined), text('x')),
        wrong: (ctx) => {
          for (const tags of [null, 42, [5]]) expect(() => contextOf(ctx).language.use(tags as never)).toThrow('language.use: expected');
          return text('x');
        },
        own: () => ({ ...text('x'), _meta: { [CONTENT_LANGUAGE]: 'it' } }),
        both: (ctx) => ({ ...text(contextOf(ctx).language.chosen), _meta: { [CONTENT_LANGUAGE]: 'it' } }),
      });
      const language = async (tool: string, meta?: object): Promise<unknown> =>
        (await rig.call(tool, meta)).result._meta?.[CONTENT_LANGUAGE];
      const french = { [ACCEPT_LANGUAGE]: 'fr' };
      expect([await language('other', french), await language('other')]).toEqual(['ja', 'ja']);
      expect([await language('two', french), await language('none', french)]).toEqual(['fr, de', undefined]);
      expect(textOf(await rig.call('wrong', french))).toBe('x');
      // The author's own value stays (invariant 6 of ARCHITECTURE.md).
      expect([await language('own', french), await language('both', french)]).toEqual(['it', 'it']);
    });

    it('LANG-20: an answer that sets state names its language too', async () => {
      const adds = (ctx: any): unknown => {
        const { state, language } = contextOf(ctx);
        state.session.set('cart', 'apples');
        return text(language.chosen);
      };
      const rig = await open(sdk, { adds });
      const answer = await rig.call('adds', { [ACCEPT_LANGUAGE]: 'fr', [OWN_CLIENT_CAPABILITIES]: { state: {} } });
      const { state, language } = readResult(answer);
      expect([language?.text, state?.session?.get('cart')]).toEqual(['fr', 'apples']);
    });

    it('LANG-24: log messages name their language, and a notification without text does not', async () => {
      const waybill = serverContext({ languages: LANGUAGES });
      const tells = async (ctx: any): Promise<unknown> => {
        const notify = ctx.mcpReq?.notify ?? ctx.sendNotification;
        const found = text(contextOf(ctx).language.chosen);
        await notify({ method: 'notifications/message', params: { level: 'info', data: { words: 'bonjour' } } });
        await notify({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });
        return found;
      };
      const rig = await openRig(sdk, { tells }, (server) => {
        server.server.registerCapabilities({ logging: {} });
        return waybill.attach(server);
      });
      await rig.call('tells', { [ACCEPT_LANGUAGE]: 'fr' });
      const told = rig.out.filter(({ method }) => method !== undefined);
      expect(told.map(({ params }) => params._meta?.[CONTENT_LANGUAGE])).toEqual(['fr', undefined]);
    });

    it('LANG-23: an error with its own data names its language; one that the SDK recognises by its shape keeps that shape', async () => {
      const fails = (ctx: any, { data }: any): never => {
        const { error, language } = contextOf(ctx);
        throw error(-32602, `pas trouvé (${language.chosen})`, data);
      };
      const rig = await open(sdk, { fails: (ctx) => fails(ctx, { data: contextOf(ctx).meta['example.test/data'] }) });
      const data = async (given: object): Promise<any> =>
        (await rig.call('fails', { [ACCEPT_LANGUAGE]: 'fr', 'example.test/data': given })).error.data;
      expect(await data({ uri: 'doc://a' })).toEqual({ uri: 'doc://a' });
      const more = { uri: 'doc://a', hint: 'x' };
      expect(await data(more)).toEqual({ ...more, _meta: { [CONTENT_LANGUAGE]: 'fr' } });
    });

    it('LANG-23: no language is claimed for the text of a refusal, no matter who refuses and what was read before', async () => {
      const looks: ServerPart = {
        name: 'looks',
        before: (call) => {
          if (call.context.language.chosen === 'fr' && call.received.meta['example.test/no'] === true)
            throw new ContextError('invalid-context', { path: 'example.test/no' });
        },
      };
      const needs = (ctx: any): unknown => {
        const { language, capabilities } = contextOf(ctx);
        capabilities.requireCapability('sampling');
        return text(language.chosen);
      };
      const rig = await open(sdk, { needs }, { languages: LANGUAGES, parts: [looks] });
      const french = { [ACCEPT_LANGUAGE]: 'fr' };
      const refusals = [await rig.call('needs', french), await rig.call('needs', { ...french, 'example.test/no': true })];
      expect(refusals.map(({ error }) => [error.code, error.data._meta])).toEqual([
        [-32021, undefined],
        [-32602, undefined],
      ]);
    });

    it('LANG-09, LANG-21: an invalid language is reported and not sent', async () => {
      const issues: Issue[] = [];
      const rig = await open(
        sdk,
        { odd: (ctx) => (contextOf(ctx).language.use('not a tag'), text('x')) },
        { languages: LANGUAGES, onIssue: (issue) => issues.push(issue) },
      );
      expect((await rig.call('odd')).result).not.toHaveProperty('_meta');
      expect(issues).toEqual([{ concern: 'language', key: CONTENT_LANGUAGE, problem: 'is not a Content-Language value' }]);
    });

    it('LANG-07: a server without languages claims none, and still sees the preference', async () => {
      const rig = await open(sdk, { asks: (ctx) => text([contextOf(ctx).language.chosen, contextOf(ctx).language.preference?.text]) }, {});
      const answer = await rig.call('asks', { [ACCEPT_LANGUAGE]: 'fr' });
      expect([JSON.parse(textOf(answer)), answer.result._meta]).toEqual([['und', 'fr'], undefined]);
    });

    it('a protocol error leaves a tool as an error, unless the tool answered otherwise', async () => {
      const rig = await open(sdk, {
        thrown: (ctx) => {
          throw contextOf(ctx).error(7, 'not today', { why: 1 });
        },
        caught: (ctx) => {
          void contextOf(ctx).error(7, 'not today');
          return { ...text('handled'), isError: true };
        },
        more: (ctx) => {
          const { message } = contextOf(ctx).error(7, 'not today');
          return { content: [...text(message).content, ...text('but tomorrow').content], isError: true };
        },
        plain: () => {
          throw new Error('broken');
        },
      });
      expect((await rig.call('thrown')).error).toEqual({ code: 7, message: 'not today', data: { why: 1 } });
      expect((await rig.call('caught')).result).toMatchObject({ isError: true });
      expect((await rig.call('more')).result).toMatchObject({ isError: true, content: [{ text: 'not today' }, { text: 'but tomorrow' }] });
      expect((await rig.call('plain')).result).toMatchObject({ isError: true, content: [{ text: 'broken' }] });
      expect(() => contextOf({}).error).toThrow();
    });

    it('if several errors were made, the thrown one is sent', async () => {
      const rig = await open(sdk, {
        first: (ctx) => {
          const { error } = contextOf(ctx);
          const thrown = error(404, 'not found', { id: 1 });
          error(403, 'denied');
          throw thrown;
        },
        rethrown: (ctx) => {
          const { error, capabilities } = contextOf(ctx);
          const thrown = error(1, 'A');
          try {
            capabilities.requireCapability('sampling');
          } catch {
            throw thrown;
          }
        },
        both: async (ctx) => {
          const { capabilities } = contextOf(ctx);
          const needs = async (name: string): Promise<void> => capabilities.requireCapability(name);
          await Promise.all([needs('sampling'), needs('elicitation.url')]);
        },
      });
      expect((await rig.call('first')).error).toEqual({ code: 404, message: 'not found', data: { id: 1 } });
      expect((await rig.call('rethrown')).error).toEqual({ code: 1, message: 'A' });
      expect((await rig.call('both')).error.data).toEqual({ requiredCapabilities: { sampling: {} } });
    });

    it('CAP-03: a missing capability leaves a tool as an error, and a tool that can do without it goes on', async () => {
      const needs = (ctx: any): unknown => (contextOf(ctx).capabilities.requireCapability({ sampling: { tools: {} } }), text('ok'));
      const rig = await open(sdk, {
        needs,
        hybrid: (ctx) => {
          try {
            return needs(ctx);
          } catch {
            return text('without');
          }
        },
      });
      expect((await rig.call('needs', { [OWN_CLIENT_CAPABILITIES]: { sampling: {} } })).error).toEqual({
        code: -32021,
        message: 'Missing required client capability: sampling.tools',
        data: { requiredCapabilities: { sampling: { tools: {} } } },
      });
      expect(textOf(await rig.call('needs', { [OWN_CLIENT_CAPABILITIES]: { sampling: { tools: {} } } }))).toBe('ok');
      expect(textOf(await rig.call('hybrid'))).toBe('without');
    });
  });

  describe('a fault', () => {
    const broken = (what: Partial<ServerPart>): ServerPart => ({ name: 'broken', ...what });
    const fail = (): never => {
      throw new Error('a fault');
    };
    const later = (() => Promise.reject(new Error('a fault'))) as never;
    const faults: [string, ServerPart][] = [
      ['before', broken({ before: fail })],
      ['before, later', broken({ before: () => Promise.reject(new Error('a fault')) })],
      ['instead', broken({ instead: fail })],
      ['result', broken({ result: fail })],
      ['result, later', broken({ result: () => Promise.reject(new Error('a fault')) })],
      ['values', broken({ values: fail })],
      ['done', broken({ done: fail })],
      ['done, later', broken({ done: later })],
    ];
    it.each(faults)('a fault in %s never breaks a call', async (_, part) => {
      const told: unknown[] = [];
      const rig = await open(sdk, { speaks }, { languages: LANGUAGES, parts: [part], onFault: (error) => told.push(error) });
      const answer = await rig.call('speaks', { [ACCEPT_LANGUAGE]: 'fr' });
      expect([textOf(answer), answer.result._meta[CONTENT_LANGUAGE], told]).toEqual(['fr', 'fr', [new Error('a fault')]]);
    });

    it('a fault of onIssue is reported to onFault', async () => {
      const told: unknown[] = [];
      for (const onIssue of [fail, later]) {
        const rig = await open(sdk, { speaks }, { languages: LANGUAGES, onIssue, onFault: (error) => told.push(error) });
        await rig.call('speaks', { [ACCEPT_LANGUAGE]: 7 });
      }
      expect(told).toEqual([new Error('a fault'), new Error('a fault')]);
    });

    it('an asynchronous fault of a clock, a strategy, an observer or onFault breaks nothing', async () => {
      const options = { languages: LANGUAGES, language: { strategy: later }, clock: later, onFault: later };
      const waybill = serverContext(options);
      waybill.observe(later);
      waybill.observe(() => later);
      const tells = (ctx: any): unknown => text(`${contextOf(ctx).language.chosen} ${contextOf(ctx).environment.clock}`);
      const rig = await openRig(sdk, { tells }, (server) => waybill.attach(server));
      // An unhandled rejection fails the whole run.
      expect(textOf(await rig.call('tells', { [ACCEPT_LANGUAGE]: 'fr' }))).toBe('en server');
    });

    it('a fault of a listener affects nobody else', async () => {
      const rig = await open(sdk, { speaks }, { languages: LANGUAGES, parts: [broken({ before: fail })], onFault: fail, onIssue: fail });
      expect(textOf(await rig.call('speaks', { [ACCEPT_LANGUAGE]: 7, [CLIENT_CONTEXT]: 7 }))).toBe('en');
    });

    it('a fault in an error, or in a notification, sends it unchanged', async () => {
      const parts = [broken({ error: fail, notification: fail })];
      const rig = await open(
        sdk,
        {
          tells: async (ctx) => {
            const params = { progressToken: 1, progress: 1, message: 'x' };
            await (ctx.mcpReq?.notify ?? ctx.sendNotification)({ method: 'notifications/progress', params });
            throw contextOf(ctx).error(7, 'no');
          },
        },
        { parts },
      );
      expect((await rig.call('tells')).error).toEqual({ code: 7, message: 'no' });
      expect(rig.out[0]).toMatchObject({ method: 'notifications/progress', params: { message: 'x' } });
    });
  });

  describe('a part', () => {
    it('a part may delay the request, refuse it, or answer it', async () => {
      const part: ServerPart = {
        name: 'gate',
        before: async (call) => {
          await Promise.resolve();
          if (call.received.meta['example.test/no'] === true) throw new ContextError('invalid-context', { path: 'example.test/no' });
        },
        instead: (call) => (call.received.meta['example.test/short'] === true ? { content: [], short: true } : undefined),
      };
      let ran = 0;
      const rig = await open(sdk, { runs: () => text(String(++ran)) }, { parts: [part] });
      expect(textOf(await rig.call('runs'))).toBe('1');
      expect((await rig.call('runs', { 'example.test/no': true })).error).toMatchObject({
        code: -32602,
        data: { path: 'example.test/no' },
      });
      expect((await rig.call('runs', { 'example.test/short': true })).result).toEqual({ content: [], short: true });
      expect(ran).toBe(1);
    });

    it('a part adds to what handlers see, to the extension, and to answers', async () => {
      const part: ServerPart = {
        name: 'extra',
        declares: { merge: ['cart'] },
        provides: { extra: (call) => `${call.method} in ${call.choice.language}` },
        result: async (result) => ({ ...result, more: true }),
        values: (kind) => (kind === 'result' ? { meta: { 'example.test/by': 'part' } } : undefined),
      };
      const rig = await open(sdk, { showContext: (ctx) => text((contextOf(ctx) as any).extra) }, { languages: LANGUAGES, parts: [part] });
      const answer = await rig.call('showContext', { [ACCEPT_LANGUAGE]: 'de' });
      expect([textOf(answer), answer.result.more, answer.result._meta]).toEqual(['tools/call in de', true, { 'example.test/by': 'part' }]);
    });
  });
});

describe.each([
  ['v1', TemplateV1],
  ['v2', TemplateV2],
] as const)('a cached list, SDK %s', (sdk, Template) => {
  it('the list of resource templates is made again when the resources have changed', async () => {
    const waybill = serverContext({ lists: listCache({ public: true }) });
    const add = (server: any, name: string): unknown =>
      server.registerResource(name, new Template(`${name}://{id}`, { list: undefined }), {}, () => ({ contents: [] }));
    const rig = await openRig(sdk, {}, (server) => (add(server, 'a'), waybill.attach(server)));
    const names = async (): Promise<string[]> =>
      (await rig.ask('resources/templates/list')).result.resourceTemplates.map(({ name }: { name: string }) => name);
    expect([await names(), await names()]).toEqual([['a'], ['a']]);
    add(rig.server, 'b');
    expect(await names()).toEqual(['a', 'b']);
  });
});

describe('options', () => {
  const wrong: [string, object][] = [
    ['languages', { languages: [] }],
    ['languages[1]', { languages: ['en', 'not a tag'] }],
    ['default', { languages: ['en'], language: { default: 'de' } }],
    ['strategy', { languages: ['en'], language: { strategy: 'guess' } }],
    ['environment.timezone', { environment: { timezone: 'Mars/Olympus' } }],
    ['environment.locale', { environment: { locale: 'de_AT' } }],
    ['environment.maxSkew', { environment: { maxSkew: -1 } }],
    ['clock', { clock: 7 }],
    ['tools.a.requires', { tools: { a: { requires: 'elicitation' } } }],
    ['tools.a.otherwise', { tools: { a: { otherwise: 'b' } } }],
    ['tools.a.otherwise', { tools: { a: { requires: { x: {} }, otherwise: 'a' } } }],
    ['tools.a.otherwise', { tools: { a: { requires: { x: {} }, otherwise: 'b' }, b: { requires: { y: {} }, otherwise: 'c' } } }],
    ['tools.b.otherwise', { tools: { a: { requires: { x: {} }, otherwise: 'c' }, b: { requires: { y: {} }, otherwise: 'c' } } }],
    ['tools.a.otherwise', { tools: { a: { requires: { x: {} }, otherwise: 7 } } }],
    ['filter', { filter: 'all' }],
    ['wire', { wire: 'old' }],
    ['trace.incoming', { trace: { incoming: 'trust' } }],
    ['limits.size', { limits: { size: 0 } }],
    ['limits.depht', { limits: { depht: 3 } }],
    ['stateKeys', { stateKeys: 'zzz' }],
    ['environmentKey', { environmentKey: '' }],
    ['langauges', { langauges: ['en'] }],
    ['language.default', { languages: ['en'], language: { default: 5 } }],
    ['catalogs: expected the value that catalogs() or catalogFolder() returns, got a promise: await it', { catalogs: Promise.resolve() }],
    ['catalogs', { catalogs: { en: { hello: 'Hello' } } }],
    ['lists', { lists: {} }],
    ['language.default', { language: { default: 'en' } }],
    ['localise', { localise: 5 }],
    ['localise.translate', { localise: { translate: 'tools.*' } }],
    ['localise.translate', { localise: { translate: [5] } }],
    ['localise.argument', { localise: { argument: ['language'] } }],
    ['localise.developement', { localise: { developement: true } }],
    ['localise.development', { localise: { development: 'yes' } }],
    ['localise.formats', { localise: { formats: 5 } }],
    ['parts', { parts: { name: 'mine' } }],
    ['parts[0]', { parts: [{ before: () => undefined }] }],
    ['parts[1].before', { parts: [{ name: 'one' }, { name: 'two', before: 5 }] }],
    ['parts[0].changed', { parts: [{ name: 'one', changed: {} }] }],
    ['parts[0].provides.mine', { parts: [{ name: 'one', provides: { mine: 5 } }] }],
    ['environment', { environment: 'UTC' }],
    ['environment.maxSkew', { environment: { maxSkew: '5' } }],
    ['tools.a.require', { tools: { a: { require: { elicitation: {} } } } }],
    ['trace', { trace: 5 }],
    ['random', { random: 5 }],
    ['baggage', { baggage: [5] }],
    ['telemetry', { telemetry: {} }],
    ['time', { time: true }],
  ];
  it.each(wrong)('%s: a wrong value is named by its path', (path, options) => {
    const make = (): unknown => serverContext(options as ServerContextOptions).http(() => new Response());
    expect(make).toThrow(path);
  });

  it('options that are undefined are ignored', () => {
    const unset = {
      languages: undefined,
      limits: { size: undefined, depth: 3 },
      environment: { timezone: undefined },
      localise: undefined,
    };
    expect(() => serverContext(unset as never)).not.toThrow();
  });

  const waybill = serverContext() as any;
  it.each([
    ['http:', () => waybill.http()],
    ['node:', () => waybill.node(5)],
    ['observe:', () => waybill.observe(5)],
    ['instrument:', () => waybill.instrument({})],
    ['stdio.maxLine:', () => waybill.stdio({ maxLine: -1 })],
    ['stdio.grace:', () => waybill.stdio({ grace: Infinity })],
    ['lists:', () => listCache()],
    ['contextOf:', () => contextOf(null as never)],
    ['constructor:', () => serverContext({ constructor: 5 } as never)],
  ])('%s says what it expected', (name, make) => {
    expect(make).toThrow(name);
  });

  it('catalogs: the error says what it expected', async () => {
    await expect(catalogs({ en: {} }, undefined as never)).rejects.toThrow('catalogs:');
  });
});
