/** Behaviour of the SDKs that breaks a naive layer, each with the solution. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { ContextError, keys, type Issue } from 'waybill';
import { edge, hookFetch, hookServer, hookTransport, type Hooks } from 'waybill/adapter';
import { pendingOf } from '../../packages/waybill/dist/transport/hook.js';
import { AsyncLocalStorage } from 'node:async_hooks';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { describe, expect, test } from 'vitest';
import { httpTransport, peerOf, type ClientKind } from './clients.js';
import { serveHttp } from './fixtures/serve.mjs';
import { open, type Cell, type Journey, type Layers, type ServerLayer } from './harness.js';
import { deferred, errorOf } from './telling.js';
import type { Message } from './wire.js';

const memory = (client: ClientKind, server: Cell['server']): Cell => ({ client, server, transport: 'memory' });
const ONE_OF_EACH: Cell[] = [memory('v1', 'v1'), memory('v2-legacy', 'v2'), memory('v2-modern', 'v2')];

async function on<T>(cell: Cell, layers: Layers, act: (journey: Journey) => T | Promise<T>): Promise<T> {
  const journey = await open(cell, layers);
  try {
    return await act(journey);
  } finally {
    await journey.close();
  }
}
const clientHooks = (hooks: Hooks): Layers => ({ client: { transport: (transport) => hookTransport(transport as never, hooks) } });
const serverHooks = (hooks: Hooks): ServerLayer => ({
  server: (target) => hookServer(target, (transport) => void hookTransport(transport, hooks)),
});
const meta = (message: Message, add: Message): Message => ({
  ...message,
  params: { ...message['params'], _meta: { ...add, ...message['params']?._meta } },
});
const textOf = (result: Message): string => result['content'][0].text;

describe('a Node HTTP transport keeps onmessage behind an accessor of its prototype', () => {
  /** An accessor on the object that does not forward: the inner transport never gets the handler. */
  function naive(transport: any): void {
    let slot: unknown;
    Object.defineProperty(transport, 'onmessage', { configurable: true, get: () => slot, set: (handler) => (slot = handler) });
  }
  const KINDS = [
    { kind: 'v1', Transport: StreamableHTTPServerTransport },
    { kind: 'wired', Transport: NodeStreamableHTTPServerTransport },
  ] as const;
  test.for(KINDS)('a naive accessor on the $kind transport opens the stream and never answers', async ({ kind, Transport }, { expect }) => {
    expect(Object.getOwnPropertyDescriptor(Transport.prototype, 'onmessage')?.set).toBeTypeOf('function');
    const connectWith = async (onTransport: (transport: any) => void): Promise<unknown> => {
      const served = await serveHttp(kind, { layer: { server: (target: object) => hookServer(target, onTransport) } });
      const statuses: number[] = [];
      const fetching = async (url: string | URL, init?: RequestInit): Promise<Response> => {
        const response = await fetch(url, init);
        statuses.push(response.status);
        return response;
      };
      const peer = peerOf('v1');
      try {
        await peer.connect(httpTransport('v1', served.url, fetching), { timeout: 300 });
        return 'connected';
      } catch (error) {
        return [statuses[0], errorOf(error)];
      } finally {
        await peer.close();
        await served.close();
      }
    };
    expect(await connectWith(naive)).toEqual([200, expect.objectContaining({ message: 'MCP error -32001: Request timed out' })]);
    expect(await connectWith((transport) => void hookTransport(transport, {}))).toBe('connected');
  });
});

describe('the v2 probe saves, replaces and restores the handler, and replaces start', () => {
  const auto = memory('v2-modern', 'v2');
  test('a hook that is installed in start sees the answer to the probe and nothing after it', async () => {
    const seen: unknown[] = [];
    const inStart = (transport: any): any => {
      const start = transport.start.bind(transport);
      transport.start = () => {
        const handler = transport.onmessage;
        transport.onmessage = (message: Message, extra: unknown) => {
          seen.push(message['id']);
          handler(message, extra);
        };
        return start();
      };
      return transport;
    };
    await on(auto, { client: { transport: inStart } }, ({ client }) => client.allTools());
    expect(seen).toEqual(['server-discover-probe-1']);
  });

  test('a hook in place sees everything', async () => {
    const seen: unknown[] = [];
    const hooks: Hooks = { answer: (message) => (seen.push(message['id']), message) };
    await on(auto, clientHooks(hooks), ({ client }) => client.allTools());
    expect(seen).toEqual(['server-discover-probe-1', 0, 1, 2]);
  });
});

