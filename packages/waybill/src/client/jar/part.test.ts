import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../transport/index.js';
import type { Issue } from '../../wire/issue.js';
import { isObject, own, type Meta } from '../../wire/json.js';
import { CLIENT_CAPABILITIES, PROTOCOL_VERSION, STATE_CONFLICTS, STATE_SPELLINGS } from '../../wire/keys.js';
import { clientContext, type ClientContextOptions } from '../index.js';
import { jar } from './index.js';

const SESSION = STATE_SPELLINGS.session[0];
const SERVER = STATE_SPELLINGS.server[0];

/** A transport with a peer that answers each request with the `_meta` that `call` got. */
class Peer {
  readonly sent: Message[] = [];
  readonly received: Message[] = [];
  answer: (message: Message) => Message | undefined = () => undefined;
  onmessage?: (message: Message) => void;
  onclose?: () => void;
  async send(message: Message): Promise<void> {
    await Promise.resolve();
    this.sent.push(message);
    const result = this.answer(message);
    if (result !== undefined) this.onmessage?.({ jsonrpc: '2.0', id: message['id'], ...result });
  }
  async close(): Promise<void> {
    await Promise.resolve();
    this.onclose?.();
  }
}

function connect(options: ClientContextOptions = {}, attach: object = { server: 'shop' }) {
  const issues: Issue[] = [];
  const waybill = clientContext({ onIssue: (issue) => issues.push(issue), state: jar(), ...options });
  const peer = new Peer();
  const transport = waybill.attach(peer as never, attach) as unknown as Peer;
  transport.onmessage = (message) => peer.received.push(message);
  transport.onclose = () => undefined;
  let id = 0;
  /** Sends one request and returns its `_meta`; the peer answers with the given one. */
  const call = async (meta?: Meta, method = 'tools/call', result: Meta = {}): Promise<Meta> => {
    peer.answer = () => ({ result: { ...result, ...(meta && { _meta: meta }) } });
    const envelope = { [PROTOCOL_VERSION]: '2026-07-28', [CLIENT_CAPABILITIES]: {} };
    await transport.send({ jsonrpc: '2.0', id: ++id, method, params: { name: 'x', _meta: envelope } });
    const { params } = peer.sent.at(-1)!;
    return (isObject(params) ? own(params, '_meta') : {}) as Meta;
  };
  return { waybill, peer, transport, call, issues };
}

describe('a request', () => {
  it('STATE-01, STATE-08: every request declares the capability and carries what was set, with any method', async () => {
    const { call } = connect();
    const first = await call({ [SESSION]: { x: 1 }, [SERVER]: { y: 2 } });
    expect(first[CLIENT_CAPABILITIES]).toMatchObject({ state: {} });
    expect(first).not.toHaveProperty([SESSION]);
    for (const method of ['tools/list', 'ping', 'resources/read', 'demo/anything', 'subscriptions/listen'])
      expect(await call(undefined, method)).toMatchObject({ [SESSION]: { x: 1 }, [SERVER]: { y: 2 } });
  });

  it('STATE-10: a notification carries no state', async () => {
    const { call, transport, peer } = connect();
    await call({ [SERVER]: { y: 2 } });
    await transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 99, _meta: {} } });
    expect(JSON.stringify(peer.sent.at(-1))).not.toContain('state');
  });

  it('a caller’s own value under a state key is dropped and reported', async () => {
    const { transport, peer, issues } = connect();
    await transport.send({
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/list',
      params: { _meta: { [SERVER]: { planted: 1 }, [STATE_CONFLICTS]: {} } },
    });
    expect(JSON.stringify(peer.sent)).not.toContain('planted');
    expect(issues.map(({ key }) => key)).toEqual([SERVER, STATE_CONFLICTS]);
  });
});

describe('an answer', () => {
  it('STATE-42: an answer reaches the application without state, in any spelling, and otherwise unchanged', async () => {
    const { call, peer } = connect();
    await call({ [STATE_SPELLINGS.session[1]]: { x: 1 }, [STATE_SPELLINGS.server[3]]: { y: 1 }, 'com.example/kept': true }, 'tools/list', {
      tools: [],
    });
    expect(peer.received.at(-1)!['result']).toEqual({ tools: [], _meta: { 'com.example/kept': true } });
    expect(await call({ [SERVER]: {} })).toMatchObject({ [SESSION]: { x: 1 }, [SERVER]: { y: 1 } });
    expect(peer.received.at(-1)!['result']).toEqual({});
  });

  it('STATE-02: an error sets nothing', async () => {
    const { call, peer, transport } = connect();
    peer.answer = () => ({ error: { code: 1, message: 'no', data: { _meta: { [SERVER]: { x: 1 } } } } });
    await transport.send({ jsonrpc: '2.0', id: 50, method: 'tools/call', params: {} });
    expect(await call()).not.toHaveProperty([SERVER]);
  });

  it('STATE-37: state of a server that may keep none is removed, not kept, and reported once', async () => {
    const { call, peer, waybill, issues } = connect({}, {});
    for (let n = 0; n < 3; n++) expect((await call({ [SERVER]: { x: n } }))[CLIENT_CAPABILITIES]).not.toHaveProperty('state');
    expect(peer.received.at(-1)!['result']).toEqual({});
    expect(await waybill.jar.principals()).toEqual([]);
    expect(issues).toEqual([{ concern: 'state', key: 'server', problem: 'sets state but may not keep any: it has no name' }]);
  });
});

