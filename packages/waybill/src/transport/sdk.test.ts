import { PassThrough } from 'node:stream';
import { McpServer as ServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport as StdioV1 } from '@modelcontextprotocol/sdk/server/stdio.js';
import { McpServer as ServerV2, InMemoryTransport, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { StdioServerTransport as StdioV2 } from '@modelcontextprotocol/server/stdio';
import { describe, expect, it } from 'vitest';
import { liftStream } from './node/lift.js';
import { passesUnknownMembers, serverName, canAskBack, headersIn, isHttpClient, isOnePeer, wireOf } from './sdk.js';
import * as v1Memory from '@modelcontextprotocol/sdk/inMemory.js';
import * as v1Http from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as v1Stdio from '@modelcontextprotocol/sdk/server/stdio.js';
import * as v1Server from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { TransportLike } from './types.js';

describe.each([
  ['v1', StdioV1, ServerV1],
  ['v2', StdioV2, ServerV2],
])('members of SDK %s that are not public', (_, Stdio, McpServer) => {
  it('the layer knows whether lines with an unknown member get through its stdio', () => {
    expect(passesUnknownMembers(new Stdio(new PassThrough(), new PassThrough()) as never)).toBe(false);
    expect(passesUnknownMembers(new Stdio(liftStream(new PassThrough()) as never, new PassThrough()) as never)).toBe(true);
  });

  it('the layer knows the name of a server', () => {
    expect(serverName(new McpServer({ name: 'shop', version: '2' }).server)).toBe('shop 2');
  });
});

describe('without these members', () => {
  it.each([[{}], [{ _serverInfo: null }], [{ _serverInfo: { name: 5 } }]])('a server has no name: %j', (server) => {
    expect(serverName(server)).toBeUndefined();
  });

  it('a transport counts as strict', () => {
    expect(passesUnknownMembers({} as never)).toBe(false);
  });
});

const url = new URL('http://127.0.0.1/mcp');
const own: TransportLike = { send: () => Promise.resolve(), close: () => Promise.resolve() };
const [memory] = InMemoryTransport.createLinkedPair();

it.each([
  ['in memory, SDK v2', memory, 'memory'],
  ['in memory, SDK v1', v1Memory.InMemoryTransport.createLinkedPair()[0], 'memory'],
  ['an HTTP client', new v1Http.StreamableHTTPClientTransport(url), 'http'],
  ['an HTTP server', new v1Server.StreamableHTTPServerTransport({}), 'http'],
  ['a stdio server', new v1Stdio.StdioServerTransport(), 'stdio'],
  ['a stdio client', new StdioClientTransport({ command: 'node' }), 'stdio'],
  ['a transport of somebody else', own, 'unknown'],
])('%s is %3$s', (_, transport, wire) => {
  expect(wireOf(transport)).toBe(wire);
});

it('on HTTP without a session nothing applies to the next request, and the server cannot ask back', () => {
  const stateless = new WebStandardStreamableHTTPServerTransport({}) as TransportLike;
  expect([isOnePeer(stateless), canAskBack(stateless)]).toEqual([false, false]);
  const session = Object.assign(stateless, { sessionId: 'a' });
  expect([isOnePeer(session), canAskBack(session)]).toEqual([true, true]);
});

it.each([
  ['for fetch, SDK v2', WebStandardStreamableHTTPServerTransport],
  ['for Node, SDK v1', v1Server.StreamableHTTPServerTransport],
])('a transport that answers in JSON only cannot ask back, even in a session: %s', (_, Transport) => {
  const able = [true, false].map((enableJsonResponse) => {
    const transport = new Transport({ enableJsonResponse });
    Object.defineProperty(transport, 'sessionId', { value: 'a' });
    return canAskBack(transport);
  });
  expect(able).toEqual([false, true]);
});

it('an unknown transport counts as able to ask back', () => {
  expect(canAskBack(own)).toBe(true);
});

it('a transport that serves a single request cannot ask back, with or without a session', () => {
  expect(canAskBack({ ...own, handleMessage: () => undefined, sessionId: 'a' } as TransportLike)).toBe(false);
});

it('only a client finishes an authorization', () => {
  expect([isHttpClient(own), isHttpClient({ ...own, finishAuth: () => undefined } as TransportLike)]).toEqual([false, true]);
});

it.each([
  ['SDK v2', { request: new Request(url, { headers: { a: '1' } }) }, '1'],
  ['SDK v1', { requestInfo: { headers: { a: '1' } } }, '1'],
  ['nobody', undefined, undefined],
  ['somebody who tells something else', { request: 5, requestInfo: null }, undefined],
])('headers are found in what %s passes', (_, extra, expected) => {
  const found = headersIn(extra) as Headers | Record<string, string> | undefined;
  expect(found instanceof Headers ? found.get('a') : found?.['a']).toBe(expected);
});
