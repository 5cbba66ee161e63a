/** Progress in the same chunk as its result: both SDKs alone lose it. */
import { expect, test } from 'vitest';
import { clientContext } from 'waybill/client';
import { peerOf, stdioTransport } from './clients.js';

/** Answers `tools/call` with two progress reports and the result in one write. */
const SERVER = `
const line = (message) => JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n';
require('node:readline').createInterface({ input: process.stdin }).on('line', (text) => {
  const { id, method, params } = JSON.parse(text);
  if (method === 'initialize') {
    const { protocolVersion } = params;
    process.stdout.write(line({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } }));
  } else if (method === 'tools/call') {
    const progress = (progress) => line({ method: 'notifications/progress', params: { progressToken: params._meta.progressToken, progress } });
    process.stdout.write(progress(1) + progress(2) + line({ id, result: { content: [] } }));
  }
});`;

test.each(['v1', 'v2-legacy'] as const)('%s: progress that arrived before the result is reported before it', async (kind) => {
  const client = peerOf(kind);
  await client.connect(clientContext().attach(stdioTransport(kind, ['-e', SERVER])));
  try {
    const told: number[] = [];
    await client.callTool({ name: 'count', arguments: {} }, { onprogress: ({ progress }) => told.push(progress as number) });
    expect(told).toEqual([1, 2]);
  } finally {
    await client.close();
  }
});