describe('one transport, one layer', () => {
  test.for(ONE_OF_EACH)('hooking twice with the same hooks runs them once, $client', async (cell, { expect }) => {
    let runs = 0;
    const hooks: Hooks = { request: (message) => (message['method'] === 'tools/call' && runs++, message) };
    const twice = (transport: any): any => hookTransport(hookTransport(transport, hooks), hooks);
    await on(cell, { client: { transport: twice } }, async ({ client }) => {
      await client.callTool({ name: 'echo', arguments: { text: 'x' } });
      expect(runs).toBe(1);
    });
  });

  test.for(ONE_OF_EACH)('a second owner fails, $client', async (cell, { expect }) => {
    await on(cell, clientHooks({}), ({ transport }) => {
      expect(() => hookTransport(transport, {})).toThrow(TypeError);
    });
  });

  test('it stays the same object of the same class', async () => {
    for (const cell of ONE_OF_EACH) {
      await on(
        cell,
        {
          client: {
            transport: (given) => {
              const prototype: unknown = Object.getPrototypeOf(given);
              const hooked = hookTransport(given as never, {}) as object;
              expect(hooked).toBe(given);
              expect(Object.getPrototypeOf(hooked)).toBe(prototype);
              return hooked as typeof given;
            },
          },
        },
        () => undefined,
      );
    }
  });
});

describe('error.data._meta', () => {
  /** Turns the server's answer to `demo/fail` into any error. */
  const failing = (error: Message): ServerLayer =>
    serverHooks({ answer: (message) => ('error' in message ? { ...message, error } : message) });
  const demo = (cell: Cell, error: Message, client: Layers = {}): Promise<any> =>
    on(cell, { ...client, server: failing(error) }, (journey) => journey.client.request('demo/fail', {}).catch(errorOf));
  const stamp = { 'example.test/key': 1 };

  test('it reaches the caller with a code that the SDK does not know', async () => {
    for (const cell of ONE_OF_EACH) {
      const error = await demo(cell, { code: -32050, message: 'no', data: { _meta: stamp } });
      expect(error.data).toEqual({ _meta: stamp });
    }
  });

  const TYPED = [
    { code: -32002, data: { uri: 'note://x' }, type: 'ResourceNotFoundError' },
    { code: -32021, data: { requiredCapabilities: { sampling: {} } }, type: 'MissingRequiredClientCapabilityError' },
    { code: -32022, data: { supported: ['2026-07-28'], requested: 'x' }, type: 'UnsupportedProtocolVersionError' },
    { code: -32042, data: { elicitations: [] }, type: 'UrlElicitationRequiredError' },
  ];
  test.for(TYPED)(
    'v2 drops it with $code, which it rebuilds as $type; the hook still sees it',
    async ({ code, data, type }, { expect }) => {
      const seen: Message[] = [];
      const looking = clientHooks({ answer: (message) => (seen.push(message), message) });
      const error = await demo(memory('v2-modern', 'v2'), { code, message: 'no', data: { ...data, _meta: stamp } }, looking);
      expect(error).toMatchObject({ class: type, data });
      expect(error.data).not.toHaveProperty('_meta');
      expect(seen.at(-1)!['error'].data._meta).toEqual(stamp);
    },
  );
  test('v1 drops it with -32042 only', async () => {
    for (const { code, data } of TYPED) {
      const error = await demo(memory('v1', 'v1'), { code, message: 'no', data: { ...data, _meta: stamp } });
      expect('_meta' in error.data).toBe(code !== -32042);
    }
  });

  test('it turns "resource not found" into a plain error, and the client side can undo that', async () => {
    const notFound = { code: -32602, message: 'Resource not found: note://x', data: { uri: 'note://x' } };
    const stamped = { ...notFound, data: { ...notFound.data, _meta: stamp } };
    const cell = memory('v2-modern', 'v2');
    expect(await demo(cell, notFound)).toMatchObject({ class: 'ResourceNotFoundError' });
    expect(await demo(cell, stamped)).toMatchObject({ class: 'ProtocolError' });
    const restoring = clientHooks({ answer: (message) => (message['error'] === undefined ? message : { ...message, error: notFound }) });
    expect(await demo(cell, stamped, restoring)).toMatchObject({ class: 'ResourceNotFoundError' });
  });
});

