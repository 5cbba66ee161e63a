import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ContextError } from '../wire/errors.js';
import { edge, type EdgeHooks, type FetchHandler } from './edge.js';
import { hookTransportEdge } from './transportEdge.js';
import { hookTransport } from './hook.js';
import { nodeEdge, type NodeHandler } from './node/edge.js';

const message = { jsonrpc: '2.0', id: 5, method: 'tools/list', params: {} };
const json = { 'content-type': 'application/json' };
const post = (body: unknown = message, headers: Record<string, string> = json): Request =>
  new Request('http://a.example/mcp', { method: 'POST', body: JSON.stringify(body), headers });

const served = (handler: FetchHandler, given: EdgeHooks, request: Request): Promise<Response> =>
  Promise.resolve(edge(handler, given)(request));

/** Records what it saw and adds to it. */
const seen: unknown[] = [];
const hooks: EdgeHooks = {
  head: (head, body) => {
    seen.push([head.status, head.get('Vary'), (body as { id?: unknown } | undefined)?.id]);
    head.set('Vary', [head.get('vary'), 'Accept-Language'].filter(Boolean).join(', '));
    if (head.get('content-type')?.includes('x-fail')) head.status = 418;
  },
};
afterEach(() => void seen.splice(0));

describe('the head of an answer from a fetch-shaped handler', () => {
  it('a hook may change the head, in addition to what is there', async () => {
    const response = await served(() => new Response('{}', { headers: { vary: 'Origin' } }), hooks, post());
    expect(response.headers.get('vary')).toBe('Origin, Accept-Language');
    expect(seen).toEqual([[200, 'Origin', 5]]);
  });

  it('the head can be changed if the headers are immutable, together with the status', async () => {
    const frozen = await fetch('data:text/x-fail,{"a":1}');
    expect(() => {
      frozen.headers.set('vary', 'x');
    }).toThrow();
    const response = await served(() => frozen, hooks, post());
    expect([response.status, response.headers.get('vary'), await response.text()]).toEqual([418, 'Accept-Language', '{"a":1}']);
  });

  it('a hook gets the head of refusals too', async () => {
    const refuse: EdgeHooks = {
      ...hooks,
      message: () => {
        throw new ContextError('language-mismatch');
      },
    };
    const response = await served(() => new Response(), refuse, post());
    expect([response.status, response.headers.get('vary')]).toEqual([400, 'Accept-Language']);
  });

  it('a hook that fails leaves the head unchanged, and the fault is reported', async () => {
    const faults: unknown[] = [];
    const broken: EdgeHooks = { head: fail, onFault: (error) => faults.push(error) };
    expect((await served(() => new Response('x', { status: 201 }), broken, post())).status).toBe(201);
    expect(faults).toHaveLength(1);
  });

  it('a hook is not called for a body of another type: the SDK refuses it', async () => {
    const handler = (request: Request): Response => new Response(String(request.bodyUsed), { status: 415 });
    const response = await served(handler, hooks, post(message, { 'content-type': 'text/plain' }));
    expect([response.status, await response.text(), seen]).toEqual([415, 'false', []]);
  });
});

function fail(): never {
  throw new TypeError('no');
}

describe('the head of an answer of node:http', () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  async function ask(handler: NodeHandler, given: EdgeHooks = hooks): Promise<Response> {
    const listener = nodeEdge(handler, given);
    server = createServer((request, response) => void listener(request, response));
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
      method: 'POST',
      body: JSON.stringify(message),
      headers: json,
    });
  }

  it.each<[string, NodeHandler]>([
    ['setHeader and end', (_request, response) => void response.setHeader('Vary', 'Origin').end('{}')],
    ['writeHead with an object', (_request, response) => void response.writeHead(200, { vary: 'Origin' }).end('{}')],
    ['writeHead with a flat list', (_request, response) => void response.writeHead(200, ['Vary', 'Origin']).end('{}')],
    ['writeHead with a reason', (_request, response) => void response.writeHead(200, 'Fine', { VARY: 'Origin' }).end('{}')],
    ['writeHead without a reason', (_request, response) => void response.writeHead(200, undefined, { vary: 'Origin' }).end('{}')],
    ['write without a head', (_request, response) => (response.setHeader('vary', ['Origin']), response.write('{'), void response.end('}'))],
    [
      'an informational status first',
      (_request, response) => (response.writeProcessing(), void response.setHeader('Vary', 'Origin').end('{}')),
    ],
  ])('a hook may change the head: %s', async (_, handler) => {
    const response = await ask(handler);
    expect([response.status, response.headers.get('vary')]).toEqual([200, 'Origin, Accept-Language']);
    expect(seen).toEqual([[200, 'Origin', 5]]);
  });

  it('the head of a GET is changed if it is a stream, and otherwise left alone', async () => {
    const got = async (handler: NodeHandler): Promise<Response> => {
      const listener = nodeEdge(handler, hooks);
      server = createServer((request, response) => void listener(request, response));
      await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
      return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    };
    const headed =
      (type: string): NodeHandler =>
      (_request, response) => {
        response.setHeader('Vary', 'Origin').setHeader('Cache-Control', 'max-age=60');
        response.writeHead(200, undefined, { Vary: 'Accept', 'Cache-Control': 'private', 'Content-Type': type }).end();
      };
    const page = await got(headed('text/html'));
    expect([page.headers.get('vary'), page.headers.get('cache-control'), seen]).toEqual(['Accept', 'private', []]);
    server?.close();
    const stream = await got(headed('text/event-stream'));
    expect([stream.headers.get('vary'), seen.length]).toEqual(['Origin, Accept, Accept-Language', 1]);
  });

  it('the status changes before it leaves, once', async () => {
    const response = await ask((_request, response) => void response.writeHead(200, { 'content-type': 'text/x-fail' }).end('{}'));
    expect([response.status, seen.length]).toEqual([418, 1]);
  });

  it('a hook gets the head of refusals too', async () => {
    const refuse: EdgeHooks = {
      ...hooks,
      message: () => {
        throw new ContextError('language-mismatch');
      },
    };
    expect((await ask(() => undefined, refuse)).headers.get('vary')).toBe('Accept-Language');
  });

  it('the reason of a status is kept if the status stays, and only then', async () => {
    const fine = await ask((_request, response) => void response.writeHead(200, 'Fine', { vary: 'Origin' }).end('{}'));
    expect([fine.status, fine.statusText]).toEqual([200, 'Fine']);
    server?.close();
    const changed = await ask((_request, response) => void response.writeHead(200, 'Fine', { 'content-type': 'text/x-fail' }).end('{}'));
    expect([changed.status, changed.statusText]).toEqual([418, "I'm a Teapot"]);
  });

  it.each([
    ['private', 'max-age=60, private'],
    ['No-Store', 'max-age=60, No-Store'],
    ['max-age=5', 'max-age=5'],
  ])('LANG-63: Cache-Control: %s is added to an earlier header only if that is about privacy', async (given, expected) => {
    const response = await ask((_request, answer) => {
      answer.setHeader('Cache-Control', 'max-age=60');
      answer.writeHead(200, { 'cache-control': given }).end('{}');
    });
    expect(response.headers.get('cache-control')).toBe(expected);
  });

  it('the body is also found under request.body and, behind the next of Express, again in the stream', async () => {
    const listener = nodeEdge(async (request, response, body, next) => {
      let text = '';
      for await (const chunk of request) text += new TextDecoder().decode(chunk as Uint8Array);
      response.end(JSON.stringify([(request as { body?: unknown }).body, body, typeof next, JSON.parse(text)]));
    }, {});
    server = createServer((request, response) => void listener(request, response, () => undefined));
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(message), headers: json });
    expect(await response.json()).toEqual([message, message, 'function', message]);
  });
});

