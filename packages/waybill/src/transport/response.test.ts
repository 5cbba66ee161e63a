import { describe, expect, it, vi } from 'vitest';
import { hookFetch, type FetchLike, watchResponses } from './fetch.js';
import { hookTransport } from './hook.js';
import type { Exchange, RequestId, TransportLike } from './types.js';

/** A transport that looks like HTTP to this room: it posts what it sends through its own `fetch`. */
class Http implements TransportLike {
  onmessage?: (message: never) => void;
  onclose?: () => void;
  _fetch: FetchLike | undefined;
  constructor(fetch: FetchLike | undefined) {
    this._fetch = fetch;
  }
  finishAuth(): void {}
  async send(message: never): Promise<void> {
    const response = await this._fetch!('https://a.example/mcp', { method: 'POST', body: JSON.stringify(message) });
    this.onmessage?.((await response.json()) as never);
  }
  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }
}

const answering = (headers: Record<string, string>): FetchLike => {
  return (_url, init) => {
    const { id } = JSON.parse(init?.body as string) as { id: number };
    return Promise.resolve(new Response(JSON.stringify({ jsonrpc: '2.0', id, result: {} }), { headers }));
  };
};

describe('the head of an HTTP response', () => {
  it.each([
    ['a header on a JSON answer', { 'content-type': 'application/json', 'content-language': 'fr' }, { header: 'fr', kind: 'json' }],
    ['none', { 'content-type': 'application/json' }, { header: undefined, kind: 'json' }],
    ['a stream', { 'content-type': 'text/event-stream; charset=utf-8', 'content-language': 'de' }, { header: 'de', kind: 'stream' }],
  ])('the exchange has it when the answer arrives: %s', async (_what, headers, expected) => {
    const transport = new Http(answering(headers));
    const seen: unknown[] = [];
    hookTransport(transport, {
      responses: true,
      answer: (message, exchange) => {
        const { header, kind } = exchange?.response ?? {};
        seen.push({ header, kind });
        return message;
      },
    });
    transport.onmessage = () => undefined;
    await transport.send({ method: 'tools/list', jsonrpc: '2.0', id: 1 } as never);
    expect(seen).toEqual([expected]);
  });

  it('it is not read unless configured', async () => {
    const fetch = answering({ 'content-language': 'fr', 'content-type': 'application/json' });
    const transport = new Http(hookFetch(fetch));
    const before = transport._fetch;
    const seen: (Exchange | undefined)[] = [];
    hookTransport(transport, { answer: (message, exchange) => (seen.push(exchange), message) });
    transport.onmessage = () => undefined;
    await transport.send({ method: 'tools/list', jsonrpc: '2.0', id: 1 } as never);
    expect(seen[0]).not.toHaveProperty('response');
    expect(transport._fetch).toBe(before);
  });

  it.each<[string, unknown, RequestId | undefined]>([
    ['the id last, as the SDKs write it', { method: 'x', params: { id: 9 }, jsonrpc: '2.0', id: 7 }, 7],
    ['the id first', { id: 'a"b', method: 'x', params: { id: 9 } }, 'a"b'],
    ['a text id last', { method: 'x', id: '\\"id":5}' }, '\\"id":5}'],
    ['an id only inside the params', { method: 'x', params: { id: 9 } }, undefined],
    ['an id in the last text', { method: 'x', id: 1, params: { text: '"id":5}' } }, 1],
    ['a batch', [{ method: 'x', id: 3 }], undefined],
    ['no id', { method: 'notifications/x' }, undefined],
    ['an answer of ours, whose id belongs to the peer', { result: {}, jsonrpc: '2.0', id: 3 }, undefined],
    ['an error of ours', { jsonrpc: '2.0', id: 3, error: { code: 1, message: 'x' } }, undefined],
  ])('it belongs to the request whose body was sent: %s', async (_what, body, id) => {
    const told: RequestId[] = [];
    const transport = new Http(() => Promise.resolve(new Response('{}')));
    expect(watchResponses(transport, (found) => told.push(found))).toBe(true);
    await transport._fetch!('https://a.example/mcp', { method: 'POST', body: JSON.stringify(body) });
    expect(told).toEqual(id === undefined ? [] : [id]);
  });

  it('it belongs to no request if the transport has no fetch', () => {
    const bare: TransportLike = { send: () => Promise.resolve(), close: () => Promise.resolve() };
    expect(watchResponses(bare, () => undefined)).toBe(false);
  });
});

describe('the body of a POST', () => {
  const post = async (fetch: FetchLike): Promise<number> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const parse = vi.spyOn(JSON, 'parse');
    await fetch('https://a.example/mcp', { method: 'POST', body });
    const count = parse.mock.calls.length;
    parse.mockRestore();
    return count;
  };
  const rewrite = { inject: (message: object) => ({ ...message, params: { added: true } }) };

  it.each([
    [
      'a watcher around a rewriting fetch',
      (http: Http) => ((http._fetch = hookFetch(http._fetch, rewrite)), watchResponses(http, () => undefined)),
    ],
    [
      'a rewriting fetch around a watcher',
      (http: Http) => (watchResponses(http, () => undefined), (http._fetch = hookFetch(http._fetch, rewrite))),
    ],
    ['two rewriting fetches', (http: Http) => (http._fetch = hookFetch(hookFetch(http._fetch, rewrite), rewrite))],
  ])('is parsed once: %s', async (_what, wrap) => {
    const http = new Http(() => Promise.resolve(new Response('{}')));
    wrap(http);
    expect(await post(http._fetch as FetchLike)).toBe(1);
  });

  it('is parsed again if a function in between wrote another body into the same object', async () => {
    const told: RequestId[] = [];
    const http = new Http(() => Promise.resolve(new Response('{}')));
    watchResponses(http, (id) => told.push(id));
    const inner = http._fetch as FetchLike;
    const fetch = hookFetch((url, init) => inner(url, Object.assign(init as object, { body: '{"method":"x","id":2}' })), rewrite);
    await post(fetch);
    expect(told).toEqual([2]);
  });
});

describe('the end of a connection', () => {
  it('the layer learns the end once, with the transport, and a fault there does not hide it from the SDK', async () => {
    const transport = new Http(answering({}));
    const told: unknown[] = [];
    hookTransport(transport, {
      closed: (which) => {
        told.push(which);
        throw new Error('on purpose');
      },
      onFault: (error) => told.push((error as Error).message),
    });
    transport.onclose = () => void told.push('sdk');
    await transport.close();
    expect(told).toEqual([transport, 'on purpose', 'sdk']);
  });
});

describe('injection through fetch', () => {
  it('injection may be asynchronous', async () => {
    const sent: unknown[] = [];
    const fetch = hookFetch(
      (_url, init) => {
        sent.push(JSON.parse(init?.body as string));
        return Promise.resolve(new Response('{}'));
      },
      { inject: (message) => Promise.resolve({ ...message, params: { added: true } }) },
    );
    await fetch('https://a.example/mcp', { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) });
    expect(sent).toEqual([{ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { added: true } }]);
  });
});
