import { StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import type { Issue } from '../wire/issue.js';
import { ACCEPT_LANGUAGE } from '../wire/keys.js';
import { hookFetch, type FetchLike } from './fetch.js';
import { hookTransport } from './hook.js';
import { commandOf, endpointOf, hookProbe, wrapFetchSlot } from './sdk.js';
import type { TransportLike } from './types.js';

const url = new URL('https://a.example/mcp');
const ask = (language?: string): never =>
  ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/list',
    params: language === undefined ? {} : { _meta: { [ACCEPT_LANGUAGE]: language } },
  }) as never;

/** Answers every POST with 202 and keeps what was sent. */
function recorder(): { fetch: FetchLike; sent: { language: string | null; body: unknown }[] } {
  const sent: { language: string | null; body: unknown }[] = [];
  const fetch: FetchLike = (_, init) => {
    sent.push({ language: new Headers(init?.headers).get('accept-language'), body: JSON.parse(init?.body as string) });
    return Promise.resolve(new Response(null, { status: 202 }));
  };
  return { fetch, sent };
}

/** A copy of SDK v1's transport as it would be with private fields: nothing can be reached from outside. */
function sealedV1(fetch: FetchLike): TransportLike {
  const inner = new HttpV1(url, { fetch });
  return {
    send: (message: never) => inner.send(message),
    close: () => inner.close(),
    finishAuth: (code: string) => inner.finishAuth(code),
    start: () => inner.start(),
  } as TransportLike;
}

describe('the language header of HTTP client transports', () => {
  it.each([
    ['SDK v2', (fetch: FetchLike) => new HttpV2(url, { fetch })],
    ['SDK v1', (fetch: FetchLike) => new HttpV1(url, { fetch })],
    ['SDK v1 with a fetch of ours', (fetch: FetchLike) => new HttpV1(url, { fetch: hookFetch(fetch) })],
  ] as const)('LANG-40: the header of %s equals the body', async (_, make) => {
    const { fetch, sent } = recorder();
    const transport = hookTransport(make(fetch) as TransportLike, {});
    await (transport as unknown as { start(): Promise<void> }).start();
    await transport.send(ask('fr-CH, fr;q=0.9'));
    await transport.send(ask());
    expect(sent).toEqual([
      { language: 'fr-CH, fr;q=0.9', body: ask('fr-CH, fr;q=0.9') },
      { language: null, body: ask() },
    ]);
  });

  it('LANG-41: the header replaces one of the caller in any spelling', async () => {
    const { fetch, sent } = recorder();
    const transport = hookTransport(new HttpV2(url, { fetch }) as TransportLike, {});
    await (transport as unknown as { start(): Promise<void> }).start();
    await transport.send(ask('de'), { headers: { 'accept-LANGUAGE': 'en' } } as never);
    expect(sent[0]?.language).toBe('de');
  });

  it('LANG-41: no second header in another spelling stays, because some transports would join the two', async () => {
    const sent: Headers[] = [];
    const joining = {
      hasPerRequestStream: true,
      finishAuth: () => undefined,
      send: (_: unknown, options?: { headers?: Record<string, string> }) => (sent.push(new Headers(options?.headers)), Promise.resolve()),
      close: () => Promise.resolve(),
    };
    const headers = { 'accept-LANGUAGE': 'en', 'accept-language': 'fr', 'x-own': '1' };
    await hookTransport(joining as unknown as TransportLike, {}).send(ask('de'), { headers } as never);
    expect(sent.map((all) => [...all])).toEqual([
      [
        ['accept-language', 'de'],
        ['x-own', '1'],
      ],
    ]);
  });

  it.each([
    ['SDK v2', (fetch: FetchLike) => new HttpV2(url, { fetch })],
    ['SDK v1', (fetch: FetchLike) => new HttpV1(url, { fetch })],
  ] as const)('LANG-41: %s leaves out and reports a preference that no header can hold', async (_, make) => {
    const { fetch, sent } = recorder();
    const issues: Issue[] = [];
    const transport = hookTransport(make(fetch) as TransportLike, { onIssue: (issue) => issues.push(issue) });
    await (transport as unknown as { start(): Promise<void> }).start();
    await transport.send(ask('fr\r\nX-Evil: 1'));
    expect(sent).toEqual([{ language: null, body: ask() }]);
    expect(issues).toEqual([{ concern: 'language', key: ACCEPT_LANGUAGE, problem: 'cannot stand in a header' }]);
  });

  it('LANG-51: other transports have no header: the preference stays in _meta, with any characters', async () => {
    const sent: unknown[][] = [];
    const plain = { send: (...args: unknown[]) => (sent.push(args), Promise.resolve()), close: () => Promise.resolve() } as TransportLike;
    await hookTransport(plain, {}).send(ask('fr\r\n'));
    expect(sent).toEqual([[ask('fr\r\n'), undefined]]);
  });
});

