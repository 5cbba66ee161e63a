/** `--stdio`: what a desktop host writes, and what it reads. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { createGateway } from '@waybill/gateway';
import { expect, test } from 'vitest';
import { keys } from 'waybill';
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

/** A 2025 child that sets its state, and tells what came back. */
const CART = `
  const key = '${keys.STATE_SPELLINGS.server[0]}';
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const opening = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };
    const result = method === 'initialize' ? opening : { content: [], got: params?._meta?.[key] ?? null, _meta: { [key]: { cart: 'tea' } } };
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  }).on('close', () => process.exit());
`;

test('the state that the gateway keeps for the client of a pipe comes back with the next call', async () => {
  const upstreams = { s: { command: [process.execPath, '-e', CART], revision: '2025-11-25', state: { mode: 'keep' } } };
  const gateway = await createGateway({ upstreams, store: 'memory', identity: { single: true } });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const over = gateway.pipe(input, output);
  const ask = async (id: number, method: string, params: object): Promise<Json> => {
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return JSON.parse(String((await once(output, 'data'))[0])).result;
  };
  await ask(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } });
  const answers = [await ask(2, 'tools/call', { name: 'a' }), await ask(3, 'tools/call', { name: 'a' })];
  expect(answers.map(({ got }) => got)).toEqual([null, { cart: 'tea' }]);
  input.end();
  await over;
  await gateway.close();
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
