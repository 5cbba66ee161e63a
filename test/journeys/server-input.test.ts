/**
 * Questions to the user with the server half: asked in the result, limited by the request's own capabilities, and untrusted when they
 * return.
 */
import {
  acceptedContent,
  createMcpHandler,
  createRequestStateCodec,
  inputRequired,
  McpServer,
  type InputRequest,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { keys } from 'waybill';
import { clientContext } from 'waybill/client';
import { contextOf, serverContext } from 'waybill/server';
import { httpTransport, peerOf } from './clients.js';
import { CELLS, open } from './harness.js';
import { errorOf } from './telling.js';
import type { Message } from './wire.js';

const codec = createRequestStateCodec<string>({ key: 'a key that is long enough for the codec of the SDK' });
const FORM = { message: 'Go on?', requestedSchema: { type: 'object' as const, properties: { ok: { type: 'boolean' as const } } } };
const ASKING: Record<string, InputRequest> = {
  form: inputRequired.elicit(FORM),
  link: inputRequired.elicitUrl({ message: 'Look', url: 'https://example.test/' }),
  sample: inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 9 }),
  roots: inputRequired.listRoots(),
};

function build(): McpServer {
  const server = new McpServer({ name: 'asks', version: '1.0.0' }, { requestState: { verify: codec.verify } });
  const ask = async (ctx: ServerContext, kind: string): Promise<any> => {
    void contextOf(ctx).language.chosen;
    return inputRequired({ inputRequests: { [kind]: ASKING[kind]! }, requestState: await codec.mint(kind, ctx) });
  };
  const isAnswered = ({ mcpReq }: ServerContext, kind: string): boolean =>
    acceptedContent(mcpReq.inputResponses, kind) !== undefined && mcpReq.requestState<string>() === kind;
  for (const kind of Object.keys(ASKING))
    server.registerTool(kind, { inputSchema: z.object({}) }, async (_args, ctx) =>
      isAnswered(ctx, kind) ? { content: [{ type: 'text', text: 'done' }] } : ask(ctx, kind),
    );
  server.registerPrompt('form', {}, async (ctx) =>
    isAnswered(ctx, 'form') ? { messages: [{ role: 'user', content: { type: 'text', text: 'done' } }] } : ask(ctx, 'form'),
  );
  server.registerResource('form', 'doc://form', {}, async (uri, ctx) =>
    isAnswered(ctx, 'form') ? { contents: [{ uri: uri.href, text: 'done' }] } : ask(ctx, 'form'),
  );
  return server;
}

const waybill = serverContext({ languages: ['en', 'fr'] });
const handler = waybill.http(createMcpHandler(waybill.attach(build), { keepAliveMs: 0 }));
let id = 0;

async function ask(method: string, params: Message, capabilities: unknown = { elicitation: {} }): Promise<[number, any]> {
  const _meta = {
    ...{ [keys.PROTOCOL_VERSION]: '2026-07-28', [keys.CLIENT_CAPABILITIES]: capabilities },
    ...{ [keys.ACCEPT_LANGUAGE]: 'fr', ...params['_meta'] },
  };
  const name: string | undefined = params['name'] ?? params['uri'];
  const headers = {
    ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-method': method },
    ...{ 'mcp-protocol-version': '2026-07-28', ...(name !== undefined && { 'mcp-name': name }) },
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params: { ...params, _meta } });
  const response = await handler.fetch(new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body }));
  return [response.status, await response.json()];
}