test('unknown _meta keys of any spelling survive in both directions on every SDK', async () => {
  const KEYS = ['example.test/key', 'bare', 'io.modelcontextprotocol/unheard-of', 'traceparent', 'a/b'];
  const add = Object.fromEntries(KEYS.map((key) => [key, { of: key }]));
  for (const cell of ONE_OF_EACH) {
    const server = serverHooks({
      answer: (message: any) => ({ ...message, result: { ...message.result, _meta: { ...message.result?._meta, ...add } } }),
    });
    await on(cell, { ...clientHooks({ request: (message) => meta(message, add) }), server }, async ({ client }) => {
      const result = await client.callTool({ name: 'meta', arguments: {} });
      expect(JSON.parse(textOf(result))).toMatchObject(add);
      expect(result['_meta']).toMatchObject(add);
    });
  }
});

describe('each leg and each page is its own request', () => {
  test('a retry after input_required carries the values of that moment, not those from before the question', async () => {
    let state = 'before';
    await on(
      memory('v2-modern', 'v2'),
      clientHooks({ request: (message) => meta(message, { 'example.test/state': state }) }),
      async ({ client, wire }) => {
        client.onElicit(() => {
          state = 'after';
          return { action: 'accept', content: { colour: 'blue' } };
        });
        await client.callTool({ name: 'ask', arguments: {} });
        const legs = wire().sent.filter(({ method }) => method === 'tools/call');
        expect(legs.map(({ params }) => params._meta['example.test/state'])).toEqual(['before', 'after']);
      },
    );
  });

  test('v2 keeps the _meta of the first page only; the hook sees every page', async () => {
    let page = 0;
    const numbering = serverHooks({
      answer: (message: any, exchange) =>
        exchange?.method === 'tools/list' ? { ...message, result: { ...message.result, _meta: { 'example.test/page': ++page } } } : message,
    });
    const seen: unknown[] = [];
    const looking = clientHooks({
      answer: (message: any, exchange) => (
        exchange?.method === 'tools/list' && seen.push(message.result._meta['example.test/page']),
        message
      ),
    });
    await on(memory('v2-modern', 'v2'), { ...looking, server: numbering }, async ({ client }) => {
      expect((await client.sdk.listTools())._meta).toMatchObject({ 'example.test/page': 1 });
      expect(seen).toEqual([1, 2, 3]);
    });
  });
});

test('AsyncLocalStorage of the caller reaches the hook across the awaits of both SDKs', async () => {
  const storage = new AsyncLocalStorage<string>();
  for (const cell of [...ONE_OF_EACH, ...ONE_OF_EACH.map((one) => ({ ...one, transport: 'http-sse' as const }))]) {
    const heard: unknown[] = [];
    const hooks: Hooks = {
      request: (message) => (message['method'] === 'tools/call' ? meta(message, { 'example.test/who': storage.getStore() }) : message),
    };
    await on(cell, clientHooks(hooks), async ({ client }) => {
      const answers = await Promise.all(
        ['ada', 'alan'].map((who) => storage.run(who, () => client.callTool({ name: 'meta', arguments: {} }))),
      );
      heard.push(...answers.map((answer) => JSON.parse(textOf(answer))['example.test/who']));
    });
    expect(heard).toEqual(['ada', 'alan']);
  }
});

