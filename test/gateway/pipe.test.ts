/** `--stdio`: what a desktop host writes, and what it reads. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { createGateway } from '@waybill/gateway';
import { expect, test } from 'vitest';
import { BIN, STDIO_SERVER } from './through.js';

type Json = any;

test('lines that are written at once, with garbage among them, are answered before the pipe is over', { timeout: 20_000 }, async () => {
  const upstreams = { s: { command: [process.execPath, STDIO_SERVER, 'v1'], revision: '2025-11-25' } };
  const gateway = await createGateway({ upstreams, identity: { single: true }, limits: { body: '64KB' } });
  const [input, output] = [new PassThrough(), new PassThrough()];
  let text = '';
  output.on('data', (chunk) => (text += String(chunk)));
  const over = gateway.pipe(input, output);
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  for (const message of [
    { id: 1, method: 'initialize', params },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'echo', arguments: { text: 'hi' } } },
    { id: 3, method: 'tools/call', params: { name: 'echo', arguments: { text: 'x'.repeat(70_000) } } },
  ])
    input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  input.end('not json\n[]\n');
  await over;
  await gateway.close();
  const lines: Json[] = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const byId = (id: unknown): Json[] => lines.filter((line) => line.id === id);
  expect(byId(1)[0].result.protocolVersion).toBe('2025-06-18');
  expect(byId(2)[0].result.content[0].text).toContain('hi');
  expect(byId(null).map(({ error }) => error.code)).toEqual([-32700, -32700, -32600]);
});

test('limits hold for a pipe too', async () => {
  const upstreams = { s: { command: [process.execPath, STDIO_SERVER, 'v1'], revision: '2025-11-25' } };
  const gateway = await createGateway({ upstreams, identity: { single: true }, limits: { rate: '2/h' } });
  const [input, output] = [new PassThrough(), new PassThrough()];
  let text = '';
  output.on('data', (chunk) => (text += String(chunk)));
  const over = gateway.pipe(input, output);
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  const messages = [{ id: 1, method: 'initialize', params }, ...[2, 3].map((id) => ({ id, method: 'ping' }))];
  input.end(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''));
  await over;
  await gateway.close();
  const answers: Json[] = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers.find(({ id }) => id === 2).result).toEqual({});
  expect(answers.find(({ id }) => id === 3).error).toEqual({ code: -32000, message: 'Too Many Requests: more than 2/h to s' });
});

test('a host that reads no more ends the gateway, without an error', { timeout: 20_000 }, async () => {
  const gateway = spawn(process.execPath, [BIN, '--stdio', '--', process.execPath, STDIO_SERVER, 'v1'], { stdio: 'pipe' });
  const ended = once(gateway, 'close');
  let log = '';
  gateway.stderr.on('data', (chunk) => (log += String(chunk)));
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  const say = (message: object): void => void gateway.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  gateway.stdin.on('error', () => undefined);
  say({ id: 1, method: 'initialize', params });
  await once(gateway.stdout, 'data');
  gateway.stdout.destroy();
  for (let id = 2; gateway.exitCode === null && id < 100; id++) {
    say({ id, method: 'ping' });
    await Promise.race([ended, once(gateway.stderr, 'data')]);
  }
  expect([...(await ended), log]).toEqual([0, null, expect.not.stringContaining('EPIPE')]);
});