describe('losses without the private members', () => {
  it('_fetch: the language on v1 over HTTP; it is left out and reported, never sent beside another header', async () => {
    const { fetch, sent } = recorder();
    const issues: Issue[] = [];
    const transport = hookTransport(sealedV1(fetch), { onIssue: (issue) => issues.push(issue) });
    await (transport as unknown as { start(): Promise<void> }).start();
    await transport.send(ask('fr'));
    expect(sent).toEqual([{ language: null, body: ask() }]);
    expect(issues[0]?.problem).toBe('was left out: this transport cannot set the header; build it with { fetch: waybill.fetch() }');
  });

  it('_fetch: a slot that is not a function is left alone', () => {
    expect(wrapFetchSlot({ _fetch: 'x' } as unknown as TransportLike, (base) => base ?? fetch)).toBe(false);
  });

  it('_url: the address of the server', () => {
    expect(endpointOf(new HttpV2(url) as TransportLike)?.href).toBe(url.href);
    expect(endpointOf(new HttpV1(url) as TransportLike)?.href).toBe(url.href);
    expect(endpointOf(sealedV1(fetch))).toBeUndefined();
  });

  it('_serverParams: the command, its folder, and where its programs are looked for', () => {
    for (const Stdio of [StdioV1, StdioV2]) {
      const params = { command: 'node', args: ['server.js'], cwd: '/srv', env: { PATH: '/opt/bin', PYTHONPATH: '/opt/lib', SECRET: 'x' } };
      expect(commandOf(new Stdio(params) as TransportLike)).toEqual({
        command: 'node',
        args: ['server.js'],
        cwd: '/srv',
        env: { PATH: '/opt/bin', PYTHONPATH: '/opt/lib', SECRET: 'x' },
      });
      expect(commandOf(new Stdio({ command: 'true' }) as TransportLike)).toEqual({ command: 'true', args: [] });
    }
    expect(commandOf({ _serverParams: { command: 7 } } as unknown as TransportLike)).toBeUndefined();
    expect(commandOf({} as TransportLike)).toBeUndefined();
  });

  it('_serverParams: a folder may be a URL; a command whose folder cannot be read is not read at all', () => {
    const found = (params: object): unknown => commandOf(new StdioV2({ command: 'node', ...params }));
    expect(found({ cwd: new URL('file:///srv/my%20tools') })).toEqual({ command: 'node', args: [], cwd: '/srv/my tools' });
    expect(found({ cwd: new URL('file:///C:/x') })).toMatchObject({ cwd: 'C:/x' });
    expect(found({ cwd: new URL('file://host/share') })).toMatchObject({ cwd: '//host/share' });
    for (const cwd of [new URL('file:///srv/100%'), new URL('https://a.example/srv'), 5]) expect(found({ cwd })).toBeUndefined();
    expect(found({ env: { A: undefined, B: 1 } })).toMatchObject({ env: { B: '1' } });
  });

  it('serverParams: the stdio transport of @ai-sdk/mcp spells the member like this', () => {
    const transport = { serverParams: { command: 'node', args: ['server.js'], env: { TOKEN: 'x' } } };
    expect(commandOf(transport as unknown as TransportLike)).toEqual({ command: 'node', args: ['server.js'], env: { TOKEN: 'x' } });
  });

  it('_serverParams and constructor: context on the disposable process that v2 asks for its version', () => {
    const transport = new StdioV2({ command: 'true' });
    const seen: unknown[] = [];
    expect(hookProbe(transport as TransportLike, (probe) => (seen.push(probe), probe))).toBe(true);
    const probe = new (transport.constructor as typeof StdioV2)({ command: 'true' });
    expect(seen).toEqual([probe]);
    expect(Object.getPrototypeOf(probe)).toBe(StdioV2.prototype);
    expect(hookProbe({} as TransportLike, (one) => one)).toBe(false);
  });

  it('a hooked stdio transport hooks its probe with the same layer, on both SDKs', () => {
    for (const Stdio of [StdioV1, StdioV2]) {
      const hooks = {};
      const transport = hookTransport(new Stdio({ command: 'true' }) as TransportLike, hooks);
      const probe = new (transport.constructor as new (params: object) => TransportLike)({ command: 'true' });
      expect(hookTransport(probe, hooks)).toBe(probe);
      expect(() => hookTransport(probe, {})).toThrow(/already belongs to another context/);
    }
  });
});