describe('headers', () => {
  /** Returns the raw request headers that arrive at a server without useful answers. */
  async function arriving(act: (url: URL) => Promise<unknown>): Promise<IncomingHttpHeaders[]> {
    const seen: IncomingHttpHeaders[] = [];
    const http = createServer((request, response) => {
      seen.push(request.headers);
      response.writeHead(202).end();
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const { port } = http.address() as { port: number };
    await act(new URL(`http://127.0.0.1:${port}/mcp`));
    await new Promise((resolve) => http.close(resolve));
    return seen;
  }
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: { [keys.ACCEPT_LANGUAGE]: 'fr-CH, fr;q=0.9' } } };
  const sendBy = (kind: ClientKind, prepare: (transport: any) => any, options?: object) => (url: URL) => {
    const transport = prepare(
      httpTransport(kind, url, (to, init) =>
        fetch(to, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), connection: 'close' } }),
      ),
    );
    return transport.start().then(() => transport.send(request, options));
  };
  const languages = async (act: (url: URL) => Promise<unknown>): Promise<unknown> =>
    (await arriving(act)).map((headers) => headers['accept-language']);

  test("Node's fetch sends `Accept-Language: *` by default", async () => {
    expect(await languages((url) => fetch(url, { method: 'POST', body: '{}', headers: { connection: 'close' } }))).toEqual(['*']);
  });
  test('v2 takes headers with a message, v1 ignores them', async () => {
    const options = { headers: { 'accept-language': 'ru' } };
    expect(await languages(sendBy('v2-modern', (transport) => transport, options))).toEqual(['ru']);
    expect(await languages(sendBy('v1', (transport) => transport, options))).toEqual(['*']);
  });
  test.for(['v1', 'v2-modern'] as const)('LANG-40: the hook sets exactly the header that _meta asks for, %s', async (kind, { expect }) => {
    expect(await languages(sendBy(kind, (transport) => hookTransport(transport, {})))).toEqual(['fr-CH, fr;q=0.9']);
  });
  test.for(['v1', 'v2-modern'] as const)(
    'LANG-40: fetch alone sets it too, for clients that offer nothing else, %s',
    async (kind, { expect }) => {
      const act = (url: URL): Promise<unknown> => {
        const transport = httpTransport(
          kind,
          url,
          hookFetch((to, init) => fetch(to, init)),
        );
        return transport.start().then(() => transport.send(request));
      };
      expect(await languages(act)).toEqual(['fr-CH, fr;q=0.9']);
    },
  );
  test('if v1 offers no fetch, the preference is left out and reported, since it would be refused beside `*`', async () => {
    const issues: Issue[] = [];
    const bodies: any[] = [];
    const closed = (transport: any): any => {
      const base = transport._fetch;
      delete transport._fetch;
      const hooked = hookTransport(transport, { onIssue: (issue) => issues.push(issue) });
      transport._fetch = (url: URL, init: RequestInit) => (bodies.push(JSON.parse(init.body as string)), base(url, init));
      return hooked;
    };
    expect(await languages(sendBy('v1', closed))).toEqual(['*']);
    expect(bodies[0].params?._meta ?? {}).not.toHaveProperty(keys.ACCEPT_LANGUAGE);
    expect(issues).toEqual([expect.objectContaining({ concern: 'language', key: keys.ACCEPT_LANGUAGE })]);
  });
});

describe('the identity of a peer', () => {
  test("connect({ prior }) sends no discover: the capabilities are the client's, not on the wire", async () => {
    const cell = memory('v2-modern', 'v2');
    const discover = await on(cell, {}, ({ client }) => client.sdk.getDiscoverResult());
    const connect = (Client: any): any =>
      class extends Client {
        connect(transport: unknown, options: object): unknown {
          return super.connect(transport, { ...options, prior: { kind: 'modern', discover } });
        }
      };
    await on(
      cell,
      { client: { classOf: connect, transport: (transport) => hookTransport(transport as never, {}) } },
      async ({ client, wire }) => {
        await client.callTool({ name: 'echo', arguments: { text: 'x' } });
        expect(wire().sent.map(({ method }) => method)).toEqual(['tools/call']);
        expect(client.sdk.getServerCapabilities()).toMatchObject({ tools: { listChanged: true } });
      },
    );
  });

  test('legacy HTTP without sessions: the server of a call has never seen initialize', async () => {
    const seen = new Map<object, string[]>();
    const server: ServerLayer = {
      server: (target) =>
        hookServer(target, (transport) => {
          const methods: string[] = [];
          seen.set(transport, methods);
          hookTransport(transport, { request: (message) => (methods.push(message['method'] as string), message) });
        }),
    };
    await on({ client: 'v2-legacy', server: 'v2', transport: 'http-sse' }, { server }, async ({ client }) => {
      await client.callTool({ name: 'echo', arguments: { text: 'x' } });
      expect([...seen.values()].filter((methods) => methods.length > 0)).toEqual([['initialize'], ['tools/call']]);
    });
  });
});

