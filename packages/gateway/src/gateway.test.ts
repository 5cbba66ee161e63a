import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createGateway } from './gateway.js';

it('a gateway that cannot be made leaves no connection to its store open', async () => {
  const sockets = new Set<Socket>();
  const redis = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.resume().on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => redis.listen(0, '127.0.0.1', resolve));
  const folder = mkdtempSync(join(tmpdir(), 'waybill-gateway-'));
  const config = {
    store: `redis://127.0.0.1:${(redis.address() as AddressInfo).port}`,
    identity: { single: true },
    // The folder has no file of the default language.
    upstreams: { crm: { url: 'https://crm.example.com/mcp', language: { default: 'en', catalogs: folder } } },
  };
  await expect(createGateway(config)).rejects.toThrow('the default language has no file');
  // A connection that is left open, or made again, shows within this time.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(sockets.size).toBe(0);
  for (const socket of sockets) socket.destroy();
  redis.close();
  rmSync(folder, { recursive: true });
});
