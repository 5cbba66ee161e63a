/**
 * Ways to put something into every message of a client, and the messages that each of them misses. Only the hook on the transport itself
 * misses none; the others stand here so that nobody tries them again.
 */
import { describe, expect, test } from 'vitest';
import { hookServer, hookTransport, type Hooks } from 'waybill/adapter';
import { open, type Cell, type ClientLayer, type Journey, type Layers } from './harness.js';
import { errorOf } from './telling.js';
import type { Message, Wire } from './wire.js';

const KEY = 'example.test/stamp';
const stamp = (message: Message): Message => ({ ...message, params: stampParams(message['params']) });
const stampParams = (params: any): Message => ({ ...params, _meta: { [KEY]: 1, ...params?._meta } });
const isStamped = (message: Message): boolean => message['params']?._meta?.[KEY] === 1;

const stamping: Hooks = { request: stamp, notification: (message, { direction }) => (direction === 'out' ? stamp(message) : message) };
const inPlace: ClientLayer = { transport: (transport) => hookTransport(transport as never, stamping) };

/** Connects and sends one of every kind of message. */
async function tour(
  cell: Cell,
  client: ClientLayer,
  act: (journey: Journey) => any = ({ client }) => client.sdk,
  ending: 'cancelled' | 'released' = 'cancelled',
): Promise<Wire> {
  const options = cell.client === 'v1' ? {} : { listChanged: { tools: { onChanged: () => undefined } } };
  const journey = await open(cell, { client, options } satisfies Layers);
  const { client: peer } = journey;
  const sdk = act(journey);
  try {
    peer.onElicit(() => ({ action: 'accept', content: { colour: 'red' } }));
    await sdk.listTools();
    await peer.allTools();
    const rest = (given: object): unknown[] => (cell.client === 'v1' ? [undefined, given] : [given]);
    await sdk.callTool({ name: 'echo', arguments: { text: 'hello' } });
    await sdk.callTool({ name: 'ask', arguments: {} });
    await sdk.readResource({ uri: 'note://today' });
    await peer.request('demo/fail', {}).catch(errorOf);
    if (peer.era() === 'legacy') await sdk.ping();
    else await sdk.discover();
    const giveUp = new AbortController();
    const slow = sdk.callTool({ name: 'slow', arguments: { key: 'a' } }, ...rest({ signal: giveUp.signal })).catch(errorOf);
    await sdk.callTool({ name: 'happened', arguments: { event: 'started a' } });
    giveUp.abort();
    await slow;
    if (ending === 'released') await sdk.callTool({ name: 'release', arguments: { key: 'a' } });
    await sdk.callTool({ name: 'happened', arguments: { event: `${ending} a` } });
    return journey.wire();
  } finally {
    await journey.close();
  }
}

/** The methods of messages that left without the stamp. */
const missed = ({ sent }: Wire): string[] =>
  [...new Set(sent.filter((message) => 'method' in message && !isStamped(message)).map(({ method }) => method))].sort();
const methods = ({ sent }: Wire): string[] => [...new Set(sent.flatMap(({ method }) => (method === undefined ? [] : [method])))].sort();

const modern: Cell = { client: 'v2-modern', server: 'v2', transport: 'http-sse' };
const legacy: Cell = { client: 'v2-legacy', server: 'v1', transport: 'http-sse' };
const v1: Cell = { client: 'v1', server: 'v1', transport: 'http-sse' };
const CELLS: Cell[] = [modern, legacy, v1];

describe('A: in place, on the transport', { concurrent: true }, () => {
  const everywhere = CELLS.flatMap((cell) => (['memory', 'http-sse', 'stdio'] as const).map((transport) => ({ ...cell, transport })));
  test.for(everywhere)(
    'it changes every message that $client sends, and reads every one that it gets, over $transport',
    async (cell, { expect }) => {
      const seen: Message[] = [];
      const note = (message: Message): Message => {
        seen.push(message);
        return message;
      };
      const hooks: Hooks = {
        answer: (message, _exchange, direction) => (direction === 'in' ? note(message) : message),
        request: (message, { sender }) => (sender === 'them' ? note(message) : stamp(message)),
        notification: (message, { direction }) => (direction === 'in' ? note(message) : stamp(message)),
      };
      const wire = await tour(cell, { transport: (transport) => hookTransport(transport as never, hooks) });
      const ids = (messages: Message[]): unknown[] => messages.map((message) => message['id'] ?? message['method']).sort();
      // Over stdio the answer to the probe comes from its own process.
      const probe = cell.client === 'v2-modern' && cell.transport === 'stdio' ? ['server-discover-probe-1'] : [];
      expect(ids(seen)).toEqual([...ids(wire.received), ...probe].sort());
      expect(missed(wire)).toEqual([]);
      expect(methods(wire)).toEqual(
        expect.arrayContaining(
          cell.client === 'v2-modern'
            ? ['subscriptions/listen']
            : ['initialize', 'notifications/initialized', 'notifications/cancelled', 'ping'],
        ),
      );
    },
  );
});