describe('a principal', () => {
  it('D-35: null means no particular user: the drawer goes with the user who logs out', async () => {
    const { call, waybill } = connect({ principal: 'ann' });
    await call({ [SERVER]: { x: 'ann’s' } });
    waybill.update({ principal: null });
    expect(await call({ [SERVER]: { x: 'nobody’s' } })).not.toHaveProperty([SERVER]);
    expect(await waybill.run({ principal: 'ann' }, () => call())).toMatchObject({ [SERVER]: { x: 'ann’s' } });
    expect(await call()).toMatchObject({ [SERVER]: { x: 'nobody’s' } });
  });

  it('D-35: null for one connection beats the principal of the client', async () => {
    const { call, waybill } = connect({ principal: 'ann' }, { server: 'shop', principal: null });
    await call({ [SERVER]: { x: 1 } });
    expect([await waybill.jar.list({ principal: 'ann' }), (await waybill.jar.list()).length]).toEqual([[], 1]);
  });

  it('D-05: a change from null to null is no change: answers under way are still taken', async () => {
    const { call, waybill, transport, peer } = connect();
    peer.answer = () => undefined;
    await transport.send({ jsonrpc: '2.0', id: 'late', method: 'tools/call', params: { _meta: { [PROTOCOL_VERSION]: '2026-07-28' } } });
    waybill.update({ principal: null });
    peer.onmessage?.({ jsonrpc: '2.0', id: 'late', result: { _meta: { [SERVER]: { x: 1 } } } });
    expect(await call()).toMatchObject({ [SERVER]: { x: 1 } });
  });
});

describe('a conversation', () => {
  it('D-05: a conversation of another principal or another jar does not count, and that is reported', async () => {
    const { call, waybill, issues } = connect();
    const foreign = [waybill.jar.begin({ principal: 'ann' }), clientContext({ state: jar() }).jar.begin()];
    for (const conversation of foreign) {
      const meta = await waybill.run({ conversation }, () => call({ [SESSION]: { x: 1 } }));
      expect(meta).not.toHaveProperty([SESSION]);
      expect(issues.map(({ key }) => key)).toEqual(['conversation', 'session']);
      issues.length = 0;
    }
    const own = waybill.jar.begin({ principal: 'ann' });
    await waybill.run({ principal: 'ann', conversation: own }, () => call({ [SESSION]: { x: 1 } }));
    expect(await waybill.run({ principal: 'ann', conversation: own }, () => call())).toMatchObject({ [SESSION]: { x: 1 } });
    expect(issues).toEqual([]);
  });

  it('D-05: a conversation that has ended is not held by the 2025 connection it used', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const { transport, peer, waybill } = connect();
    peer.answer = () => ({ result: {} });
    const speak = async (): Promise<WeakRef<object>> => {
      const conversation = waybill.jar.begin();
      await waybill.run({ conversation }, () => transport.send({ jsonrpc: '2.0', id: peer.sent.length, method: 'tools/list' }));
      await conversation.end();
      return new WeakRef(conversation);
    };
    const spoken: WeakRef<object>[] = [];
    for (let n = 0; n < 20; n++) spoken.push(await speak());
    // A weak reference holds until the task that made it ends.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    expect(spoken.filter((one) => one.deref() !== undefined).length).toBeLessThan(5);
  });

  it('STATE-20: without a given conversation, session state ends with the connection', async () => {
    const { call, transport, waybill } = connect();
    await call({ [SESSION]: { x: 1 }, [SERVER]: { y: 1 } });
    await transport.close();
    expect((await waybill.jar.show('shop')).map(({ name }) => name)).toEqual(['y']);
  });
});