describe('the HTTP methods of a transport', () => {
  const shell = { send: async () => undefined, close: async () => undefined };

  it('they get the edge once, for fetch and for Node', async () => {
    const transport = {
      ...shell,
      handleRequest: (_request: Request, options?: { parsedBody?: unknown }) => Response.json(options?.parsedBody),
    };
    const adding: EdgeHooks = { ...hooks, message: (given) => ({ ...given, n: Number(given['n'] ?? 0) + 1 }) };
    hookTransportEdge(transport, adding);
    hookTransportEdge(transport, adding);
    const response = await (transport.handleRequest as unknown as (request: Request) => Promise<Response>)(post());
    expect([await response.json(), response.headers.get('vary')]).toEqual([{ ...message, n: 1 }, 'Accept-Language']);
  });

  it('the v2 transport that serves one request changes the head and nothing else', async () => {
    const transport = { ...shell, handleMessage: async (given: unknown) => Response.json(given) };
    hookTransportEdge(transport, { ...hooks, message: fail });
    const response = await transport.handleMessage(message);
    expect([await response.json(), response.headers.get('vary')]).toEqual([message, 'Accept-Language']);
  });

  it('the old SSE transport has its edge on handlePostMessage: its handleMessage gives no answer', async () => {
    const taken: unknown[] = [];
    const transport = {
      ...shell,
      handlePostMessage: async () => undefined,
      handleMessage: async (given: unknown): Promise<void> => void taken.push(given),
    };
    hookTransportEdge(transport, hooks);
    await expect(transport.handleMessage(message)).resolves.toBeUndefined();
    expect([taken, seen]).toEqual([[message], []]);
  });

  it('a transport without such methods is left alone', () => {
    expect(() => {
      hookTransportEdge({ ...shell }, hooks);
    }).not.toThrow();
  });
});

describe('an incoming request', () => {
  const pair = () => {
    const sent: unknown[] = [];
    const transport: { send(message: unknown): Promise<void>; close(): Promise<void>; onmessage?: (message: unknown) => void } = {
      send: async (given) => void sent.push(given),
      close: async () => undefined,
    };
    return { transport, sent };
  };

  it('a hook may return a result instead, which is the answer; nothing below sees the request', () => {
    const { transport, sent } = pair();
    hookTransport(transport, {
      request: (given) => ({ jsonrpc: '2.0', id: given['id'], result: { tools: [] } }),
      answer: (given) => ({ ...given, stamped: true }),
    });
    transport.onmessage = fail;
    transport.onmessage(message);
    expect(sent).toEqual([{ jsonrpc: '2.0', id: 5, result: { tools: [] }, stamped: true }]);
  });

  it('the request is served inside what the hook puts around it', () => {
    const { transport } = pair();
    const told: string[] = [];
    hookTransport(transport, {
      serve: (exchange, deliver) => {
        told.push(`before ${exchange.method}`);
        deliver();
        told.push('after');
      },
    });
    transport.onmessage = () => void told.push('served');
    transport.onmessage(message);
    transport.onmessage({ jsonrpc: '2.0', method: 'notifications/x' });
    expect(told).toEqual(['before tools/list', 'served', 'after', 'served']);
  });
});
