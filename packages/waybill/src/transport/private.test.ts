import { PassThrough } from 'node:stream';
import { McpServer as ServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport as StdioV1 } from '@modelcontextprotocol/sdk/server/stdio.js';
import { McpServer as ServerV2 } from '@modelcontextprotocol/server';
import { StdioServerTransport as StdioV2 } from '@modelcontextprotocol/server/stdio';
import { describe, expect, it } from 'vitest';
import { liftStream } from './node/lift.js';
import { passesUnknownMembers, serverName } from './sdk.js';

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
