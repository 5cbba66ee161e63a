import { createServer, request as httpRequest, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { failingThenable, thenable } from '../../../../test/support/thenable.js';
import { ContextError } from '../wire/errors.js';
import { Bodies, isDeeperThan, parseBody } from './body.js';
import type { StartTimer } from './runtime.js';
import { edge, type EdgeHooks, type FetchHandler } from './edge.js';
import { nodeEdge } from './node/edge.js';

const message = { jsonrpc: '2.0', id: 5, method: 'tools/list', params: {} };
const post = (body: string): Request =>
  new Request('http://a.example/mcp', { method: 'POST', body, headers: { 'content-type': 'application/json' } });

/** A timer that elapses when the test says so. */
function handTimer(): { start: StartTimer; elapse: () => void; running: () => number } {
  const running = new Set<() => void>();
  const start: StartTimer = (_, elapsed) => {
    running.add(elapsed);
    return () => void running.delete(elapsed);
  };
  return {
    start,
    elapse: () => {
      for (const elapsed of running) elapsed();
    },
    running: () => running.size,
  };
}
/** Lets everything run that waits for no timer and no socket. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A handler that returns what it was given. */
const echo: FetchHandler = async (request, options) =>
  Response.json({ parsed: options?.parsedBody ?? null, text: request.bodyUsed ? null : await request.text() });

describe('the fetch-shaped edge', () => {
  it('the fetch edge parses the body once and passes it on as parsedBody', async () => {
    const response = await edge(echo, {})(post(JSON.stringify(message)));
    expect(await response.json()).toEqual({ parsed: message, text: null });
  });

  it('the fetch edge uses a body that was parsed in front of it', async () => {
    const response = await edge(echo, { message: (given) => ({ ...given, seen: true }) })(post('not read'), { parsedBody: message });
    expect(await response.json()).toMatchObject({ parsed: { ...message, seen: true } });
  });

  it.each([
    ['null that was parsed in front of it', null, 200],
    ['a body that can no longer be read', undefined, 400],
  ])('answers %s', async (_, parsedBody, status) => {
    const request = post('null');
    await request.text();
    expect((await edge(echo, {})(request, { parsedBody })).status).toBe(status);
  });

  it('the refusal of a body that can no longer be read names the mistake of the server', async () => {
    const request = post('{}');
    await request.text();
    const { error } = (await (await edge(echo, {})(request)).json()) as { error: { message: string } };
    expect(error.message).toBe('Parse error: code in front has read the body; pass it on as parsedBody');
  });

  it('a body that is given as null is read if it was not read before', async () => {
    const response = await edge(echo, {})(post(JSON.stringify(message)), { parsedBody: null });
    expect(await response.json()).toMatchObject({ parsed: message });
  });

  it('the request is rebuilt for a handler that reads it itself', async () => {
    const response = await edge(echo, { message: (given) => ({ ...given, seen: true }) }, { rebuild: true })(post(JSON.stringify(message)));
    expect(await response.json()).toMatchObject({ text: JSON.stringify({ ...message, seen: true }) });
  });

  it('the rebuilt request has no length of the old body, and its sender can still abort it', async () => {
    const text = JSON.stringify(message);
    const gone = new AbortController();
    const headers = { 'content-type': 'application/json', 'content-length': String(text.length), 'x-own': 'kept' };
    let seen: Request | undefined;
    const handler: FetchHandler = (request) => ((seen = request), new Response());
    const growing: EdgeHooks = { message: (given) => ({ ...given, seen: true }) };
    await edge(handler, growing, { rebuild: true })(
      new Request('http://a.example/mcp', { method: 'POST', body: text, headers, signal: gone.signal }),
    );
    expect([seen?.headers.get('content-length'), seen?.headers.get('x-own'), seen?.signal.aborted]).toEqual([null, 'kept', false]);
    gone.abort();
    expect(seen?.signal.aborted).toBe(true);
  });

  it('passes each message of a batch, and what is not a message, to the handler', async () => {
    const hooks: EdgeHooks = { message: (given) => ({ ...given, seen: true }) };
    const batch = await edge(echo, hooks)(post(JSON.stringify([message, 7])));
    expect(await batch.json()).toMatchObject({ parsed: [{ ...message, seen: true }, 7] });
  });

  it('leaves other methods alone', async () => {
    const seen: unknown[] = [];
    const handler: FetchHandler = (request, options) => (seen.push(request.method, options), new Response());
    await edge(handler, {})(new Request('http://a.example/mcp'));
    expect(seen).toEqual(['GET', undefined]);
  });

  it.each([
    ['413 for a body that is too large', JSON.stringify({ ...message, x: 'y'.repeat(2000) }), 413, -32600, null],
    ['400 for one nested too deeply', `${'['.repeat(20)}${']'.repeat(20)}`, 400, -32600, null],
    ['400 for one that is no JSON', '{"jsonrpc"', 400, -32700, null],
    ['400 for an empty one', '', 400, -32700, null],
    ['the status of a refusal, with the id', JSON.stringify(message), 400, -32020, 5],
  ])('answers %s, and the handler never runs', async (_, body, status, code, id) => {
    const never: FetchHandler = () => {
      throw new Error('must not run');
    };
    const hooks: EdgeHooks = {
      limits: { size: 1000, depth: 16 },
      message: () => {
        throw new ContextError('language-mismatch', { hint: 'case' });
      },
    };
    const response = await edge(never, hooks)(post(body));
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id, error: { code } });
  });

  it.each(['application/json\u00a0', 'APPLICATION/JSON ; charset=utf-8', 'application/json\u00a0;x', 'application/vnd.x+json'])(
    'the limits apply to every media type that an SDK might take for JSON: %j',
    async (type) => {
      const request = new Request('http://a.example/mcp', { method: 'POST', body: 'x'.repeat(3000), headers: { 'content-type': type } });
      expect((await edge(echo, { limits: { size: 1000 } })(request)).status).toBe(413);
    },
  );

  it('a body that ends early is answered with 400', async () => {
    const body = new ReadableStream({
      pull(controller) {
        controller.error(new Error('gone'));
      },
    });
    const headers = { 'content-type': 'application/json' };
    const response = await edge(
      echo,
      {},
    )(new Request('http://a.example/mcp', { method: 'POST', body, headers, duplex: 'half' } as RequestInit));
    expect([response.status, await response.json()]).toMatchObject([400, { id: null, error: { code: -32700 } }]);
  });

  it('an endless body is not read further once it is too large', async () => {
    let pulled = 0;
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled++;
        controller.enqueue(new Uint8Array(512));
      },
      cancel: () => {
        cancelled = true;
      },
    });
    const request = new Request('http://a.example/mcp', { method: 'POST', body: endless, duplex: 'half' } as RequestInit);
    const response = await edge(echo, { limits: { size: 2048 } })(request);
    expect(response.status).toBe(413);
    expect(pulled).toBeLessThan(10);
    // The sender is told to stop.
    expect(cancelled).toBe(true);
  });

  it('a hook may change the response, and a fault in a hook changes nothing', async () => {
    const faults: unknown[] = [];
    const broken = (): never => {
      throw new Error('bug');
    };
    const hooks: EdgeHooks = { message: broken, response: broken, onFault: (error) => faults.push(error) };
    const response = await edge(echo, hooks)(post(JSON.stringify(message)));
    expect(await response.json()).toMatchObject({ parsed: message });
    expect(faults).toHaveLength(2);
    const stamped = await edge(echo, { response: (answer) => (answer.headers.set('vary', 'Accept-Language'), answer) })(
      post(JSON.stringify(message)),
    );
    expect(stamped.headers.get('vary')).toBe('Accept-Language');
  });

  it('D-35: a response hook may return a thenable; a rejected one changes nothing', async () => {
    const faults: unknown[] = [];
    const error = new Error('no');
    const through = async (response: () => PromiseLike<Response>): Promise<Response> =>
      edge(echo, { response: response as never, onFault: (fault) => faults.push(fault) })(post(JSON.stringify(message)));
    expect((await through(() => thenable(new Response('mine', { status: 202 })))).status).toBe(202);
    expect((await through(() => failingThenable(error))).status).toBe(200);
    expect(faults).toEqual([error]);
  });

  it('a finished answer is sent, and only messages that passed are asked for', async () => {
    const bytes = new TextEncoder().encode('{"done":true}');
    const bodies: unknown[] = [];
    const hooks: EdgeHooks = {
      message: (given) => ({ ...given, seen: true }),
      finished: (given, about) => (bodies.push(given, about.authInfo), bytes),
      head: (head) => head.set('Vary', 'Accept-Language'),
    };
    const never: FetchHandler = () => {
      throw new Error('must not run');
    };
    const response = await edge(never, hooks)(post(JSON.stringify(message)), { authInfo: 'me' } as object);
    expect([response.status, response.headers.get('content-type'), response.headers.get('vary')]).toEqual([
      200,
      'application/json',
      'Accept-Language',
    ]);
    expect(await response.json()).toEqual({ done: true });
    expect(bodies).toEqual([{ ...message, seen: true }, 'me']);
    const other = await edge(echo, { finished: () => undefined })(post(JSON.stringify(message)));
    expect(await other.json()).toMatchObject({ parsed: message });
    const faults: unknown[] = [];
    const broken = (): never => {
      throw new Error('bug');
    };
    const passed = await edge(echo, { finished: broken, onFault: (error) => faults.push(error) })(post(JSON.stringify(message)));
    expect(await passed.json()).toMatchObject({ parsed: message });
    expect(faults).toHaveLength(1);
  });

  it.each([
    [{ size: 0 }, 'limits.size: expected a positive integer'],
    [{ depth: 1.5 }, 'limits.depth: expected a positive integer'],
    [{ size: Number.NaN }, 'limits.size: expected a positive integer'],
    [{ total: 0 }, 'limits.total: expected a positive integer'],
    [{ time: -1 }, 'limits.time: expected a positive integer'],
    [{ time: 2 ** 31 }, 'limits.time: expected a number of milliseconds'],
    [{ size: 100, total: 99 }, 'limits.total: expected at least limits.size'],
  ])('a wrong limit is an error at construction: %j', (limits, problem) => {
    expect(() => edge(echo, { limits })).toThrow(problem);
    expect(() => nodeEdge(() => undefined, { limits })).toThrow(problem);
  });

  it('a larger limit for one body raises the limit for all, unless that is given too', () => {
    expect(() => edge(echo, { limits: { size: 100 * 1024 * 1024 } })).not.toThrow();
  });

  /** A request whose body arrives when the test says so. */
  function slowPost(): { request: Request; body: ReadableStreamDefaultController<Uint8Array>; cancelled: () => boolean } {
    let body: ReadableStreamDefaultController<Uint8Array> | undefined;
    let cancelled = false;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => void (body = controller),
      cancel: () => void (cancelled = true),
    });
    const request = new Request('http://a.example/mcp', { method: 'POST', body: stream, duplex: 'half' } as RequestInit);
    return { request, body: body!, cancelled: () => cancelled };
  }

  it('requests are answered with 503 while all bodies together are too large, and served again when one has ended', async () => {
    const bodies = new Bodies({ size: 1000, total: 1000 });
    const [one, other] = [edge(echo, { bodies }), edge(echo, { bodies })];
    const slow = slowPost();
    const pending = one(slow.request);
    slow.body.enqueue(new TextEncoder().encode(' '.repeat(900)));
    await settled();
    const text = JSON.stringify({ ...message, x: 'y'.repeat(100) });
    const refused = await other(post(text));
    expect([refused.status, await refused.json()]).toMatchObject([503, { jsonrpc: '2.0', id: null, error: { code: -32603 } }]);
    expect((await other(post('{}'))).status).toBe(200);
    slow.body.enqueue(new TextEncoder().encode('{}'));
    slow.body.close();
    expect([(await pending).status, bodies.held]).toEqual([200, 0]);
    expect((await other(post(text))).status).toBe(200);
  });

  it('a body that does not end in time is answered with 408, its sender is told to stop, and it no longer counts', async () => {
    const timer = handTimer();
    const bodies = new Bodies({}, timer.start);
    const slow = slowPost();
    const pending = edge(echo, { bodies })(slow.request);
    slow.body.enqueue(new Uint8Array(10));
    await settled();
    expect([bodies.held, timer.running()]).toEqual([10, 1]);
    timer.elapse();
    const response = await pending;
    expect([response.status, await response.json()]).toMatchObject([408, { jsonrpc: '2.0', id: null, error: { code: -32600 } }]);
    expect([bodies.held, timer.running(), slow.cancelled()]).toEqual([0, 0, true]);
  });

  it.each<[string, (slow: ReturnType<typeof slowPost>) => void, number]>([
    [
      'breaks off',
      ({ body }) => {
        body.error(new Error('gone'));
      },
      400,
    ],
    [
      'is too large',
      ({ body }) => {
        body.enqueue(new Uint8Array(1000));
      },
      413,
    ],
    [
      'is no JSON',
      ({ body }) => {
        body.close();
      },
      400,
    ],
    [
      'is aborted by its sender',
      ({ body }) => {
        body.error(new DOMException('aborted', 'AbortError'));
      },
      400,
    ],
    [
      'comes as text',
      ({ body }) => {
        body.enqueue('{}' as never);
      },
      400,
    ],
  ])('a body that %s no longer counts and leaves no timer', async (_, end, status) => {
    const timer = handTimer();
    const bodies = new Bodies({ size: 1000, total: 5000 }, timer.start);
    const slow = slowPost();
    const pending = edge(echo, { bodies })(slow.request);
    slow.body.enqueue(new Uint8Array(500));
    await settled();
    expect(bodies.held).toBe(500);
    end(slow);
    expect([(await pending).status, bodies.held, timer.running()]).toEqual([status, 0, 0]);
  });
});

