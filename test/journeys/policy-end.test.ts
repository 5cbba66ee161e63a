import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const PROGRAM = `
  import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
  import { McpServer } from '@modelcontextprotocol/server';
  import { clientContext } from 'waybill/client';
  import { jar } from 'waybill/client/jar';
  import { sqliteStore } from 'waybill/client/node';
  const waybill = clientContext({ language: 'de', policy: {}, state: jar({ store: sqliteStore(process.argv[2]) }) });
  if (process.argv[1] === 'read') {
    const [entry] = (await waybill.ledger.list()).filter(({ field }) => field === 'language');
    console.log(entry?.count ?? 0);
    await waybill.jar.close();
  } else {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const server = new McpServer({ name: 's', version: '1' });
    server.registerTool('echo', { description: 'x' }, async () => ({ content: [] }));
    await server.connect(far);
    const client = new Client({ name: 'c', version: '1' });
    await client.connect(waybill.attach(near, { server: 'shop' }));
    await client.callTool({ name: 'echo', arguments: {} });
  }`;

it('a program that ends by itself, without jar.close(), loses no count of its ledger (D-20)', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'waybill-ledger-'));
  const run = (what: string) =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM, what, path.join(folder, 'state.db')]);
  try {
    await run('call');
    expect(Number((await run('read')).stdout)).toBe(2);
  } finally {
    await rm(folder, { recursive: true });
  }
});
