/**
 * The response cache of the v2 client does not know context: a list or a resource that was fetched in one language is served in every
 * other. These are facts about the SDK, and the two solutions.
 */
import { InMemoryResponseCacheStore, type CacheKey, type ResponseCacheStore } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { keys } from 'waybill';
import { hookServer, hookTransport, type Hooks } from 'waybill/adapter';
import { open, type Journey, type ServerLayer } from './harness.js';
import type { Message } from './wire.js';

/** Lists and resources in the requested language, valid for a minute. */
const speaking = (scope: 'public' | 'private'): ServerLayer => ({
  server: (target) =>
    hookServer(target, (transport) => {
      hookTransport(transport, {
        answer: (message: any, exchange: any) => {
          const language: string = exchange?.request.params?._meta?.[keys.ACCEPT_LANGUAGE] ?? 'none';
          const { result } = message;
          const fresh = { _meta: { ...result?._meta, [keys.CONTENT_LANGUAGE]: language }, ttlMs: 60_000, cacheScope: scope };
          if (result?.tools)
            return {
              ...message,
              result: { ...result, ...fresh, tools: result.tools.map((tool: Message) => ({ ...tool, description: language })) },
            };
          if (result?.contents)
            return { ...message, result: { ...result, ...fresh, contents: [{ ...result.contents[0], text: language }] } };
          return message;
        },
      });
    }),
});

interface Visit {
  journey: Journey;
  speak(language: string): void;
  list(params?: Message): Promise<string>;
  read(): Promise<string>;
  fetched(method: string): number;
}

async function visit(
  act: (visit: Visit) => Promise<void>,
  options: { store?: (language: () => string) => ResponseCacheStore; scope?: 'public'; hooks?: Hooks } = {},
): Promise<void> {
  let language = '';
  const request = (message: any): Message =>
    language === ''
      ? message
      : { ...message, params: { ...message.params, _meta: { ...message.params?._meta, [keys.ACCEPT_LANGUAGE]: language } } };
  const journey = await open(
    { client: 'v2-modern', server: 'v2', transport: 'memory' },
    {
      client: { transport: (transport) => hookTransport(transport as never, { request, ...options.hooks }) },
      server: speaking(options.scope ?? 'private'),
      ...(options.store && { options: { responseCacheStore: options.store(() => language) } }),
    },
  );
  try {
    await act({
      journey,
      speak: (next) => (language = next),
      list: async (params) => (await journey.client.sdk.listTools(params)).tools[0].description,
      read: async () => (await journey.client.sdk.readResource({ uri: 'note://today' })).contents[0].text,
      fetched: (method) =>
        journey.wire().sent.filter((message) => message['method'] === method && message['params']?.cursor === undefined).length,
    });
  } finally {
    await journey.close();
  }
}

test('a list in English is served for a request in Russian', () =>
  visit(async ({ speak, list, fetched }) => {
    speak('en');
    expect(await list()).toBe('en');
    speak('ru');
    expect(await list()).toBe('en');
    expect(fetched('tools/list')).toBe(1);
  }));

test('a resource in Russian is served for a request in English', () =>
  visit(async ({ speak, read, fetched }) => {
    speak('ru');
    expect(await read()).toBe('ru');
    speak('en');
    expect(await read()).toBe('ru');
    expect(fetched('resources/read')).toBe(1);
  }));

test("without any layer the same happens with the caller's own _meta", () =>
  visit(async ({ list }) => {
    expect(await list({ _meta: { [keys.ACCEPT_LANGUAGE]: 'en' } })).toBe('en');
    expect(await list({ _meta: { [keys.ACCEPT_LANGUAGE]: 'ru' } })).toBe('en');
  }));

test('with a shared store and a public result, another user gets the language of the first', async () => {
  const shared = new InMemoryResponseCacheStore();
  for (const language of ['en', 'ru']) {
    await visit(
      async ({ speak, list }) => {
        speak(language);
        expect(await list()).toBe('en');
      },
      { store: () => shared, scope: 'public' },
    );
  }
});

test('a store whose keys contain the language is right, and fetches each variant once', () => {
  const variants = (inner: ResponseCacheStore, language: () => string): ResponseCacheStore => {
    const keyed = (key: CacheKey): CacheKey => ({ ...key, params: JSON.stringify([key.params, language()]) });
    return {
      get: (key) => inner.get(keyed(key)),
      set: (key, entry) => inner.set(keyed(key), entry),
      delete: (key) => inner.delete(keyed(key)),
      evict: (method) => inner.evict(method),
      clear: () => inner.clear(),
    };
  };
  return visit(
    async ({ speak, list, fetched }) => {
      for (const language of ['en', 'ru', 'en', 'ru']) {
        speak(language);
        expect(await list()).toBe(language);
      }
      expect(fetched('tools/list')).toBe(2);
    },
    { store: (language) => variants(new InMemoryResponseCacheStore(), language) },
  );
});

test('a hook that lets context-dependent results expire at once is right, and fetches every time', () =>
  visit(
    async ({ speak, list, read, fetched }) => {
      for (const language of ['en', 'ru', 'en']) {
        speak(language);
        expect([await list(), await read()]).toEqual([language, language]);
      }
      expect([fetched('tools/list'), fetched('resources/read')]).toEqual([3, 3]);
    },
    {
      hooks: { answer: (message: any) => (message.result?.ttlMs > 0 ? { ...message, result: { ...message.result, ttlMs: 0 } } : message) },
    },
  ));
