import { describe, expect, it } from 'vitest';
import { modern, rig, type Message } from '../../../../../test/support/client-rig.js';
import type { Issue } from '../../wire/issue.js';
import { STATE_SPELLINGS } from '../../wire/keys.js';
import { clientContext, type AttachOptions } from '../index.js';
import { jar, type JarOptions } from './index.js';

const [SESSION] = STATE_SPELLINGS.session;
const [SERVER] = STATE_SPELLINGS.server;

/** Returns the issues of two requests through a transport with these members. */
async function issuesOf(members: object, options: JarOptions = {}, attach: AttachOptions = {}): Promise<Issue[]> {
  const issues: Issue[] = [];
  const transport = { send: (_message: object) => Promise.resolve(), close: () => Promise.resolve(), ...members };
  clientContext({ state: jar(options), onIssue: (issue) => issues.push(issue) }).attach(transport, attach);
  for (const id of [1, 2]) await transport.send({ jsonrpc: '2.0', id, method: 'tools/call', params: {} });
  return issues;
}

const http = (url: string): object => ({ _url: new URL(url), _fetch: undefined });

describe('D-33: a mistake of the program that costs it its state is reported', () => {
  it.each(['http://localhost:3000/mcp', 'http://127.0.0.1:3000/mcp', 'http://[::1]:3000/mcp'])('%s is not in allowHosts', async (url) => {
    const issues = await issuesOf(http(url));
    expect(issues).toMatchObject([{ side: 'setup', key: 'jar.allowHosts' }]);
    expect(issues[0]?.problem).toContain("jar({ allowHosts: ['localhost'] })");
    const host = new URL(url).hostname.replaceAll(/[[\]]/g, '');
    expect(await issuesOf(http(url), { allowHosts: [host] })).toEqual([]);
  });

  it('another company’s host that may keep no state is no mistake', async () => {
    expect(await issuesOf(http('https://example.com/mcp'))).toEqual([]);
  });

  it('a stdio transport whose command cannot be read, or has no name', async () => {
    expect(await issuesOf({ stderr: null })).toMatchObject([{ side: 'setup', key: 'attach.server' }]);
    expect(await issuesOf({ stderr: null }, {}, { server: 'shop' })).toEqual([]);
    const command = { _serverParams: { command: 'node', args: [] } };
    expect(await issuesOf(command)).toMatchObject([{ side: 'setup', key: 'jar.stdio' }]);
    expect(await issuesOf(command, { stdio: () => 'shop' })).toEqual([]);
  });

  it('a conversation that is resumed on a connection of 2025-11-25 has no session state', async () => {
    const { waybill, ask, issues } = rig({ state: jar() }, undefined, { server: 'shop' });
    await waybill.run({ conversation: waybill.jar!.resume('a') }, () => ask('tools/call', modern()));
    expect(issues).toEqual([]);
    await waybill.run({ conversation: waybill.jar!.resume('a') }, () => ask('tools/call'));
    await waybill.run({ conversation: waybill.jar!.resume('a') }, () => ask('tools/call'));
    expect(issues).toMatchObject([{ side: 'setup', key: 'jar.resume' }]);
  });
});

describe('D-34: a late answer', () => {
  const late = async (meanwhile: (context: Message) => unknown): Promise<Message[]> => {
    const { waybill, transport, sent, issues } = rig({ state: jar() }, () => undefined, { server: 'shop' });
    const jars = waybill.jar!;
    const conversation = jars.begin();
    void waybill.run({ conversation }, () => transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: modern() }));
    expect(sent).toHaveLength(1);
    await meanwhile({ conversation, waybill });
    transport.onmessage({ jsonrpc: '2.0', id: 1, result: { _meta: { [SESSION]: { cart: 1 }, [SERVER]: { seen: 2 } } } });
    expect(issues.every(({ side }) => side === undefined)).toBe(true);
    return (await jars.show('shop')).map(({ scope, name }) => ({ scope, name }));
  };

  it('after its conversation has ended it sets server state and no session state', async () => {
    expect(await late(() => undefined)).toHaveLength(2);
    expect(await late(({ conversation }) => conversation.end())).toEqual([{ scope: 'server', name: 'seen' }]);
  });

  it('after a change of principal it sets nothing', async () => {
    expect(await late(({ waybill }) => waybill.update({ principal: 'ada' }))).toEqual([]);
  });
});
