/** Clients with an SDK learn from the gateway who gives out tokens, get one there, and are served. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, ClientCredentialsProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ClientCredentialsProvider as ProviderV1 } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveHttp } from '../journeys/fixtures/serve.mjs';
import { freePort } from '../support/freePort.mjs';
import { startGateway } from './through.js';

let issuer: string;
let issuing: Server;
let served: Awaited<ReturnType<typeof serveHttp>>;
let gateway: Awaited<ReturnType<typeof startGateway>>;
const asked: (string | null)[] = [];
const who: (string | undefined)[] = [];

beforeAll(async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' }];
  issuing = createServer((request, response) => {
    let text = '';
    const say = (body: object): void => void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    request
      .on('data', (chunk) => (text += String(chunk)))
      .on('end', () => {
        if (request.url === '/keys') say({ keys });
        else if (request.url === '/.well-known/oauth-authorization-server')
          say({
            ...{ issuer, jwks_uri: `${issuer}/keys`, token_endpoint: `${issuer}/token`, authorization_endpoint: `${issuer}/authorize` },
            ...{ response_types_supported: ['code'], grant_types_supported: ['client_credentials'] },
            token_endpoint_auth_methods_supported: ['client_secret_basic'],
          });
        else if (request.url === '/token') {
          // The token is for the resource that the client names, letter by letter.
          const resource = new URLSearchParams(text).get('resource');
          asked.push(resource);
          void new SignJWT({ sub: 'alice' })
            .setProtectedHeader({ alg: 'ES256', kid: 'k' })
            .setIssuer(issuer)
            .setAudience(resource ?? 'nothing')
            .setExpirationTime('1m')
            .sign(privateKey)
            .then((token) => say({ access_token: token, token_type: 'Bearer', expires_in: 60 }));
        } else response.writeHead(404).end();
      });
  });
  await new Promise<void>((resolve) => issuing.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(issuing.address() as AddressInfo).port}`;
  served = await serveHttp('v2');
  const listen = `127.0.0.1:${await freePort()}`;
  gateway = await startGateway(
    { listen, identity: { jwt: { issuer, audience: `http://${listen}` } }, upstreams: { s: { url: served.url.href } } },
    { onExchange: ({ upstream, principal, status }) => upstream === 's' && status === 200 && who.push(principal) },
  );
});
afterAll(async () => {
  await gateway.close();
  await served.close();
  issuing.closeAllConnections();
  issuing.close();
});

const about = (): { clientId: string; clientSecret: string; expectedIssuer: string } => ({
  clientId: 'c',
  clientSecret: 's',
  expectedIssuer: issuer,
});
test.each([
  [
    'SDK v2',
    () => new Client({ name: 'c', version: '1' }),
    (url: URL) => new StreamableHTTPClientTransport(url, { authProvider: new ClientCredentialsProvider(about()) }),
  ],
  [
    'SDK v1',
    () => new ClientV1({ name: 'c', version: '1' }),
    (url: URL) => new TransportV1(url, { authProvider: new ProviderV1(about()) }),
  ],
])('a client with %s gets a token for the gateway and is served', async (_, clientOf, transportOf) => {
  const client = clientOf();
  who.length = 0;
  await client.connect(transportOf(new URL('/s/mcp', gateway.base)));
  expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  await client.close();
  expect(asked.at(-1)).toBe(gateway.base);
  expect(new Set(who)).toEqual(new Set([JSON.stringify([issuer, 'alice'])]));
});
