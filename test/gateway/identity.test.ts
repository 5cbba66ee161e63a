/** Finding out who asks: tokens, a trusted proxy, and attempts to be somebody else. */
import {
  createServer,
  request as httpRequest,
  type ClientRequest,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey, type JWK } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startGateway } from './through.js';
import { eventually } from '../support/eventually.js';

type Json = any;
const AUDIENCE = 'https://gw.corp.example';
const NOW = Date.parse('2026-11-18T12:00:00Z');

/** A server that tells what it was sent; it has one session for each `initialize`. */
const heard: IncomingHttpHeaders[] = [];
const upstream = createServer((request, response) => {
  let text = '';
  request
    .on('data', (chunk) => (text += String(chunk)))
    .on('end', () => {
      heard.push(request.headers);
      const { id, method } = text === '' ? ({} as Json) : JSON.parse(text);
      const isOpening = method === 'initialize';
      const result = isOpening ? { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } } : {};
      response.writeHead(request.method === 'DELETE' ? 200 : 200, {
        'content-type': 'application/json',
        ...(isOpening && { 'mcp-session-id': 'upstream-1' }),
      });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
});

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
const close = (server: Server): void => {
  server.closeAllConnections();
  server.close();
};

interface Key {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}
async function makeKey(kid: string): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } };
}

let issuer: string;
let served: JWK[] = [];
let reads = 0;
let isDown = false;
/** The ways in which a key server fails that takes connections: it keeps them open, or breaks them off. */
let mode: 'works' | 'holds' | 'drops' = 'works';
const held: ServerResponse[] = [];
const issuerServer = createServer((request, response) => {
  if (isDown) return void response.writeHead(503).end();
  if (mode === 'holds') return void held.push(response);
  if (mode === 'drops') return void response.destroy();
  if (request.url === '/.well-known/openid-configuration') return void response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }));
  if (request.url !== '/keys') return void response.writeHead(404).end();
  reads++;
  response.end(JSON.stringify({ keys: served }));
});

let first: Key;
let second: Key;
let upstreamUrl: string;
beforeAll(async () => {
  [first, second] = await Promise.all([makeKey('first'), makeKey('second')]);
  issuer = await listen(issuerServer);
  upstreamUrl = `${await listen(upstream)}/mcp`;
});
afterAll(() => [issuerServer, upstream].forEach(close));

const ping = { jsonrpc: '2.0', id: 7, method: 'ping' };
const initialize = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-11-25', capabilities: { roots: {} }, clientInfo: { name: 'c', version: '1' } },
};

