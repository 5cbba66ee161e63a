import { describe, expect, it } from 'vitest';
import { thenable } from '../../../../test/support/thenable.js';
import { hookServer, instrument } from './connect.js';
import type { TransportLike } from './types.js';

const transport = { send: () => Promise.resolve(), close: () => Promise.resolve() } as TransportLike;

class Inner {
  transport: unknown;
  connected: unknown[] = [];
  connect(...args: unknown[]): Promise<void> {
    this.connected.push(...args);
    return Promise.resolve();
  }
}
class Outer {
  server = new Inner();
  connect(given: unknown): Promise<void> {
    return this.server.connect(given);
  }
}

describe('hookServer', () => {
  it.each([
    ['a server', () => new Inner()],
    ['a server that holds one', () => new Outer()],
  ])('hookServer reaches the transport through connect of %s', async (_, make) => {
    const seen: unknown[] = [];
    const server = make();
    expect(hookServer(server, (one) => seen.push(one))).toBe(server);
    await server.connect(transport);
    expect(seen).toEqual([transport]);
  });

  it.each([
    ['at once', () => new Outer()],
    ['later', () => Promise.resolve(new Outer())],
    ['later, by a thenable', () => thenable(new Outer())],
  ])('hookServer hooks the servers that a factory makes, %s, and passes its arguments on', async (_, make) => {
    const seen: unknown[] = [];
    const given: unknown[] = [];
    const factory = hookServer(
      (...args: unknown[]) => (given.push(...args), make()),
      (one) => seen.push(one),
    );
    const server = await factory('a', 1);
    await server.connect(transport);
    expect([seen, given]).toEqual([[transport], ['a', 1]]);
  });

  it('hookServer does nothing the second time with the same function, and fails for a second layer or a connected server', async () => {
    const seen: unknown[] = [];
    const layer = (one: TransportLike): void => void seen.push(one);
    const server = new Outer();
    hookServer(hookServer(server, layer), layer);
    await server.connect(transport);
    expect(seen).toHaveLength(1);
    expect(() => hookServer(server, () => undefined)).toThrow(/already belongs to another context/);
    const connected = new Inner();
    connected.transport = transport;
    expect(() => hookServer(connected, layer)).toThrow(/already connected/);
    expect(() => hookServer({}, layer)).toThrow(/expected a server/);
  });
});

describe('a layer that refuses a transport', () => {
  it('connect rejects and never throws if a layer refuses a transport', async () => {
    const server = new Outer();
    hookServer(server, () => {
      throw new TypeError('has a layer');
    });
    const connecting = server.connect(transport);
    await expect(connecting).rejects.toThrow('has a layer');
  });
});

describe('instrument', () => {
  it('attached counts the transports', async () => {
    class Client {
      connect(_transport: object): Promise<void> {
        return Promise.resolve();
      }
    }
    const others = {};
    const undo = instrument(Client, (transport) => transport !== (others as never));
    expect(undo.attached).toBe(0);
    for (const transport of [{}, others, {}]) await new Client().connect(transport);
    expect(undo.attached).toBe(2);
    undo();
    await new Client().connect({});
    expect(undo.attached).toBe(2);
  });

  it('instrument patches connect of a class until it is undone', async () => {
    const seen: unknown[] = [];
    class Client extends Inner {}
    const undo = instrument(Client, (one) => seen.push(one));
    const client = new Client();
    await client.connect(transport, 'options');
    undo();
    await client.connect(transport);
    expect(seen).toEqual([transport]);
    expect(client.connected).toEqual([transport, 'options', transport]);
  });

  it('two instruments can be undone in either order', async () => {
    for (const turns of [
      [0, 1],
      [1, 0],
    ]) {
      const seen: string[] = [];
      class Client extends Inner {}
      const undo = ['one', 'two'].map((name) => instrument(Client, () => void seen.push(name)));
      undo[turns[0]!]!();
      await new Client().connect(transport);
      undo[turns[1]!]!();
      await new Client().connect(transport);
      expect(seen).toEqual([['one', 'two'][turns[1]!]]);
    }
  });

  it('instrument refuses a class without connect', () => {
    expect(() => instrument(Map, () => undefined)).toThrow(/connect/);
  });
});
