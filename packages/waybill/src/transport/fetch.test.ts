import { describe, expect, it, vi } from 'vitest';
import type { Issue } from '../wire/issue.js';
import { ACCEPT_LANGUAGE } from '../wire/keys.js';
import { writeRequest } from '../wire/write.js';
import { hookFetch, isHookedFetch, type FetchLike } from './fetch.js';

interface Sent {
  url: string;
  language: string | null;
  authorization: string | null;
  redirect: string | undefined;
  body: unknown;
}

/** A base `fetch` that records its calls and answers from a table of redirects. */
function recorder(redirects: Readonly<Record<string, [status: number, location: string]>> = {}): { fetch: FetchLike; sent: Sent[] } {
  const sent: Sent[] = [];
  const fetch: FetchLike = (url, init) => {
    const headers = new Headers(init?.headers);
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : init?.body;
    sent.push({
      url: String(url),
      language: headers.get('accept-language'),
      authorization: headers.get('authorization'),
      redirect: init?.redirect,
      body,
    });
    const [status, location] = redirects[String(url)] ?? [200, ''];
    return Promise.resolve(new Response(null, { status, headers: location === '' ? {} : { location } }));
  };
  return { fetch, sent };
}
const ask = (acceptLanguage?: unknown): Record<string, unknown> => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/list',
  params: acceptLanguage === undefined ? {} : { _meta: { [ACCEPT_LANGUAGE]: acceptLanguage } },
});
const post = (message: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers,
  body: JSON.stringify(message),
});

describe('the language header', () => {
  it.each([
    ['a preference', ask('fr-CH, fr;q=0.9'), 'fr-CH, fr;q=0.9'],
    ['a preference with an own header of another value', ask('de'), 'de'],
    ['no preference', ask(), null],
    ['a preference that is not a text', ask(7), null],
  ])('LANG-40: the header is derived from the sent body: %s', async (title, message, expected) => {
    const { fetch, sent } = recorder();
    await hookFetch(fetch)('https://a.example/mcp', post(message, title.includes('own header') ? { 'Accept-Language': 'en' } : {}));
    expect(sent[0]).toMatchObject({ language: expected, body: message });
  });

  it.each(['fr\r\nX-Evil: 1', 'fr\0', ' fr', 'fr ', 'français', 'x'.repeat(5000)])(
    'LANG-41: a preference that cannot stand in one header line is left out and reported: %j',
    async (language) => {
      const { fetch, sent } = recorder();
      const issues: Issue[] = [];
      await hookFetch(fetch, { onIssue: (issue) => issues.push(issue) })('https://a.example/mcp', post(ask(language)));
      expect(sent[0]).toMatchObject({ language: null, body: ask(undefined) });
      expect(issues).toEqual([{ concern: 'language', key: ACCEPT_LANGUAGE, problem: 'cannot stand in a header' }]);
    },
  );

  it('the header goes to an address relative to the page; a broken address is left to fetch', async () => {
    const seen: unknown[] = [];
    const fetch = hookFetch((url, init) => {
      seen.push([String(url), new Headers(init?.headers).get('accept-language')]);
      return Promise.resolve(new Response());
    });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x', params: { _meta: { [ACCEPT_LANGUAGE]: 'fr' } } });
    await fetch('/mcp', { method: 'POST', body });
    vi.stubGlobal('location', { href: 'https://a.example/app/' });
    await fetch('/mcp', { method: 'POST', body });
    vi.unstubAllGlobals();
    expect(seen).toEqual([
      ['/mcp', null],
      ['https://a.example/mcp', 'fr'],
    ]);
  });

  it('the header follows the injected context if a client lets us replace only fetch', async () => {
    const { fetch, sent } = recorder();
    const inject = hookFetch(fetch, { inject: (message) => writeRequest(message, { language: 'ja' }) });
    await inject('https://a.example/mcp', post(ask()));
    expect(sent[0]).toMatchObject({ language: 'ja', body: ask('ja') });
  });
});

