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

const COUNTED = `
  import { Session } from 'node:inspector';
  import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
  import { McpServer } from '@modelcontextprotocol/server';
  import { clientContext } from 'waybill/client';
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = new McpServer({ name: 's', version: '1' });
  server.registerTool('echo', { description: 'x' }, async () => ({ content: [] }));
  await server.connect(far);
  const waybill = clientContext({ language: 'de', ...(process.argv[1] === 'policy' && { policy: {} }) });
  const profiler = new Session();
  profiler.connect();
  profiler.post('Profiler.enable');
  profiler.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const client = new Client({ name: 'c', version: '1' });
  await client.connect(waybill.attach(near));
  await client.callTool({ name: 'echo', arguments: {} });
  profiler.post('Profiler.takePreciseCoverage', (_, { result }) => {
    const files = result.filter(({ functions }) => functions.some(({ ranges }) => ranges[0].count > 0)).map(({ url }) => url);
    console.log(JSON.stringify(files.flatMap((url) => /waybill\\/dist\\/(.*)/.exec(url)?.[1] ?? [])));
  });
  process.exit(0);`;

it('without a policy no function of the policy is called for a message, from connect on (D-20)', async () => {
  const called = async (what: string): Promise<string[]> => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', COUNTED, what]);
    return (JSON.parse(stdout) as string[]).filter((file) => /^(?:client|wire)\/policy\//.test(file));
  };
  expect(await called('none')).toEqual([]);
  expect(await called('policy')).toContain('client/policy/keeper.js');
});
