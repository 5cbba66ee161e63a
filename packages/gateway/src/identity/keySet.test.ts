import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { KeySet, NoKeys } from './keySet.js';

test('an issuer that never answers is asked for one time in all, not at each address again', async () => {
  const asked: (string | undefined)[] = [];
  const over = new AbortController();
  const server = createServer(({ url }) => {
    asked.push(url);
    over.abort();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const lines: string[] = [];
  const keys = new KeySet({ issuer, jwks: undefined, now: () => 0, log: (line) => lines.push(line), until: () => over.signal });
  await expect(Promise.all([keys.keys(), keys.keys()])).rejects.toThrow(NoKeys);
  expect(asked).toEqual(['/.well-known/oauth-authorization-server']);
  expect(lines).toEqual([
    expect.stringContaining(`the keys of ${issuer} cannot be read: ${issuer}/.well-known/oauth-authorization-server`),
  ]);
  server.closeAllConnections();
  server.close();
});