describe('wrong options', () => {
  it.each<[object, string]>([
    [{ allowHost: ['localhost'] }, 'jar.allowHost'],
    [{ allowHosts: ['localhost:80'] }, 'jar.allowHosts[0]'],
    [{ allowHosts: ['localhost', '*.corp'] }, 'jar.allowHosts[1]: expected the full name of one host'],
    [{ allowHosts: ['.corp'] }, 'jar.allowHosts[0]: expected the full name of one host'],
    [{ partition: 'x' }, 'jar.partition'],
    [{ durability: 'sometimes' }, 'jar.durability'],
    [{ concurrent: 'first' }, 'jar.concurrent'],
    [{ storeTimeout: 0 }, 'jar.storeTimeout'],
    [{ storeTimeout: '5' }, 'jar.storeTimeout: expected a number of milliseconds'],
    [{ storeTimeout: Number.NaN }, 'jar.storeTimeout'],
    [{ storeTimeout: null }, 'jar.storeTimeout'],
    [{ limits: { itemBytes: 1 } }, 'jar.limits.itemBytes'],
    [{ limits: { itemByte: 5_000 } }, 'jar.limits.itemByte: unknown option; did you mean itemBytes?'],
    [{ limits: 5 }, 'jar.limits: expected an object'],
    [[], 'jar: expected an object'],
  ])('wrong options fail at construction and name their path: %j', (options, path) => {
    expect(() => jar(options)).toThrow(path);
  });
});

describe('the jar, with a server given as a URL', () => {
  const hosts = { isAllowedStateHost: (url: string) => new URL(url).hostname === 'shop.example.com' };

  it('edit() changes the drawer that a connection to that URL uses', async () => {
    const { jar: kept } = clientContext({ state: jar({ hosts, allowHosts: ['127.0.0.1'] }) });
    await kept.edit('https://SHOP.example.com:443/mcp?x', 'x', 1);
    await kept.edit('http://127.0.0.1:8080/mcp', 'x', 1);
    await kept.edit('my shop', 'x', 1);
    expect((await kept.list()).map(({ server }) => server)).toEqual(['shop.example.com', 'http://127.0.0.1:8080', 'my shop']);
    expect(await kept.show('https://shop.example.com/other')).toHaveLength(1);
    expect(await kept.clear({ server: 'http://127.0.0.1:8080' })).toBe(1);
  });

  it.each([
    ['http://shop.example.com/mcp', 'is not https'],
    ['https://10.0.0.7/mcp', 'is not under a public registry and not in allowHosts'],
    ['ftp://shop.example.com/', 'is not an http URL'],
  ])('edit() refuses %s, which may keep no state, and keeps nothing', async (url, why) => {
    const { jar: kept } = clientContext({ state: jar({ hosts }) });
    await expect(kept.edit(url, 'x', 1)).rejects.toThrow(`jar.edit.server: expected a server that may keep state; ${url} ${why}`);
    expect(await kept.list()).toEqual([]);
    expect(await kept.show(url)).toEqual([]);
  });
});

describe('a client without a jar', () => {
  it('it declares no state, has no jar, and removes state that a server sets anyway', async () => {
    const issues: Issue[] = [];
    const waybill = clientContext({ onIssue: (issue) => issues.push(issue) });
    expect(waybill.jar).toBeUndefined();
    const peer = new Peer();
    const transport = waybill.attach(peer as never, { server: 'shop' }) as unknown as Peer;
    transport.onmessage = (message) => peer.received.push(message);
    peer.answer = () => ({ result: { _meta: { [SESSION]: { x: 1 }, other: 1 } } });
    const envelope = { [PROTOCOL_VERSION]: '2026-07-28', [CLIENT_CAPABILITIES]: {} };
    for (const id of [1, 2]) await transport.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'x', _meta: envelope } });
    expect(JSON.stringify(peer.sent)).not.toContain('state');
    expect(peer.received.map(({ result }) => result)).toEqual([{ _meta: { other: 1 } }, { _meta: { other: 1 } }]);
    expect(issues).toEqual([
      { concern: 'state', key: 'server', problem: 'sets state but may not keep any: it sends it to a client without the option state' },
    ]);
  });

  it('it refuses a conversation', () => {
    const conversation = clientContext({ state: jar() }).jar.begin();
    expect(() => clientContext().with({ conversation })).toThrow('conversation: a conversation needs the option state: jar()');
    expect(() => clientContext().attach(new Peer() as never, { conversation })).toThrow(
      'attach.conversation: a conversation needs the option state',
    );
  });
});

describe('a jar', () => {
  it('a jar serves one clientContext', () => {
    const state = jar();
    clientContext({ state });
    expect(() => clientContext({ state })).toThrow('state: this jar is in use');
  });

  it('the option state takes a jar(), not its options', () => {
    expect(() => clientContext({ state: { allowHosts: ['localhost'] } as never })).toThrow('state: expected the value that jar()');
  });
});
