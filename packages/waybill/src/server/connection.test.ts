import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { describe, expect, it } from 'vitest';
import { said, text } from '../../../../test/support/server-rig.js';
import { CLIENT_CAPABILITIES, PROTOCOL_VERSION } from '../wire/keys.js';
import { contextOf } from './context.js';
import { serverContext } from './server.js';

/** What a call with this `_meta` sees of the capabilities that `initialize` declared before it, on a transport with these members. */
async function declaredOn(members: object, meta?: object): Promise<unknown> {
  const answers = new Map<unknown, (answer: any) => void>();
  const transport: any = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send: (answer: any) => Promise.resolve(answers.get(answer.id)?.(answer)),
    ...members,
  };
  const server = new McpServer({ name: 's', version: '1' });
  server.registerTool('declares', {}, (extra) => text(contextOf(extra).capabilities.declared ?? null));
  await serverContext().attach(server).connect(transport);
  const ask = (id: number, method: string, params: object): Promise<any> =>
    new Promise((resolve) => {
      answers.set(id, resolve);
      transport.onmessage({ jsonrpc: '2.0', id, method, params });
    });
  const clientInfo = { name: 'x', version: '1' };
  await ask(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: { sampling: {} }, clientInfo });
  return JSON.parse(said(await ask(2, 'tools/call', { name: 'declares', arguments: {}, ...(meta && { _meta: meta }) })));
}

describe('BASE-02: what initialize declared', () => {
  const answer = (): Promise<Response> => Promise.resolve(new Response());

  it.each<[string, object, unknown]>([
    ['holds on a connection of its own', {}, { sampling: {} }],
    ['holds in a session over HTTP', { handleRequest: answer, sessionId: 's' }, { sampling: {} }],
    ['is forgotten over HTTP without one, where the next caller is somebody else', { handleRequest: answer }, null],
    ['is forgotten by a transport that is handed messages over HTTP, likewise', { handleMessage: answer }, null],
  ])('%s', async (_, members, expected) => {
    expect(await declaredOn(members)).toEqual(expected);
  });

  it('CAP-02: does not hold for a request of 2026-07-28 on the same connection, which declares for itself alone', async () => {
    const modern = { [PROTOCOL_VERSION]: '2026-07-28' };
    expect(await declaredOn({}, modern)).toBeNull();
    expect(await declaredOn({}, { ...modern, [CLIENT_CAPABILITIES]: { elicitation: {} } })).toEqual({ elicitation: {} });
  });
});