describe('on 2026-07-28', () => {
  const accepted = (key: string): Message => ({ [key]: { action: 'accept', content: { ok: true } } });

  test.each([
    ['tools/call', { name: 'form', arguments: {} }],
    ['prompts/get', { name: 'form' }],
    ['resources/read', { uri: 'doc://form' }],
  ])('BASE-14: %s asks in its result, and trusts nothing that comes back', async (method, params) => {
    const [status, { result }] = await ask(method, params);
    expect([status, result.resultType, Object.keys(result.inputRequests)]).toEqual([200, 'input_required', ['form']]);
    // LANG-22: it names its language, and the SDK's state is unchanged, to the byte.
    expect(result._meta[keys.CONTENT_LANGUAGE]).toBe('fr');
    const retry = { ...params, inputResponses: accepted('form'), requestState: result.requestState };
    expect(JSON.stringify((await ask(method, retry))[1].result)).toContain('done');
    const { requestState } = retry;
    for (const forged of [`${requestState}x`, requestState.slice(0, -2), 'form'])
      expect((await ask(method, { ...retry, requestState: forged }))[1].error).toMatchObject({ code: -32602 });
    // Answers without their state do not count: it asks again.
    expect((await ask(method, { ...params, inputResponses: accepted('form') }))[1].result.resultType).toBe('input_required');
  });

  test('BASE-14: nothing else asks', async () => {
    for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'server/discover'])
      expect((await ask(method, {}))[1].result.resultType).toBe('complete');
  });

  test('BASE-14: the state is echoed unchanged, once, under a new id, and the server never sends a request', async () => {
    const client = clientContext({ language: 'fr', environment: { timezone: 'Asia/Tokyo' } });
    const sent: Message[] = [];
    const received: Message[] = [];
    const base = async (url: string | URL, init?: RequestInit): Promise<Response> => {
      sent.push(JSON.parse(init?.body as string) as Message);
      const response = await handler.fetch(new Request(url, init));
      received.push((await response.clone().json()) as Message);
      return response;
    };
    const peer = peerOf('v2-modern');
    peer.onElicit(() => ({ action: 'accept', content: { ok: true } }));
    await peer.connect(client.attach(httpTransport('v2-modern', new URL('http://127.0.0.1/mcp'), base)));
    try {
      for (let twice = 0; twice < 2; twice++)
        expect((await peer.callTool({ name: 'form', arguments: {} }))['content'][0].text).toBe('done');
      const calls = sent.filter(({ method }) => method === 'tools/call');
      const states = received.flatMap(({ result }) => (result?.requestState === undefined ? [] : [result.requestState]));
      expect(calls.map(({ params }) => params.requestState)).toEqual([undefined, states[0], undefined, states[1]]);
      expect(new Set(calls.map((call) => call['id'])).size).toBe(4);
      expect(received.filter(({ method, id: given }) => method !== undefined && given !== undefined)).toEqual([]);
    } finally {
      await peer.close();
    }
  });

  test.each([
    ['form', {}, { elicitation: { form: {} } }],
    ['form', { elicitation: { url: {} } }, { elicitation: { form: {} } }],
    ['link', { elicitation: {} }, { elicitation: { url: {} } }],
    ['sample', { elicitation: {} }, { sampling: {} }],
    ['roots', { sampling: {} }, { roots: {} }],
  ])('CAP-04: %s is not asked in a request that declares %j', async (kind, declared, missing) => {
    const call = { name: kind, arguments: {} };
    const [, { result, error }] = await ask('tools/call', call, declared);
    expect([result, error]).toEqual([undefined, expect.objectContaining({ code: -32021 })]);
    expect(Object.keys(error.data.requiredCapabilities)).toEqual(Object.keys(missing));
    expect((await ask('tools/call', call, missing))[1].result.inputRequests).toHaveProperty(kind);
    // The next request starts without it (BASE-02).
    expect((await ask('tools/call', call, declared))[1].error.code).toBe(-32021);
  });
});

describe.each(CELLS.filter(({ client }) => client !== 'v2-modern'))('$client client, $server server, $transport', (cell) => {
  test('CAP-04: on 2025-11-25 a client that did not declare it is not asked', async () => {
    const server = new URL('./fixtures/layers/unnoticed.mjs', import.meta.url);
    const journey = await open(cell, { server, options: { capabilities: {} } });
    try {
      const told: any = await journey.client.callTool({ name: 'ask', arguments: {} }).catch(errorOf);
      expect(told.isError === true || told.code !== undefined).toBe(true);
      expect(journey.wire().received.filter(({ method }) => method === 'elicitation/create')).toEqual([]);
    } finally {
      await journey.close();
    }
  });
});