test('per-request capabilities without a protocol version pass both SDKs; other implementations refuse them, so they need the version', async () => {
  const reserved = { 'io.modelcontextprotocol/clientCapabilities': { sampling: {} } };
  for (const cell of [memory('v1', 'v1'), memory('v2-legacy', 'v2'), memory('v2-legacy', 'wired')]) {
    await on(cell, clientHooks({ request: (message) => meta(message, reserved) }), async ({ client }) => {
      expect(textOf(await client.callTool({ name: 'echo', arguments: { text: 'fine' } }))).toBe('fine');
    });
  }
});

test('connections that share their hooks and their ids keep their exchanges apart', async () => {
  const seen: unknown[] = [];
  const hooks: Hooks = {
    answer: (message: any, exchange: any) => {
      const question = exchange?.request.params?.arguments?.text;
      if (question !== undefined) seen.push([exchange.id, question, message.result.content[0].text]);
      return message;
    },
  };
  const journeys = await Promise.all([open(memory('v1', 'v1'), clientHooks(hooks)), open(memory('v1', 'v2'), clientHooks(hooks))]);
  try {
    await Promise.all(journeys.map(({ client }, n) => client.callTool({ name: 'echo', arguments: { text: `to ${n}` } })));
    expect(seen.sort()).toEqual([
      [1, 'to 0', 'to 0'],
      [1, 'to 1', 'to 1'],
    ]);
  } finally {
    await Promise.all(journeys.map((journey) => journey.close()));
  }
});

describe('a filtered list is no access control', () => {
  const hiding = (message: any): Message =>
    message.result?.tools
      ? { ...message, result: { ...message.result, tools: message.result.tools.filter(({ name }: Message) => name !== 'echo') } }
      : message;
  const refusing = (message: any): Message => {
    if (message.params?.name === 'echo') throw new ContextError('missing-capability', { requiredCapabilities: { sampling: {} } });
    return message;
  };
  test.for(ONE_OF_EACH)('a hidden tool still runs, unless the call is refused as well, $client', async (cell, { expect }) => {
    const call = ({ client }: Journey): Promise<unknown> => client.callTool({ name: 'echo', arguments: { text: 'ran' } }).catch(errorOf);
    await on(cell, { server: serverHooks({ answer: hiding }) }, async (journey) => {
      expect((await journey.client.allTools()).map(({ name }) => name)).not.toContain('echo');
      expect(await call(journey)).toMatchObject({ content: [{ text: 'ran' }] });
    });
    await on(cell, { server: serverHooks({ answer: hiding, request: refusing }) }, async (journey) => {
      expect(await call(journey)).toMatchObject({ code: -32021, data: { requiredCapabilities: { sampling: {} } } });
    });
  });
});

