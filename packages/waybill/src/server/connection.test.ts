import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { describe, expect, it } from 'vitest';
import { textOf, text } from '../../../../test/support/server-rig.js';
import { CLIENT_CAPABILITIES, PROTOCOL_VERSION } from '../wire/keys.js';
import { contextOf } from './context.js';
import { serverContext } from './server.js';

/** Returns the capabilities that a call with this `_meta` sees after `initialize`, on a transport with these members. */
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
  return JSON.parse(textOf(await ask(2, 'tools/call', { name: 'declares', arguments: {}, ...(meta && { _meta: meta }) })));
}

describe('BASE-02: the capabilities of initialize', () => {
  const answer = (): Promise<Response> => Promise.resolve(new Response());

  it.each<[string, object, unknown]>([
    ['apply to later requests of the same connection', {}, { sampling: {} }],
    ['holds in a session over HTTP', { handleRequest: answer, sessionId: 's' }, { sampling: {} }],
    ['are forgotten over HTTP without a session, where the next caller is another client', { handleRequest: answer }, null],
    ['are forgotten by a transport that gets its messages over HTTP too', { handleMessage: answer }, null],
  ])('%s', async (_, members, expected) => {
    expect(await declaredOn(members)).toEqual(expected);
  });

  it('CAP-02: they do not apply to a request of 2026-07-28 on the same connection, which declares its own', async () => {
    const modern = { [PROTOCOL_VERSION]: '2026-07-28' };
    expect(await declaredOn({}, modern)).toBeNull();
    expect(await declaredOn({}, { ...modern, [CLIENT_CAPABILITIES]: { elicitation: {} } })).toEqual({ elicitation: {} });
  });
});
