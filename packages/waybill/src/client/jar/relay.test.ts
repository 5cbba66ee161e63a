import { describe, expect, it } from 'vitest';
import * as hosts from '../../hosts/index.js';
import type { Issue } from '../../wire/issue.js';
import { STATE_SPELLINGS } from '../../wire/keys.js';
import { memoryStore } from './memory.js';
import { relayJar } from './relay.js';

const [SESSION] = STATE_SPELLINGS.session;
const [SERVER, FOREIGN] = STATE_SPELLINGS.server;
const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'buy' } };
const answer = (meta: object): Record<string, unknown> => ({ jsonrpc: '2.0', id: 1, result: { content: [], _meta: meta } });
const metaOf = (message: Record<string, unknown>): unknown => (message['params'] as { _meta?: unknown })._meta;

describe('a jar for a program that passes messages on', () => {
  it('STATE-08, STATE-30: what one server set goes back to it, and to no other server or principal', async () => {
    const relay = relayJar();
    const first = await relay.send(request, { server: 'shop', principal: 'ann' });
    expect(first.message).toEqual(request);
    const seen = await first.take(answer({ [SERVER]: { cart: ['tea'] }, 'com.example/id': 7 }));
    expect(seen).toEqual(answer({ 'com.example/id': 7 }));
    const of = async (server: string, principal: string): Promise<unknown> =>
      metaOf((await relay.send(request, { server, principal })).message);
    expect(await of('shop', 'ann')).toEqual({ [SERVER]: { cart: ['tea'] } });
    expect(await of('shop', 'bob')).toBeUndefined();
    expect(await of('bank', 'ann')).toBeUndefined();
  });

  it('state that the sender wrote never goes on, in any spelling', async () => {
    const forged = { ...request, params: { name: 'buy', _meta: { [FOREIGN]: { cart: ['all'] }, 'com.example/id': 7 } } };
    const { message } = await relayJar().send(forged, { server: 'shop' });
    expect(metaOf(message)).toEqual({ 'com.example/id': 7 });
  });

  it('D-05: session state lives in a conversation, and without one it is refused and reported', async () => {
    const issues: Issue[] = [];
    const relay = relayJar({}, (issue) => issues.push(issue));
    const talk = relay.jar.begin();
    await (await relay.send(request, { server: 'shop', conversation: talk })).take(answer({ [SESSION]: { step: 1 } }));
    expect(metaOf((await relay.send(request, { server: 'shop', conversation: talk })).message)).toEqual({ [SESSION]: { step: 1 } });
    expect(issues).toEqual([]);
    await (await relay.send(request, { server: 'shop' })).take(answer({ [SESSION]: { step: 2 } }));
    expect(issues).toMatchObject([{ concern: 'state', key: 'session' }]);
    await expect(relay.send(request, { server: 'shop', principal: 'bob', conversation: talk })).rejects.toThrow('conversation: ');
  });

  it('two programs on one store see the same state', async () => {
    const store = memoryStore();
    const [one, other] = [relayJar({ store }), relayJar({ store })];
    await (await one.send(request, { server: 'shop' })).take(answer({ [SERVER]: { cart: 1 } }));
    await one.jar.flush();
    expect(metaOf((await other.send(request, { server: 'shop' })).message)).toEqual({ [SERVER]: { cart: 1 } });
  });

  it('STATE-33, STATE-39: names servers by the rules of the jar', () => {
    const relay = relayJar({ hosts, stdio: ({ command }) => command });
    expect(relay.nameOf('https://mcp.example.com/mcp')).toEqual({ name: 'mcp.example.com' });
    expect(relay.nameOf(new URL('http://127.0.0.1:3000'))).toHaveProperty('refused');
    expect(relay.nameOf({ command: 'shop', args: [] })).toEqual({ name: 'shop' });
  });

  it('a wrong option is refused by its path', () => {
    expect(() => relayJar({ durabilty: 'strict' } as never)).toThrow('relayJar.durabilty: unknown option; did you mean durability?');
    expect(() => relayJar({ store: 5 as never })).toThrow('relayJar.store: ');
    expect(() => relayJar({}, 5 as never)).toThrow('onIssue: ');
  });
});