describe('B: a wrapper object in front of the transport', () => {
  const wrapper: ClientLayer = { transport: (transport) => wrapped(transport) };

  test.for([legacy, v1])('it reaches every message of $client over HTTP, which makes it tempting', async (cell, { expect }) => {
    expect(missed(await tour(cell, wrapper))).toEqual([]);
  });

  test('it reaches every message of a modern client, but unless it forwards hasPerRequestStream no cancellation reaches the tool', async () => {
    const posted = ({ sent }: Wire): boolean =>
      sent.some(({ method, params }) => method === 'notifications/cancelled' && typeof params.requestId === 'number');
    expect(posted(await tour(modern, {}))).toBe(false);
    expect(posted(await tour(modern, inPlace))).toBe(false);
    const wire = await tour(modern, wrapper, undefined, 'released');
    expect(missed(wire)).toEqual([]);
    expect(posted(wire)).toBe(true);
  });
});

describe('C: the fetch option', () => {
  test.for(CELLS)('it reaches every message of $client, over HTTP only', async (cell, { expect }) => {
    const fetch: ClientLayer['fetch'] = (base) => (url, init) =>
      base(url, typeof init?.body === 'string' ? { ...init, body: JSON.stringify(stamp(JSON.parse(init.body) as Message)) } : init);
    expect(missed(await tour(cell, { fetch }))).toEqual([]);
    await expect(tour({ ...cell, transport: 'memory' }, { fetch }).then(missed)).resolves.toEqual(expect.arrayContaining(['tools/call']));
  });
});

describe('D: a subclass that overrides request() and notification()', () => {
  const classOf = (Client: any): any =>
    class extends Client {
      request(message: Message, ...rest: unknown[]): unknown {
        return super.request(stamp(message), ...rest);
      }
      notification(message: Message, ...rest: unknown[]): unknown {
        return super.notification(stamp(message), ...rest);
      }
    };
  test.for([
    { ...modern, expected: ['server/discover', 'subscriptions/listen'] },
    { ...legacy, expected: ['notifications/cancelled'] },
    { ...v1, expected: ['notifications/cancelled'] },
  ])('it misses $expected of $client', async ({ expected, ...cell }, { expect }) => {
    expect(missed(await tour(cell, { classOf }))).toEqual(expected);
  });
});

describe('E: a subclass that overrides the protected _outboundMetaEnvelope()', () => {
  const classOf = (Client: any): any =>
    class extends Client {
      _outboundMetaEnvelope(): unknown {
        return { ...super._outboundMetaEnvelope?.(), [KEY]: 1 };
      }
    };
  test.for([
    { ...modern, expected: ['server/discover'] },
    { ...legacy, expected: [] },
  ])('it misses $expected of $client', async ({ expected, ...cell }, { expect }) => {
    expect(missed(await tour(cell, { classOf }))).toEqual(expected);
  });
  test('it does nothing on v1, which has no such member', async () => {
    const wire = await tour(v1, { classOf });
    expect(missed(wire)).toEqual(methods(wire));
  });
});

describe('F: a Proxy around the client', () => {
  const proxied = ({ client: { sdk } }: Journey): any =>
    new Proxy(sdk, {
      get: (target, name) => {
        const member = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (params: unknown, ...rest: unknown[]): unknown =>
          Reflect.apply(member, target, [typeof params === 'object' || params === undefined ? stampParams(params) : params, ...rest]);
      },
    });
  test.for([
    { ...modern, expected: ['server/discover', 'subscriptions/listen'] },
    { ...legacy, expected: ['initialize', 'notifications/cancelled', 'notifications/initialized', 'ping'] },
    { ...v1, expected: ['initialize', 'notifications/cancelled', 'notifications/initialized', 'ping'] },
  ])('it misses $expected of $client', async ({ expected, ...cell }, { expect }) => {
    expect(missed(await tour(cell, {}, proxied))).toEqual(expect.arrayContaining(expected));
  });
});

