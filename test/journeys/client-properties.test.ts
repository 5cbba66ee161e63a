/** With any options, every sent message is valid, and its header and body agree. */
import * as v2 from '@modelcontextprotocol/core';
import * as v1 from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keys, type Issue } from 'waybill';
import { readRequest } from 'waybill/adapter';
import { clientContext, type ClientContextOptions } from 'waybill/client';
import type { Message } from './wire.js';

const tag = fc.constantFrom('fr-CH', 'fr', 'en', 'de-AT', 'zh-Hant-HK', 'sr-Latn', '*', 'es-419', 'sl-rozaj-biske-1994', 'x-private');
const language = fc.option(
  fc.oneof(
    fc.array(tag, { maxLength: 5 }),
    fc.constantFrom('auto', 'fr-CA,fr;q=0.9,en;q=0.5', ' de , en;q=0.1', '*', 'EN;Q=0.5'),
    fc.anything().map((given) => () => given as never),
  ),
  { nil: null },
);
const place = fc.record(
  {
    city: fc.string({ maxLength: 20 }).filter((text) => !/[\p{Cc}\p{Cs}]/u.test(text)),
    country: fc.constantFrom('AT', 'ch'),
    coordinates: fc.record({
      latitude: fc.double({ min: -90, max: 90, noNaN: true }),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    }),
    precision: fc.constantFrom('country', 'region', 'city', 'coordinates'),
  },
  { requiredKeys: [] },
);
const functions = fc.anything().map((given) => () => given);
const environment = fc.option(
  fc.record(
    {
      timezone: fc.oneof(fc.constantFrom('auto', 'Europe/Vienna', 'Asia/Kathmandu', 'US/Pacific', null), functions),
      locale: fc.oneof(fc.constantFrom('auto', 'de-AT', 'ar-u-nu-latn', null), functions),
      now: fc.oneof(fc.constantFrom('auto', '2026-10-25T02:30:00+01:00', null), functions),
      location: fc.oneof(place, fc.constant(null), functions),
    },
    { requiredKeys: [] },
  ),
  { nil: null },
);
const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const trace = fc.oneof(fc.constantFrom(null, 'start', PARENT, { traceparent: PARENT, tracestate: 'a=1', baggage: 'k=v,x=y' }), functions);
const ownKey = fc.constantFrom('com.example/a', 'com.example/b', 'bare', 'x.y/z-1');
const meta = fc.option(fc.dictionary(ownKey, fc.oneof(fc.jsonValue({ maxDepth: 2 }), functions)), { nil: null });
const declared = fc.dictionary(
  fc.constantFrom('roots', 'sampling', 'elicitation', 'extensions', 'experimental', 'state'),
  fc.constantFrom({}, { tools: {} }, { 'a/b': {} }),
);
const options = fc.record(
  {
    language,
    environment,
    trace,
    meta,
    capabilities: fc.oneof(declared, fc.constant(null), functions),
    baggage: fc.constantFrom([], ['k']),
    environmentEverywhere: fc.boolean(),
    environmentKey: fc.constantFrom('com.example/env', keys.CLIENT_CONTEXT),
  },
  { requiredKeys: [] },
);

const CALLERS = [
  keys.ACCEPT_LANGUAGE,
  keys.CLIENT_CONTEXT,
  keys.TRACEPARENT,
  keys.BAGGAGE,
  keys.STATE_SPELLINGS.session[0],
  keys.OWN_CLIENT_CAPABILITIES,
  'own',
  'com.example/a',
  '__proto__',
];
const callers = fc.dictionary(fc.constantFrom(...CALLERS), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
const REQUESTS: Record<string, [params: Message, schemas: string]> = {
  'tools/call': [{ name: 'x', arguments: { a: 1 } }, 'CallToolRequestSchema'],
  'tools/list': [{}, 'ListToolsRequestSchema'],
  'resources/read': [{ uri: 'note://x' }, 'ReadResourceRequestSchema'],
  'prompts/get': [{ name: 'x' }, 'GetPromptRequestSchema'],
  initialize: [
    { protocolVersion: '2025-11-25', capabilities: { roots: {} }, clientInfo: { name: 'c', version: '1' } },
    'InitializeRequestSchema',
  ],
  ping: [{}, 'PingRequestSchema'],
};
const ENVELOPE = {
  [keys.PROTOCOL_VERSION]: '2026-07-28',
  [keys.CLIENT_INFO]: { name: 'c', version: '1' },
  [keys.CLIENT_CAPABILITIES]: { roots: {} },
};

/** An HTTP transport of SDK v2, as far as the layer sees it. */
function overHttp(given: ClientContextOptions): {
  send(message: Message): Promise<Message>;
  issues: Issue[];
  header(): string | undefined;
} {
  let last: [Message, Message | undefined] = [{}, undefined];
  const issues: Issue[] = [];
  const transport: any = {
    hasPerRequestStream: true,
    finishAuth: () => undefined,
    send: (message: Message, sent?: Message) => ((last = [message, sent?.['headers']]), Promise.resolve()),
    close: () => Promise.resolve(),
  };
  clientContext({ ...given, onIssue: (issue) => issues.push(issue) }).attach(transport);
  return { send: async (message) => (await transport.send(message), last[0]), issues, header: () => last[1]?.['Accept-Language'] };
}

test('the message is valid for both SDKs, on either revision, and keeps what its caller wrote', async () => {
  await fc.assert(
    fc.asyncProperty(options, callers, fc.constantFrom(...Object.keys(REQUESTS)), fc.boolean(), async (given, own, method, modern) => {
      const { send, issues, header } = overHttp(given as ClientContextOptions);
      const [params, schema] = REQUESTS[method]!;
      // A caller may write malformed values under keys of the protocol, which no layer can repair, so keys of the SDK's own schemas are
      // left out.
      const message = {
        jsonrpc: '2.0',
        id: 1,
        method,
        params: { ...params, _meta: { ...(modern && method !== 'initialize' && ENVELOPE), ...own } },
      };
      const before = structuredClone(message);
      const sent = await send(message);
      expect(message).toEqual(before);
      const wire = JSON.parse(JSON.stringify(sent)) as Message;
      for (const sdk of [v1, v2] as any[]) {
        sdk.JSONRPCRequestSchema.parse(wire);
        sdk[schema].parse(wire);
      }
      // LANG-40…LANG-42: header and body agree, character by character.
      expect(header()).toBe(
        typeof wire['params']._meta[keys.ACCEPT_LANGUAGE] === 'string' ? wire['params']._meta[keys.ACCEPT_LANGUAGE] : undefined,
      );
      // Our own reader accepts everything that the layer wrote.
      const callersOwn = new Set(Object.keys(own));
      const complaints = readRequest(wire, given).issues.filter(({ key }) => ![...callersOwn].some((one) => key.startsWith(one)));
      expect(complaints).toEqual([]);
      for (const key of ['own', 'com.example/a'])
        if (callersOwn.has(key)) expect(wire['params']._meta[key]).toEqual(JSON.parse(JSON.stringify(own[key])));
      expect(JSON.stringify(issues)).not.toContain('48.2');
    }),
    { numRuns: 400 },
  );
});