describe('keys of _meta that are copied into headers', () => {
  const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const OTHER = '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01';
  const keys = ['traceparent', 'tracestate'];
  const traced = (meta: Record<string, unknown>, id?: number): never =>
    ({
      jsonrpc: '2.0',
      ...(id !== undefined && { id }),
      method: id === undefined ? 'notifications/roots/list_changed' : 'tools/list',
      params: { _meta: meta },
    }) as never;
  function keeper(): { fetch: FetchLike; headers: Headers[] } {
    const headers: Headers[] = [];
    const fetch: FetchLike = (_, init) => {
      headers.push(new Headers(init?.headers));
      return Promise.resolve(new Response(null, { status: 202 }));
    };
    return { fetch, headers };
  }

  it.each([
    ['SDK v2', (fetch: FetchLike) => new HttpV2(url, { fetch })],
    ['SDK v1', (fetch: FetchLike) => new HttpV1(url, { fetch })],
    ['SDK v1 with a fetch of ours', (fetch: FetchLike) => new HttpV1(url, { fetch: hookFetch(fetch, { mirror: keys }) })],
  ] as const)('%s sends them with requests and notifications, and leaves out values that no header can hold', async (_, make) => {
    const { fetch, headers } = keeper();
    const transport = hookTransport(make(fetch) as TransportLike, { mirror: keys });
    await (transport as unknown as { start(): Promise<void> }).start();
    await transport.send(traced({ traceparent: TRACE, tracestate: 'a=1', baggage: 'k=v' }, 1));
    await transport.send(traced({ traceparent: TRACE }));
    await transport.send(traced({ traceparent: 'a\r\nb', tracestate: 7 }, 2));
    await transport.send(traced({ traceparent: TRACE, tracestate: '' }, 3));
    expect(headers.map((all) => [all.get('traceparent'), all.get('tracestate'), all.get('baggage')])).toEqual([
      [TRACE, 'a=1', null],
      [TRACE, null, null],
      [null, null, null],
      [TRACE, null, null],
    ]);
  });

  it.each([
    ['SDK v2', (fetch: FetchLike) => new HttpV2(url, { fetch })],
    ['SDK v1', (fetch: FetchLike) => new HttpV1(url, { fetch })],
  ] as const)('%s sends no copies unless configured', async (_, make) => {
    const { fetch, headers } = keeper();
    const transport = hookTransport(make(fetch) as TransportLike, {});
    await (transport as unknown as { start(): Promise<void> }).start();
    await transport.send(traced({ traceparent: TRACE }, 1));
    expect(headers[0]?.get('traceparent')).toBeNull();
  });

  it('a header of the caller stays, and a redirect to another server gets the values of its own message', async () => {
    const { fetch, headers } = keeper();
    const redirecting: FetchLike = async (to, init) => {
      await fetch(to, init);
      return String(to) === url.href
        ? new Response(null, { status: 307, headers: { location: 'https://b.example/mcp' } })
        : new Response(null, { status: 202 });
    };
    const other = traced({ traceparent: OTHER, tracestate: 'b=2' }, 1) as { [name: string]: unknown };
    const hooked = hookFetch(redirecting, { mirror: keys, redirect: () => other });
    const body = JSON.stringify(traced({ traceparent: TRACE, tracestate: 'a=1' }, 1));
    await hooked(url, { method: 'POST', body });
    await hooked(url, { method: 'POST', body, headers: { Traceparent: 'own' } });
    expect(headers.map((all) => [all.get('traceparent'), all.get('tracestate')])).toEqual([
      [TRACE, 'a=1'],
      [OTHER, 'b=2'],
      ['own', 'a=1'],
      [OTHER, 'b=2'],
    ]);
  });
});
