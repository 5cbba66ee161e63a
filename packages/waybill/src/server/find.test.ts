import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openRig, textOf, SDKS, text } from '../../../../test/support/server-rig.js';
import { ACCEPT_LANGUAGE } from '../wire/keys.js';
import { contextOf } from './context.js';
import { serverContext } from './server.js';

const LANGUAGES = ['en', 'fr', 'de'];

describe.each(SDKS)('contextOf() without ctx, SDK %s', (sdk) => {
  it('contextOf() finds the request in all asynchronous work of the handler, with any number of requests at once', async () => {
    const waybill = serverContext({ languages: LANGUAGES, ambient: true });
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const deep = async (): Promise<unknown> => {
      await gate;
      await new Promise((resolve) => setTimeout(resolve, 1));
      return text(contextOf().language.chosen);
    };
    const rig = await openRig(sdk, { deep }, (server) => waybill.attach(server));
    const calls = ['fr', 'de', 'fr'].map((language) => rig.call('deep', { [ACCEPT_LANGUAGE]: language }));
    release();
    expect((await Promise.all(calls)).map(textOf)).toEqual(['fr', 'de', 'fr']);
    expect(() => contextOf()).toThrow('no request here');
  });

  it('one storage serves every context of a program that asks for it', async () => {
    const tools = { speaks: (): unknown => text(contextOf().language.chosen) };
    const open = (languages: string[]) => {
      const waybill = serverContext({ languages, ambient: true });
      return openRig(sdk, tools, (server) => waybill.attach(server));
    };
    const rigs = [await open(['en', 'fr']), await open(['de'])];
    expect((await Promise.all(rigs.map((rig) => rig.call('speaks')))).map(textOf)).toEqual(['en', 'de']);
  });

  it('contextOf() works with a storage of the program', async () => {
    const store = new AsyncLocalStorage<unknown>();
    const waybill = serverContext({ languages: LANGUAGES, ambient: true, storage: store });
    const rig = await openRig(sdk, { speaks: () => text(contextOf().language.chosen) }, (server) => waybill.attach(server));
    expect(textOf(await rig.call('speaks', { [ACCEPT_LANGUAGE]: 'de' }))).toBe('de');
  });
});

describe('two contexts, each with a store', () => {
  it.each(SDKS)('both find their requests, SDK %s', async (sdk) => {
    const speaks = (): unknown => text(contextOf().language.chosen);
    const open = (storage?: AsyncLocalStorage<unknown>) => {
      const waybill = serverContext({ languages: LANGUAGES, ambient: true, ...(storage && { storage }) });
      return openRig(sdk, { speaks }, (server) => waybill.attach(server));
    };
    const rigs = [await open(), await open(new AsyncLocalStorage()), await open()];
    for (const rig of rigs) expect(textOf(await rig.call('speaks', { [ACCEPT_LANGUAGE]: 'de' }))).toBe('de');
  });
});

describe('a runtime without AsyncLocalStorage', () => {
  const builtin = process.getBuiltinModule;
  afterEach(() => {
    process.getBuiltinModule = builtin;
  });

  it('the error says what to do, and comes only when ambient is asked for', async () => {
    vi.resetModules();
    const { openAmbient } = await import('./find.js');
    process.getBuiltinModule = () => undefined;
    expect(() => openAmbient(undefined)).toThrow('storage: expected an AsyncLocalStorage');
  });
});
