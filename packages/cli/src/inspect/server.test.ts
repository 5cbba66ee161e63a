import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { servePage, type Page } from './server.js';
import { PageSession } from './pageSession.js';

const target = {
  name: 'secret-server',
  address: 'secret-address',
  open: () => {
    throw new Error('no transport');
  },
};

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

describe('the server of the page', () => {
  let page: Page;
  let other: Page;
  let host: string;
  let token: string;

  beforeAll(async () => {
    const files = new URL('../../../inspector/', import.meta.url);
    page = await servePage({ open: (tell) => new PageSession(target, tell), files });
    other = await servePage({ open: (tell) => new PageSession(target, tell), files });
    const { host: address, hash } = new URL(page.address);
    host = address;
    token = hash.slice(1);
  });
  afterAll(async () => {
    await page.close();
    await other.close();
  });

  function ask(path: string, headers: Record<string, string> = {}, method = 'GET', body?: string): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const sent = request(`http://${host}${path}`, { method, headers: { host, ...headers } }, (response) => {
        let text = '';
        response.on('data', (data: Buffer) => (text += String(data)));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }
  const bearer = (value = token): Record<string, string> => ({ authorization: `Bearer ${value}` });

  it('answers with the token', async () => {
    const reply = await ask('/api/context', bearer());
    expect(reply.status).toBe(200);
    expect(reply.body).toContain('secret-server');
  });

  it('has a token of 256 bits that differs between launches', () => {
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(new URL(other.address).hash.slice(1)).not.toBe(token);
  });

  it('listens on 127.0.0.1', () => {
    expect(page.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#/);
  });

  it.each([
    ['no token', '/api/context', () => ({}), 401],
    ['an empty token', '/api/context', () => bearer(''), 401],
    ['a token of another launch', '/api/context', () => bearer(new URL(other.address).hash.slice(1)), 401],
    ['the token without Bearer', '/api/context', () => ({ authorization: token }), 401],
    ['events without a token', '/api/events', () => ({}), 401],
    ['an unknown route without a token', '/api/nothing', () => ({}), 401],
    ['another origin', '/api/context', () => ({ ...bearer(), origin: 'https://evil.example' }), 403],
    ['the origin null', '/api/context', () => ({ ...bearer(), origin: 'null' }), 403],
    [
      'this origin under another name',
      '/api/context',
      () => ({ ...bearer(), origin: `http://localhost:${new URL(page.address).port}` }),
      403,
    ],
    ['a fetch from another site', '/api/context', () => ({ ...bearer(), 'sec-fetch-site': 'cross-site' }), 403],
    ['a fetch from the same site', '/api/context', () => ({ ...bearer(), 'sec-fetch-site': 'same-site' }), 403],
    ['a fetch typed into the address', '/api/context', () => ({ ...bearer(), 'sec-fetch-site': 'none' }), 403],
    ['a rebound host name', '/api/context', () => ({ ...bearer(), host: 'evil.example' }), 403],
    ['localhost as the host', '/', () => ({ host: `localhost:${new URL(page.address).port}` }), 403],
    ['the host without its port', '/', () => ({ host: '127.0.0.1' }), 403],
    ['the page from another origin', '/', () => ({ origin: 'https://evil.example' }), 403],
  ])('refuses %s', async (_, path, headers, status) => {
    const reply = await ask(path, headers());
    expect(reply.status).toBe(status);
    expect(reply.body).not.toContain('secret');
  });

  it('serves the page without a token, without data, and with a strict policy', async () => {
    const reply = await ask('/');
    expect(reply.status).toBe(200);
    expect(reply.body).not.toContain('secret');
    expect(reply.body).not.toContain(token);
    const policy = String(reply.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(reply.headers['x-content-type-options']).toBe('nosniff');
  });

  it.each([
    '/../package.json',
    '/src/main.tsx',
    '/%2e%2e/package.json',
    '/package.json',
    '//page.js',
    '/..%2fpage.js',
    '/page.js/../../package.json',
    '/page.js%00',
  ])('serves no other file: %s', async (path) => {
    expect((await ask(path)).status).toBe(404);
  });

  it.each([
    ['a body that is not JSON', 'PUT', '/api/context', '{', 400],
    ['a body of 6 MB', 'PUT', '/api/context', JSON.stringify('x'.repeat(6_000_000)), 413],
    ['a context that is none', 'PUT', '/api/context', '[]', 400],
    ['an unknown zone', 'PUT', '/api/context', '{"timezone":"Mars/Olympus","capabilities":[],"trace":"off"}', 400],
    ['an unknown capability', 'PUT', '/api/context', '{"capabilities":["root.shell"],"trace":"off"}', 400],
    ['a request without a method', 'POST', '/api/send', '{}', 400],
    ['an answer nobody waits for', 'POST', '/api/send', '{"answer":{"question":7,"action":"accept"}}', 409],
    ['an unknown route', 'POST', '/api/start', '{"command":"sh"}', 404],
    ['nothing in place of an object', 'POST', '/api/send', 'null', 400],
    ['an answer that is no object', 'POST', '/api/send', '{"answer":null}', 400],
    ['params that are a list', 'POST', '/api/send', '{"method":"tools/list","params":[]}', 400],
    ['a call under an unknown capability', 'POST', '/api/send', '{"method":"tools/list","context":{"capabilities":["root.shell"]}}', 400],
    ['state that is a text', 'POST', '/api/send', '{"method":"tools/call","state":"x"}', 400],
    ['a scope of state that is a list', 'POST', '/api/send', '{"method":"tools/call","state":{"server":[]}}', 400],
    ['a change of the jar that is a list', 'PUT', '/api/jar', '[]', 400],
    ['rules that are a text', 'PUT', '/api/policy', '"never"', 400],
    ['events that are posted', 'POST', '/api/events', '{}', 404],
    ['a route that is asked with another method', 'DELETE', '/api/jar', '', 404],
    ['a route with a query', 'GET', '/api/context?token=x', '', 404],
  ])('answers %s with an error that says why', async (_, method, path, body, status) => {
    const reply = await ask(path, { ...bearer(), 'content-type': 'application/json' }, method, body);
    expect(reply.status).toBe(status);
    expect(page.source.context().context.timezone).toBe('Europe/Vienna');
  });

  it.each(['constructor', 'toString', '__proto__', 'tools/destroy'])('sends no request of another method: %s', async (method) => {
    const reply = await ask('/api/send', bearer(), 'POST', JSON.stringify({ method }));
    expect(JSON.parse(reply.body)).toMatchObject({ error: { message: expect.stringContaining('The page sends tools/list') } });
  });

  it('tells the page why the target does not answer', async () => {
    const reply = await ask('/api/send', bearer(), 'POST', '{"method":"tools/list"}');
    expect(JSON.parse(reply.body)).toMatchObject({ error: { message: 'no transport' } });
    expect(page.source.context().target).toMatchObject({ status: 'lost', problem: { message: 'no transport' } });
  });
});