describe('redirects', () => {
  const options = { redirect: () => ask('en') };

  it('redirects within the server are followed with the same body', async () => {
    const { fetch, sent } = recorder({ 'https://a.example/mcp': [308, '/v2/mcp'] });
    await hookFetch(fetch)('https://a.example/mcp', post(ask('fr'), { authorization: 'Bearer x' }));
    expect(sent.map(({ url, body, authorization }) => [url, body, authorization])).toEqual([
      ['https://a.example/mcp', ask('fr'), 'Bearer x'],
      ['https://a.example/v2/mcp', ask('fr'), 'Bearer x'],
    ]);
  });

  it('redirects within the server are rewritten too, if there is a rewriter, and keep the credentials', async () => {
    const { fetch, sent } = recorder({ 'https://a.example/mcp': [308, '/v2/mcp'] });
    await hookFetch(fetch, options)('https://a.example/mcp', post(ask('fr'), { authorization: 'Bearer x' }));
    expect(sent[1]).toMatchObject({ url: 'https://a.example/v2/mcp', body: ask('en'), language: 'en', authorization: 'Bearer x' });
  });

  it('redirects to another server are returned if nobody rewrites the body', async () => {
    const { fetch, sent } = recorder({ 'https://a.example/mcp': [307, 'https://b.example/mcp'] });
    const response = await hookFetch(fetch)('https://a.example/mcp', post(ask('fr')));
    expect([response.status, sent.length]).toEqual([307, 1]);
  });

  it('redirects to another server get the rewritten body, its header, and no credentials of the first server', async () => {
    const { fetch, sent } = recorder({ 'https://a.example/mcp': [307, 'https://b.example/mcp'] });
    await hookFetch(fetch, options)('https://a.example/mcp', post(ask('fr'), { authorization: 'Bearer x' }));
    expect(sent[1]).toMatchObject({ url: 'https://b.example/mcp', body: ask('en'), language: 'en', authorization: null });
  });

  const headersSent = async (location: string, given: Record<string, string>): Promise<Record<string, string>[]> => {
    const seen: Record<string, string>[] = [];
    const fetch: FetchLike = async (url, init) => {
      seen.push(Object.fromEntries(new Headers(init?.headers)));
      return String(url) === location ? new Response() : new Response(null, { status: 307, headers: { location } });
    };
    await hookFetch(fetch, options)('https://a.example/mcp', post(ask('fr'), given));
    return seen;
  };
  const secrets = {
    authorization: 'Bearer x',
    cookie: 'a=1',
    'proxy-authorization': 'Basic x',
    'mcp-session-id': 's',
    'x-api-key': 'k',
    'api-key': 'k',
    'x-tenant': 't',
    'x-mcp-key': 'k',
    'last-event-id': '7',
    referer: 'https://a.example/private',
    traceparent: 'own',
  };
  const portable = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'user-agent': 'app/1',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/list',
    'mcp-param-city': 'Wien',
  };

  it('redirects to another origin carry the headers on a short list and the language of the new body, and nothing else', async () => {
    const [first, second] = await headersSent('https://b.example/mcp', { ...secrets, ...portable });
    expect(first).toEqual({ ...secrets, ...portable, 'accept-language': 'fr' });
    expect(second).toEqual({ ...portable, 'accept-language': 'en' });
  });

  it('redirects to another address of the same server carry every header', async () => {
    const [, second] = await headersSent('https://a.example/v2', { ...secrets, ...portable });
    expect(second).toEqual({ ...secrets, ...portable, 'accept-language': 'en' });
  });

  it('redirects to another origin carry no language if the new body has none', async () => {
    const { fetch, sent } = recorder({ 'https://a.example/mcp': [307, 'https://b.example/mcp'] });
    await hookFetch(fetch, { redirect: () => ask() })('https://a.example/mcp', post(ask('fr'), { 'Accept-Language': 'fr' }));
    expect(sent.map(({ language }) => language)).toEqual(['fr', null]);
  });

  it('redirects that are followed leave no body unread', async () => {
    let cancelled = 0;
    const body = new ReadableStream({ cancel: () => void cancelled++ });
    const answers = [new Response(body, { status: 307, headers: { location: '/other' } }), new Response('done')];
    const response = await hookFetch(async () => answers.shift() as Response)('https://a.example/mcp', post(ask()));
    expect([await response.text(), cancelled]).toEqual(['done', 1]);
  });

  it.each([
    ['http://a.example:8080/mcp', 'https://a.example/mcp'],
    ['http://a.example/mcp', 'https://a.example:8443/mcp'],
    ['http://a.example:8080/mcp', 'https://a.example:8080/mcp'],
  ])('redirects from %s to %s lead to another server', async (url, location) => {
    const { fetch, sent } = recorder({ [url]: [307, location] });
    const response = await hookFetch(fetch)(url, post(ask('fr'), { authorization: 'Bearer x' }));
    expect([response.status, sent.length]).toEqual([307, 1]);
  });

  it.each([
    ['to plain http', 'https://a.example/mcp', 307, 'http://a.example/mcp'],
    ['that turn a POST into a GET', 'https://a.example/mcp', 302, 'https://a.example/other'],
    ['to something that is not a URL', 'https://a.example/mcp', 307, 'https://'],
  ])('redirects %s are not followed', async (_, url, status, location) => {
    const { fetch, sent } = recorder({ [url]: [status, location] });
    const response = await hookFetch(fetch, options)(url, post(ask()));
    expect([response.status, sent.length]).toEqual([status, 1]);
  });

  it('redirects from http to https of the same host stay with the server', async () => {
    const { fetch, sent } = recorder({ 'http://a.example/mcp': [308, 'https://a.example/mcp'] });
    await hookFetch(fetch)('http://a.example/mcp', post(ask('fr')));
    expect(sent).toHaveLength(2);
  });

  it('circular redirects end', async () => {
    const { fetch, sent } = recorder({ 'https://a.example/mcp': [307, 'https://a.example/mcp'] });
    const response = await hookFetch(fetch)('https://a.example/mcp', post(ask()));
    expect([response.status, sent.length]).toEqual([307, 6]);
  });

  it.each(['manual', 'error'] as const)('redirects are left to a caller that asks for redirect: %j', async (redirect) => {
    const { fetch, sent } = recorder({ 'https://a.example/mcp': [307, '/other'] });
    await hookFetch(fetch)('https://a.example/mcp', { ...post(ask('fr')), redirect });
    expect(sent.map((one) => [one.redirect, one.language])).toEqual([[redirect, 'fr']]);
  });
});