describe('G: an onmessage that is set before connect', () => {
  test('both SDKs chain it, and it reads everything but the answer to the probe', async () => {
    for (const cell of CELLS) {
      const seen: unknown[] = [];
      const wire = await tour(cell, {
        transport: (transport) =>
          Object.assign(transport, { onmessage: (message: Message) => void seen.push(message['id'] ?? message['method']) }),
      });
      const expected = wire.received.map((message) => message['id'] ?? message['method']).filter((id) => id !== 'server-discover-probe-1');
      expect(seen.sort()).toEqual(expected.sort());
    }
  });

  test('it gets each message once if the transport is hooked, before or after', async () => {
    for (const cell of CELLS) {
      const seen: unknown[] = [];
      const onmessage = (message: Message): void => void seen.push(message['id'] ?? message['method']);
      const wire = await tour(cell, {
        transport: (transport) => Object.assign(inPlace.transport!(Object.assign(transport, { onmessage })), {}),
      });
      expect(seen.length).toBe(wire.received.filter(({ id }) => id !== 'server-discover-probe-1').length);
    }
  });
});

describe('on the server, through connect', () => {
  const stamped: Hooks = {
    answer: (message: any) =>
      'error' in message
        ? { ...message, error: { ...message.error, data: { ...message.error.data, _meta: { [KEY]: 1 } } } }
        : { ...message, result: { ...message.result, _meta: { ...message.result._meta, [KEY]: 1 } } },
  };
  const server = { server: <T extends object>(target: T): T => hookServer(target, (transport) => void hookTransport(transport, stamped)) };
  const everywhere = (['memory', 'http-sse'] as const).flatMap((transport) => [
    ...(['v1', 'wired', 'v2'] as const).map((kind): Cell => ({ client: 'v2-legacy', server: kind, transport })),
    { client: 'v2-modern', server: 'v2', transport } satisfies Cell,
  ]);

  test.for(everywhere)(
    'it reaches every answer, results and errors: $client client, $server server, $transport',
    async (cell, { expect }) => {
      const journey = await open(cell, { server });
      const { client } = journey;
      try {
        await client.allTools();
        await client.sdk.listPrompts();
        for (const name of ['echo', 'throws', 'nobody']) await client.callTool({ name, arguments: { text: 'x' } }).catch(errorOf);
        for (const uri of ['note://today', 'note://never']) await client.sdk.readResource({ uri }).catch(errorOf);
        await client.request('demo/nobody', {}).catch(errorOf);
        await (client.era() === 'legacy' ? client.sdk.ping() : client.sdk.discover());
        const answers = journey.wire().received.filter((message) => !('method' in message) && message['id'] !== null);
        expect(answers.length).toBeGreaterThanOrEqual(11);
        expect(answers.filter((message) => (message['result'] ?? message['error'].data)?._meta?.[KEY] !== 1)).toEqual([]);
      } finally {
        await journey.close();
      }
    },
  );

  test('it does not reach answers of the v2 entry itself: refusals before there is a server, and subscriptions', async () => {
    const journey = await open(modern, { server });
    try {
      const subscription = await journey.client.sdk.listen({ toolsListChanged: true });
      await subscription.close();
      const listen = journey.wire().http.find(({ body }) => body.method === 'subscriptions/listen')!;
      expect(JSON.stringify(listen.answers)).toContain('notifications/subscriptions/acknowledged');
      expect(JSON.stringify(listen.answers)).not.toContain(KEY);
      const served = journey.wire().http[0]!;
      const refused = await fetch(journey.transport._url, {
        method: 'POST',
        headers: { ...served.headers, 'mcp-method': 'tools/list' },
        body: JSON.stringify(served.body),
      });
      expect([refused.status, await refused.text()]).toEqual([400, expect.not.stringContaining(KEY)]);
    } finally {
      await journey.close();
    }
  });
});

/** Everything that a wrapper usually forwards. */
function wrapped<T extends object>(inner: T): T {
  const target = inner as any;
  const wrapper = {
    start: () => target.start(),
    close: () => target.close(),
    send: (message: Message, options: unknown) => target.send('method' in message ? stamp(message) : message, options),
    setProtocolVersion: (version: string) => target.setProtocolVersion?.(version),
    get sessionId(): string | undefined {
      return target.sessionId;
    },
  };
  for (const name of ['onmessage', 'onclose', 'onerror']) {
    Object.defineProperty(wrapper, name, { get: () => target[name], set: (handler: unknown) => (target[name] = handler) });
  }
  return wrapper as T;
}