describe('slow hooks', () => {
  const later = <T>(value: T, turns: number): Promise<T> =>
    new Promise((resolve) => {
      const wait = (left: number): void => {
        if (left === 0) resolve(value);
        else setImmediate(wait, left - 1);
      };
      wait(turns);
    });

  const BOTH = ONE_OF_EACH.flatMap((cell) => (['client', 'server'] as const).map((side) => ({ ...cell, side })));
  const hooksOn = (side: 'client' | 'server', hooks: Hooks): Layers =>
    side === 'client' ? clientHooks(hooks) : { server: serverHooks(hooks) };

  test.for(BOTH)(
    'a cancellation does not overtake the request it cancels, $client, hook on the $side',
    async ({ side, ...cell }, { expect }) => {
      const thinking = deferred<unknown>();
      const slowly: Hooks = {
        request: (message: any) => {
          if (message.params?.name !== 'slow') return message;
          thinking.resolve(undefined);
          return later(message, 5);
        },
      };
      await on(cell, hooksOn(side, slowly), async ({ client, transport, wire }) => {
        const giveUp = new AbortController();
        const slow = client.callTool({ name: 'slow', arguments: { key: 'a' } }, { signal: giveUp.signal }).catch(errorOf);
        await thinking.promise;
        giveUp.abort();
        await slow;
        await later(undefined, 10);
        const order = wire().sent.filter(({ method, params }) => method === 'notifications/cancelled' || params?.name === 'slow');
        // A call that is aborted before it left is never sent.
        expect(order.map(({ method }) => method)).toEqual(side === 'client' ? [] : ['tools/call', 'notifications/cancelled']);
        expect(pendingOf(transport)).toBe(0);
      });
    },
  );

  const counts = async (side: 'client' | 'server', cell: Cell): Promise<unknown[]> => {
    const seen: unknown[] = [];
    let turns = 8;
    await on(cell, hooksOn(side, { notification: (message) => later(message, turns--) }), ({ client }) =>
      client.callTool({ name: 'count', arguments: { to: 3 } }, { onprogress: ({ progress }) => seen.push(progress) }),
    );
    return seen;
  };
  test.for(ONE_OF_EACH)('progress that a slow hook of the server holds comes before the answer, $client', async (cell, { expect }) => {
    expect(await counts('server', cell)).toEqual([1, 2, 3]);
  });
  test.for(ONE_OF_EACH)('progress that a slow hook of the client holds comes before the answer, $client', async (cell, { expect }) => {
    expect(await counts('client', cell)).toEqual([1, 2, 3]);
  });
});

describe('a fault of a hook', () => {
  const broken: Hooks = {
    request: () => {
      throw new Error('request');
    },
    answer: () => Promise.reject(new Error('answer')),
    notification: () => {
      throw new Error('notification');
    },
    observers: new Set([
      () => {
        throw new Error('observer');
      },
    ]),
  };
  test.for(ONE_OF_EACH)('a fault never breaks a call, and is reported, $client', async (cell, { expect }) => {
    const faults = new Set<string>();
    const hooks: Hooks = { ...broken, onFault: (error) => faults.add((error as Error).message) };
    await on(cell, { ...clientHooks(hooks), server: serverHooks(hooks) }, async ({ client }) => {
      expect(textOf(await client.callTool({ name: 'echo', arguments: { text: 'fine' } }))).toBe('fine');
      expect(faults).toEqual(
        new Set(cell.client === 'v2-modern' ? ['request', 'answer', 'observer'] : ['request', 'answer', 'notification', 'observer']),
      );
    });
  });
});

describe('batches of revision 2025-03-26', () => {
  const batch = [
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { text: 'one' } } },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'meta', arguments: {} } },
  ];
  test.for(['v1', 'wired'] as const)('batches pass a hooked %s server, and each message in one is handled', async (kind, { expect }) => {
    const post = async (layer: ServerLayer): Promise<unknown> => {
      const served = await serveHttp(kind, { json: true, layer });
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const initialize = {
        jsonrpc: '2.0',
        id: 0,
        method: 'initialize',
        params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
      };
      const first = await fetch(served.url, { method: 'POST', headers, body: JSON.stringify(initialize) });
      const session = { ...headers, 'mcp-session-id': first.headers.get('mcp-session-id')!, 'mcp-protocol-version': '2025-03-26' };
      const answers = await fetch(served.url, { method: 'POST', headers: session, body: JSON.stringify(batch) });
      const body: unknown = await answers.json();
      await served.close();
      return body;
    };
    const stamping: Hooks = { request: (message) => meta(message, { 'example.test/key': 1 }) };
    const bare = await post({});
    expect(await post(serverHooks({}))).toEqual(bare);
    expect(await post(serverHooks(stamping))).toMatchObject([
      { id: 1 },
      { id: 2, result: { content: [{ text: '{"example.test/key":1}' }] } },
    ]);
  });

  test('an edge sees each message of a batch', async () => {
    const seen: unknown[] = [];
    const handler = edge(async (_request: Request, options?: { parsedBody?: unknown }) => Response.json(options?.parsedBody), {
      message: (message) => (seen.push(message['id']), message),
    });
    const response = await handler(
      new Request('http://127.0.0.1/', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(batch) }),
    );
    expect(await response.json()).toEqual(batch);
    expect(seen).toEqual([1, 2]);
  });
});
