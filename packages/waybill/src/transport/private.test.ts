import { PassThrough } from 'node:stream';
import { McpServer as ServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport as StdioV1 } from '@modelcontextprotocol/sdk/server/stdio.js';
import { McpServer as ServerV2, PerRequestHTTPServerTransport } from '@modelcontextprotocol/server';
import { StdioServerTransport as StdioV2 } from '@modelcontextprotocol/server/stdio';
import { describe, expect, it } from 'vitest';
import { liftStream } from './node/lift.js';
import { dropsUnknownMembers } from './kind.js';
import { servesOnce, serverName } from './private.js';

const nothing = (): void => undefined;

describe.each([
  ['v1', StdioV1, ServerV1],
  ['v2', StdioV2, ServerV2],
])('what of SDK %s is not public', (_, Stdio, McpServer) => {
  it('tells whether its stdio drops lines with a member it does not know', () => {
    expect(dropsUnknownMembers(new Stdio(new PassThrough(), new PassThrough()) as never)).toBe(true);
    expect(dropsUnknownMembers(new Stdio(liftStream(new PassThrough()) as never, new PassThrough()) as never)).toBe(false);
  });

  it('tells the name of a server', () => {
    expect(serverName(new McpServer({ name: 'shop', version: '2' }).server)).toBe('shop 2');
  });
});

it('tells the transport that SDK v2 makes for one request', () => {
  expect(servesOnce(new PerRequestHTTPServerTransport({ classification: { era: 'modern' } as never }))).toBe(true);
});

describe('without them', () => {
  it.each([[{}], [{ _serverInfo: null }], [{ _serverInfo: { name: 5 } }]])('a server has no name: %j', (server) => {
    expect(serverName(server)).toBeUndefined();
  });

  it('a transport is not strict that we know of', () => {
    expect(dropsUnknownMembers({} as never)).toBe(false);
  });

  it.each([
    ['nothing of the kind', {}],
    ['its methods alone', { handleMessage: nothing, start: nothing }],
    ['the mark alone', { _terminalDelivered: false }],
    ['a mark of another type', { _terminalDelivered: 'no', handleMessage: nothing, start: nothing }],
  ])('a transport is not known to serve one request: %s', (_, transport) => {
    expect(servesOnce(transport as never)).toBe(false);
  });
});