describe('a batch of an old revision', () => {
  it('a batch is not redirected, and its messages leave without a preference, which one header could not carry for all', async () => {
    const { fetch, sent } = recorder({ 'https://a.example/mcp': [307, 'https://b.example/mcp'] });
    const issues: Issue[] = [];
    const response = await hookFetch(fetch, { redirect: () => ask('en'), onIssue: (issue) => issues.push(issue) })(
      'https://a.example/mcp',
      post([ask('fr'), ask()]),
    );
    expect([response.status, sent.length, sent[0]?.redirect, sent[0]?.language]).toEqual([307, 1, 'manual', null]);
    expect(sent[0]?.body).toEqual([ask(undefined), ask()]);
    expect(issues).toHaveLength(1);
  });

  it.each([
    ['error', 'error'],
    ['manual', 'manual'],
    ['follow', 'manual'],
  ] as const)('a batch of a caller that asks for redirect: %j is sent with %j', async (redirect, expected) => {
    const { fetch, sent } = recorder();
    await hookFetch(fetch)('https://a.example/mcp', { ...post([ask()]), redirect });
    expect(sent[0]?.redirect).toBe(expected);
  });
});

describe('anything else that is fetched', () => {
  it.each([
    ['a GET', undefined],
    ['a form', { method: 'POST', body: new URLSearchParams({ grant_type: 'x' }) }],
    ['a body that is not JSON', { method: 'POST', body: '{' }],
    ['JSON that is not a message', { method: 'POST', body: '{"client_name":"x"}' }],
  ])('%s passes with the very same arguments', async (_, init) => {
    const calls: unknown[][] = [];
    const base: FetchLike = (...args) => (calls.push(args), Promise.resolve(new Response()));
    await hookFetch(base)('https://a.example/token', init);
    expect(calls[0]?.[1]).toBe(init);
  });

  it('a hooked fetch is recognised', () => {
    expect([isHookedFetch(hookFetch(undefined)), isHookedFetch(recorder().fetch)]).toEqual([true, false]);
  });
});
