/**
 * `clientContext` beside `params`: every SDK-based server drops or refuses such a request, and the v2 client itself fails with it. So
 * `_meta` carries the context, and the sibling is moved there in front of the SDK.
 */
import { describe, test } from 'vitest';
import { keys } from 'waybill';
import { hookTransport } from 'waybill/adapter';
import { CELLS, open, type Cell, type ClientLayer } from './harness.js';
import { errorOf } from './telling.js';
import type { Message } from './wire.js';

const CONTEXT = { timezone: 'Europe/Vienna' };
const besideParams = (message: Message): Message =>
  message['method'] === 'tools/call' && message['params'].name === 'meta'
    ? { ...message, [keys.CLIENT_CONTEXT_SIBLING]: CONTEXT }
    : message;

/** Over HTTP after the transport has derived its headers from the message, elsewhere on the transport. */
const inSend: ClientLayer = { transport: (transport) => hookTransport(transport as never, { request: besideParams }) };
const inFetch: ClientLayer = {
  fetch: (base) => (url, init) =>
    base(url, typeof init?.body === 'string' ? { ...init, body: JSON.stringify(besideParams(JSON.parse(init.body) as Message)) } : init),
};
const isHttp = ({ transport }: Cell): boolean => transport.startsWith('http');
const lifting = new URL('./fixtures/layers/lifting.mjs', import.meta.url);

/** Returns the outcome of a call with the sibling, and of one without it on the same connection. */
async function call(cell: Cell, client: ClientLayer, server?: URL): Promise<{ outcome: any; after: string; headers: Message | undefined }> {
  const journey = await open(cell, { client, ...(server && { server }) });
  try {
    // Only a stdio server that does not lift it gives no answer.
    const timeout = server || isHttp(cell) ? 15_000 : 250;
    const outcome = await journey.client.callTool({ name: 'meta', arguments: {} }, { timeout }).catch(errorOf);
    const after = await journey.client.callTool({ name: 'echo', arguments: { text: 'still here' } });
    const exchange = journey.wire().http.find(({ body }) => body?.params?.name === 'meta');
    return { outcome, after: after['content'][0].text, headers: exchange?.headers };
  } finally {
    await journey.close();
  }
}

describe('a server that does not lift it', { concurrent: true }, () => {
  const TIMED_OUT: Message = {
    v1: { class: 'McpError', code: -32001, message: 'MCP error -32001: Request timed out' },
    v2: { class: 'SdkError', code: 'REQUEST_TIMEOUT' },
  };
  const REFUSED: Message = {
    v1: { class: 'StreamableHTTPError', code: 400 },
    v2: { class: 'SdkHttpError', code: 'CLIENT_HTTP_NOT_IMPLEMENTED', data: { status: 400 } },
  };
  // A modern connection understands a 400 that carries the id of the request.
  const INVALID = { class: 'ProtocolError', code: -32600 };

  test.for(CELLS)('$server server, $transport, $client client', async (cell, { expect }) => {
    const { outcome, after } = await call(cell, isHttp(cell) ? inFetch : inSend);
    const sdk = cell.client === 'v1' ? 'v1' : 'v2';
    const modern = cell.client === 'v2-modern' && cell.server === 'v2';
    expect(outcome).toMatchObject(!isHttp(cell) ? TIMED_OUT[sdk] : modern ? INVALID : REFUSED[sdk]);
    // The connection survives.
    expect(after).toBe('still here');
  });
});

describe('a server that lifts it', { concurrent: true }, () => {
  // Over stdio, server.test.ts (a client of ours) and shop-server.test.ts (a line written by hand) prove the same.
  test.for(CELLS.filter(isHttp))('CTX-21: $server server, $transport, $client client', async (cell, { expect }) => {
    const { outcome, after } = await call(cell, isHttp(cell) ? inFetch : inSend, lifting);
    expect(JSON.parse(outcome.content[0].text)).toMatchObject({ [keys.CLIENT_CONTEXT]: CONTEXT });
    expect(after).toBe('still here');
  });
});

test('the v2 client loses its own headers if the sibling is there before they are derived', async ({ expect }) => {
  const cell: Cell = { client: 'v2-modern', server: 'v2', transport: 'http-sse' };
  const late = await call(cell, inFetch, lifting);
  expect(late.headers).toMatchObject({ 'mcp-method': 'tools/call', 'mcp-name': 'meta' });
  const early = await call(cell, inSend, lifting);
  expect(early.headers).not.toHaveProperty('mcp-method');
  expect(early.headers).not.toHaveProperty('mcp-name');
  expect(early.outcome).toMatchObject({ class: 'SdkHttpError', code: 'CLIENT_HTTP_NOT_IMPLEMENTED', data: { status: 400 } });
});