describe('the node:http edge', () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  async function listening(listener: RequestListener): Promise<number> {
    server = createServer(listener);
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  async function exchange(hooks: EdgeHooks, body: string | undefined, parsed?: unknown): Promise<{ status: number; body: string }> {
    const handle = nodeEdge((_request, response, parsedBody) => void response.end(JSON.stringify(parsedBody ?? null)), hooks);
    return answerOf((request, response) => void handle(request, response, parsed), body);
  }

  async function answerOf(listener: RequestListener, body: string | undefined): Promise<{ status: number; body: string }> {
    const port = await listening(listener);
    return new Promise((resolve, reject) => {
      const sent = httpRequest({ port, host: '127.0.0.1', method: body === undefined ? 'GET' : 'POST' }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, body: text });
        });
      });
      sent.on('error', reject).end(body);
    });
  }

  it('the Node edge parses once, calls the hooks, and passes parsedBody on', async () => {
    const { body } = await exchange({ message: (given) => ({ ...given, seen: true }) }, JSON.stringify(message));
    expect(JSON.parse(body)).toEqual({ ...message, seen: true });
  });

  it('the Node edge takes a body that a parser in front has read', async () => {
    expect(JSON.parse((await exchange({}, 'ignored', message)).body)).toEqual(message);
  });

  it('the Node edge sends a finished answer', async () => {
    const finished = (): Uint8Array<ArrayBuffer> => new TextEncoder().encode('{"done":"ü"}');
    expect(await exchange({ finished }, JSON.stringify(message))).toEqual({ status: 200, body: '{"done":"ü"}' });
  });

  it('a body parser of Express 4 behind the Node edge is told that the body was read', async () => {
    const edge = nodeEdge((request, response) => void response.end(String('_body' in request)), {});
    const answer = await answerOf((request, response) => void edge(request, response, () => undefined), 'null');
    expect(answer).toEqual({ status: 200, body: 'true' });
  });

  it('null is a body like any other, also if another edge has read it', async () => {
    const inner = nodeEdge((_request, response, parsed) => void response.end(JSON.stringify([parsed])), {});
    const outer = nodeEdge(inner, {});
    expect(await answerOf((request, response) => void outer(request, response), 'null')).toEqual({ status: 200, body: '[null]' });
  });

  it('a sender who leaves in the middle of a body ends only its own request', async () => {
    let served = 0;
    const listener = nodeEdge(() => void served++, {});
    let ended: (value: unknown) => void;
    const done = new Promise((resolve) => (ended = resolve));
    const port = await listening((request, response) => {
      ended(listener(request, response));
    });
    const socket = connect(port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"json', () =>
      socket.destroy(),
    );
    expect([await done, served]).toEqual([undefined, 0]);
  });

  /** Sends the head and the beginning of a body that does not end by itself. */
  function begin(port: number, body: string): { socket: Socket; answer: Promise<string> } {
    const socket = connect(port, '127.0.0.1');
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n${body}`);
    const answer = new Promise<string>((resolve) => {
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      socket
        .on('error', () => undefined)
        .on('close', () => {
          resolve(text);
        });
    });
    return { socket, answer };
  }
  const until = (isSo: () => boolean): Promise<unknown> => vi.waitUntil(isSo, { interval: 1 });

  it('a body that does not end in time is answered with 408, its connection is closed, and it no longer counts', async () => {
    const timer = handTimer();
    const bodies = new Bodies({}, timer.start);
    const handle = nodeEdge(() => undefined, { bodies });
    const port = await listening((request, response) => void handle(request, response));
    const { answer } = begin(port, '{"json');
    await until(() => bodies.held === 6);
    timer.elapse();
    const text = await answer;
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
    expect(text).toMatch(/\r\nConnection: close\r\n/i);
    expect(JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32600 },
    });
    expect([bodies.held, timer.running()]).toEqual([0, 0]);
  });

  it('requests are answered with 503 while all bodies together are too large, and served again when a sender has left', async () => {
    const timer = handTimer();
    const bodies = new Bodies({ size: 1000, total: 1000 }, timer.start);
    const handle = nodeEdge((_request, response) => void response.end('served'), { bodies });
    const web = edge(echo, { bodies });
    const port = await listening((request, response) => void handle(request, response));
    const first = begin(port, ' '.repeat(900));
    await until(() => bodies.held === 900);
    expect(await begin(port, ' '.repeat(200)).answer).toMatch(/^HTTP\/1\.1 503 /);
    expect((await web(post(JSON.stringify('x'.repeat(200))))).status).toBe(503);
    first.socket.destroy();
    await until(() => bodies.held === 0);
    expect(timer.running()).toBe(0);
    expect((await web(post(JSON.stringify('x'.repeat(200))))).status).toBe(200);
  });

  it('a GET is left alone', async () => {
    expect(await exchange({}, undefined)).toEqual({ status: 200, body: 'null' });
  });

  it.each([
    [413, 'x'.repeat(5000)],
    [400, '['.repeat(300)],
    [400, '{'],
  ])('the Node edge answers %i before anything is parsed', async (status, body) => {
    const answer = await exchange({ limits: { size: 1000 } }, body);
    expect([answer.status, (JSON.parse(answer.body) as { id: unknown }).id]).toEqual([status, null]);
  });

  it.each([
    ['is closed after a body that was not read to its end', 'x'.repeat(5000), 100_000, 'close'],
    ['is used again after a body that was read to its end', '{', 1, 'keep-alive'],
  ])('the connection %s', async (_, body, length, connection) => {
    const handle = nodeEdge(() => undefined, { limits: { size: 1000 } });
    const port = await listening((request, response) => void handle(request, response));
    const told = await new Promise((resolve, reject) => {
      const headers = { 'content-length': length, connection: 'keep-alive' };
      const sent = httpRequest({ port, host: '127.0.0.1', method: 'POST', headers }, (response) => {
        resolve(response.headers.connection);
        sent.destroy();
      });
      sent.on('error', reject).write(body);
    });
    expect(told).toBe(connection);
  });
});

describe('depth before parse', () => {
  it.each([
    ['[[[]]]', 2, true],
    ['[[[]]]', 3, false],
    ['{"a":{"b":[1]}}', 2, true],
    ['"[[[[[[["', 2, false],
    ['{"a":"\\"[[[["}', 2, false],
    ['["\\\\",["\\\\"]]', 2, false],
    ['[][][][][]', 1, false],
  ])('%j deeper than %i: %s', (text, limit, expected) => {
    expect(isDeeperThan(text, limit)).toBe(expected);
  });

  it('a million brackets are refused, not parsed', () => {
    expect(() => parseBody('['.repeat(1_000_000), { depth: 128 })).toThrow(ContextError);
  });
});