async function post(base: string, body: Json, headers: Record<string, string> = {}, path = '/s/mcp') {
  const response = await fetch(base + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('jwt', () => {
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  let time = NOW;
  const who: (string | undefined)[] = [];
  beforeEach(async () => {
    [served, isDown, mode, time, reads] = [[first.jwk], false, 'works', NOW, 0];
    who.length = 0;
    gateway = await startGateway(
      { identity: { jwt: { issuer, audience: AUDIENCE } }, upstreams: { s: { url: upstreamUrl, revision: '2025-11-25' } } },
      { now: () => time, onExchange: ({ principal }) => who.push(principal) },
    );
    return () => gateway.close();
  });

  interface Claims {
    readonly sub?: string;
    readonly iss?: string;
    readonly aud?: string;
    readonly exp?: number;
    readonly nbf?: number;
  }
  const claimsOf = ({ sub = 'alice', iss = issuer, aud = AUDIENCE, exp = time / 1000 + 60, ...rest }: Claims = {}) => ({
    sub,
    iss,
    aud,
    exp,
    ...rest,
  });
  const token = (claims: Claims = {}, key = first): Promise<string> =>
    new SignJWT(claimsOf(claims)).setProtectedHeader({ alg: 'ES256', kid: key.kid }).sign(key.privateKey);
  const ask = async (bearer: string) => {
    const { status, headers } = await post(gateway.base, ping, { authorization: `Bearer ${bearer}` });
    return [status, /error_description="([^"]*)"/.exec(headers.get('www-authenticate') ?? '')?.[1]];
  };

  test('a token of the issuer for this audience is served, and the user is issuer and claim', async () => {
    expect(await ask(await token())).toEqual([200, undefined]);
    expect(who).toEqual([JSON.stringify([issuer, 'alice'])]);
    // The token was not issued for the upstream.
    expect(heard.at(-1)).not.toHaveProperty('authorization');
  });

  test('without a token the answer says where to get one, by RFC 9728', async () => {
    const { status, headers } = await post(gateway.base, ping);
    expect([status, headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer resource_metadata="https://gw.corp.example/.well-known/oauth-protected-resource"',
    ]);
    for (const path of ['', '/s/mcp']) {
      const document = await fetch(`${gateway.base}/.well-known/oauth-protected-resource${path}`);
      expect([document.status, await document.json()]).toEqual([
        200,
        { resource: AUDIENCE, authorization_servers: [issuer], bearer_methods_supported: ['header'] },
      ]);
    }
  });

  test('tokens that are wrong are refused, each with its reason', async () => {
    const secret = new TextEncoder().encode(JSON.stringify(first.jwk));
    const none = new UnsecuredJWT(claimsOf()).encode();
    const [head = '', body = '', signature = ''] = (await token()).split('.');
    const mallory = Buffer.from(JSON.stringify(claimsOf({ sub: 'mallory' }))).toString('base64url');
    const own = await makeKey('first');
    const rows: [string, string][] = [
      [await token({ exp: time / 1000 - 31 }), 'the token has expired'],
      [await token({ aud: 'https://other.example' }), 'the token is for another audience'],
      [await token({ iss: 'https://evil.example' }), 'the token is of another issuer'],
      [await token({ nbf: time / 1000 + 31 }), 'the token is not valid yet'],
      [await token({ sub: '' }), 'the claim sub names nobody'],
      [none, 'the token is signed in a way that is not accepted'],
      [`${none.split('.', 2).join('.')}.${signature}`, 'the token is signed in a way that is not accepted'],
      // The public key taken for a shared secret.
      [
        await new SignJWT(claimsOf()).setProtectedHeader({ alg: 'HS256', kid: 'first' }).sign(secret),
        'the token is signed in a way that is not accepted',
      ],
      [`${head}.${mallory}.${signature}`, 'the signature is wrong'],
      [`${head}.${body}.AAAA`, 'the signature is wrong'],
      // A key of the attacker under a known name, and a token that brings its own key.
      [await token({}, own), 'the signature is wrong'],
      [
        await new SignJWT(claimsOf())
          .setProtectedHeader({ alg: 'ES256', kid: 'own', jwk: own.jwk, jku: 'https://evil.example' })
          .sign(own.privateKey),
        'no key of the issuer fits the token',
      ],
      ['not.a.token', 'the token cannot be read'],
    ];
    for (const [bearer, reason] of rows) expect([reason, await ask(bearer)]).toEqual([reason, [401, reason]]);
    const { exp: _, ...endless } = claimsOf();
    const forever = await new SignJWT(endless).setProtectedHeader({ alg: 'ES256', kid: 'first' }).sign(first.privateKey);
    expect(await ask(forever)).toEqual([401, 'the token has no claim exp']);
    expect(await ask(await token({ exp: time / 1000 - 29 }))).toEqual([200, undefined]);
  });

  test('a new key of the issuer is found; invented key names do not make the gateway ask each time', async () => {
    expect(await ask(await token())).toEqual([200, undefined]);
    served = [second.jwk];
    time += 6_000;
    expect(await ask(await token({}, second))).toEqual([200, undefined]);
    expect(await ask(await token({}, first))).toEqual([401, 'no key of the issuer fits the token']);
    expect(reads).toBe(2);
    for (let at = 0; at < 20; at++) await ask(await token({}, { ...first, kid: `invented ${at}` }));
    expect(reads).toBe(2);
  });

  test('a token that names no key is verified by each key that fits', async () => {
    served = [second.jwk, first.jwk];
    const nameless = (key: Key): Promise<string> => new SignJWT(claimsOf()).setProtectedHeader({ alg: 'ES256' }).sign(key.privateKey);
    expect(await ask(await nameless(first))).toEqual([200, undefined]);
    expect(await ask(await nameless(await makeKey('other')))).toEqual([401, 'the signature is wrong']);
  });

  test('keys are read again after ten minutes: a withdrawn one no longer counts', async () => {
    expect(await ask(await token())).toEqual([200, undefined]);
    served = [second.jwk];
    time += 601_000;
    expect((await ask(await token()))[0]).toBe(401);
  });

  test('a key server that is down: known keys count for an hour, then nothing is verified and nobody is let in', async () => {
    expect(await ask(await token())).toEqual([200, undefined]);
    isDown = true;
    time += 11 * 60_000;
    expect((await ask(await token()))[0]).toBe(200);
    time += 60 * 60_000;
    const { status, headers } = await post(gateway.base, ping, { authorization: `Bearer ${await token()}` });
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    isDown = false;
    time += 6_000;
    expect((await ask(await token()))[0]).toBe(200);
  });

  test('a key server that does not answer holds up one request, not each', async () => {
    expect(await ask(await token())).toEqual([200, undefined]);
    mode = 'holds';
    time += 11 * 60_000;
    const slow = ask(await token());
    await eventually(() => expect(held).toHaveLength(1));
    mode = 'drops';
    held.splice(0).forEach((response) => response.destroy());
    expect((await slow)[0]).toBe(200);
    mode = 'holds';
    time += 6_000;
    // The next request begins another attempt, and does not wait for it.
    expect((await ask(await token()))[0]).toBe(200);
    await eventually(() => expect(held).toHaveLength(1));
    mode = 'drops';
    held.splice(0).forEach((response) => response.destroy());
  });

  test('a key server that was never there: 503 until it is', async () => {
    isDown = true;
    const { status, headers } = await post(gateway.base, ping, { authorization: `Bearer ${await token()}` });
    expect([status, headers.get('retry-after'), headers.get('www-authenticate')]).toEqual([503, '5', null]);
    isDown = false;
    time += 6_000;
    expect(await ask(await token())).toEqual([200, undefined]);
  });

  test('a changed configuration keeps the keys: their server may be down just then', async () => {
    expect(await ask(await token())).toEqual([200, undefined]);
    isDown = true;
    await gateway.reload({
      ...{ listen: '127.0.0.1:0', store: 'memory', feed: 'off', identity: { jwt: { issuer, audience: AUDIENCE } } },
      upstreams: { s: { url: upstreamUrl, revision: '2025-11-25' } },
    });
    expect(await ask(await token())).toEqual([200, undefined]);
  });

  test('two tokens in one request are refused: a proxy in front may have checked the other one', async () => {
    const [mine, other] = [await token(), await token({ sub: 'bob' })];
    const { port } = new URL(gateway.base);
    const raw = [
      'Host',
      'localhost',
      'Content-Type',
      'application/json',
      'Authorization',
      `Bearer ${mine}`,
      'Authorization',
      `Bearer ${other}`,
    ];
    const status = await new Promise((resolve) => {
      const options = { port, path: '/s/mcp', method: 'POST', headers: raw as never };
      httpRequest(options, (response) => resolve(response.resume().statusCode)).end(JSON.stringify(ping));
    });
    expect(status).toBe(400);
  });

  test('a token longer than a header may be is refused', async () => {
    expect((await post(gateway.base, ping, { authorization: `Bearer ${'a'.repeat(20_000)}` })).status).toBe(431);
  });

  test('a client cannot choose its principal: headers, `_meta` and bodies that name one change nothing', async () => {
    const body = { ...ping, params: { _meta: { principal: 'root', sub: 'root', iss: issuer } }, principal: 'root' };
    const headers = { 'x-user': 'root', 'x-forwarded-user': 'root', principal: 'root', authorization: `Bearer ${await token()}` };
    expect((await post(gateway.base, body, headers)).status).toBe(200);
    expect(who).toEqual([JSON.stringify([issuer, 'alice'])]);
  });

  test('a session belongs to its principal: for anybody else it does not exist', async () => {
    const as = async (sub: string, session?: string) => ({
      authorization: `Bearer ${await token({ sub })}`,
      ...(session !== undefined && { 'mcp-session-id': session }),
    });
    const session = (await post(gateway.base, initialize, await as('alice'))).headers.get('mcp-session-id')!;
    expect(session).not.toContain('upstream-1');
    expect((await post(gateway.base, ping, await as('alice', session))).status).toBe(200);
    expect(heard.at(-1)).toMatchObject({ 'mcp-session-id': 'upstream-1' });
    const before = heard.length;
    for (const foreign of [
      await as('bob', session),
      await as('alice', 'upstream-1'),
      await as('alice', session.startsWith('A') ? `B${session.slice(1)}` : `A${session.slice(1)}`),
    ]) {
      const { status, text } = await post(gateway.base, ping, foreign);
      expect([status, JSON.parse(text).error.code]).toEqual([404, -32001]);
      for (const method of ['GET', 'DELETE']) expect((await fetch(`${gateway.base}/s/mcp`, { method, headers: foreign })).status).toBe(404);
    }
    expect(heard).toHaveLength(before);
  });
});

describe('trustedProxy', () => {
  const start = (from: string[]) => {
    const who: (string | undefined)[] = [];
    return startGateway(
      { identity: { trustedProxy: { header: 'X-User', from } }, upstreams: { s: { url: upstreamUrl, revision: '2025-11-25' } } },
      { onExchange: ({ principal }) => who.push(principal) },
    ).then((gateway) => ({ gateway, who }));
  };

  test('the header counts from the address of the proxy, and never reaches the upstream', async () => {
    const { gateway, who } = await start(['10.0.0.0/8', '127.0.0.0/8']);
    expect((await post(gateway.base, ping, { 'x-user': 'alice' })).status).toBe(200);
    expect(who).toEqual(['["trustedProxy","alice"]']);
    expect(heard.at(-1)).not.toHaveProperty('x-user');
    expect((await post(gateway.base, ping)).status).toBe(403);
    await gateway.close();
  });

  test('two lines of the header are refused: the proxy verified only one of them', async () => {
    const { gateway } = await start(['127.0.0.1']);
    const { port } = new URL(gateway.base);
    const status = await new Promise((resolve) => {
      const headers = ['Host', 'localhost', 'Content-Type', 'application/json', 'X-User', 'root', 'X-User', 'alice'];
      const sent = httpRequest({ port, path: '/s/mcp', method: 'POST', headers: headers as never }, (response) =>
        resolve(response.resume().statusCode),
      );
      sent.end(JSON.stringify(ping));
    });
    expect(status).toBe(403);
    await gateway.close();
  });

  test('addresses and networks of both families are compared; a socket for both shows IPv4 in another form', async () => {
    const { gateway } = await start(['10.0.0.0/8', '2001:db8::/32', '192.0.2.7']);
    const from = async (peer?: string): Promise<number> => {
      const headers = { 'content-type': 'application/json', 'x-user': 'alice' };
      const request = new Request('http://localhost/s/mcp', { method: 'POST', headers, body: JSON.stringify(ping) });
      const response = await gateway.fetch(request, peer);
      await response.text();
      return response.status;
    };
    for (const peer of ['10.1.2.3', '::ffff:10.1.2.3', '::FFFF:10.1.2.3', '::ffff:a01:203', '2001:db8::5', '192.0.2.7'])
      expect([peer, await from(peer)]).toEqual([peer, 200]);
    for (const peer of ['11.0.0.1', '::ffff:11.0.0.1', '2001:db9::5', '192.0.2.8', '::1', 'proxy', '', undefined])
      expect([peer, await from(peer)]).toEqual([peer, 403]);
    await gateway.close();
  });

  test('from any other address the header is nothing', async () => {
    const { gateway, who } = await start(['10.0.0.0/8', '::1']);
    expect((await post(gateway.base, ping, { 'x-user': 'alice' })).status).toBe(403);
    expect(who).toEqual([undefined]);
    await gateway.close();
  });
});

test('a user cannot keep many bodies open by sending them slowly; others are served meanwhile', async () => {
  const gateway = await startGateway({
    identity: { trustedProxy: { header: 'X-User', from: ['127.0.0.1'] } },
    limits: { concurrent: 2 },
    upstreams: { s: { url: upstreamUrl, revision: '2025-11-25' } },
  });
  const { port } = new URL(gateway.base);
  const begin = (): { sent: ClientRequest; status: Promise<number | undefined> } => {
    const headers = { 'content-type': 'application/json', 'content-length': 500, 'x-user': 'mallory' };
    const sent = httpRequest({ port, path: '/s/mcp', method: 'POST', headers });
    const status = new Promise<number | undefined>((resolve) => {
      sent.on('response', (response) => resolve(response.resume().statusCode)).on('error', () => resolve(undefined));
    });
    sent.write('{"jsonrpc"');
    return { sent, status };
  };
  const all = [begin(), begin(), begin()];
  expect(await Promise.race(all.map(({ status }) => status))).toBe(429);
  expect((await post(gateway.base, ping, { 'x-user': 'alice' })).status).toBe(200);
  for (const { sent } of all) sent.destroy();
  await Promise.all(all.map(({ status }) => status));
  await eventually(async () => expect((await post(gateway.base, ping, { 'x-user': 'mallory' })).status).toBe(200));
  await gateway.close();
});
