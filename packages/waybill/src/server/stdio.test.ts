import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { CLIENT_CONTEXT } from '../wire/keys.js';
import { serverContext } from './server.js';
import type { StdioOptions } from './stdio.js';

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x' } };
const context = { timezone: 'Asia/Tokyo' };

async function open(options: Partial<StdioOptions> = {}) {
  const [stdin, stdout] = [new PassThrough(), new PassThrough({ highWaterMark: 64 })];
  const { transport } = serverContext().stdio({ stdin, stdout, ...options });
  const seen: any[] = [];
  const errors: string[] = [];
  const ends: string[] = [];
  transport.onmessage = (message) => void seen.push(message);
  transport.onerror = (error) => void errors.push(error.message);
  transport.onclose = () => void ends.push('closed');
  await transport.start();
  /** Until the stream has handed on what was written. */
  const write = async (bytes: string | Buffer): Promise<void> => {
    stdin.write(bytes);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { transport, stdin, stdout, seen, errors, ends, write };
}

describe('the stdio transport', () => {
  it('CTX-21: lifts the literal member beside params, before anybody is strict about it', async () => {
    const { seen, write } = await open();
    await write(`${JSON.stringify({ ...call, clientContext: context })}\n${JSON.stringify(call)}\n`);
    expect(seen).toEqual([{ ...call, params: { name: 'x', _meta: { [CLIENT_CONTEXT]: context } } }, call]);
  });

  it('takes lines in any pieces, characters torn apart among them', async () => {
    const { seen, write } = await open();
    const bytes = Buffer.from(`${JSON.stringify({ ...call, params: { name: 'é👋' } })}\r\n\n${JSON.stringify(call)}\n`);
    for (const byte of bytes) await write(Buffer.from([byte]));
    expect(seen.map(({ params }) => params.name)).toEqual(['é👋', 'x']);
  });

  it.each([
    ['is no JSON', '{"jsonrpc"', 'JSON'],
    ['is no message', '[1]', 'not a JSON-RPC message'],
    ['is of another protocol', '{"jsonrpc":"1.0","id":1,"method":"x"}', 'not a JSON-RPC message'],
    ['has a member nobody knows', JSON.stringify({ ...call, other: 1 }), 'unknown member "other"'],
  ])('drops a line that %s, tells of it, and goes on', async (_, line, problem) => {
    const { seen, errors, write } = await open();
    await write(`${line}\n${JSON.stringify(call)}\n`);
    expect([seen, errors]).toEqual([[call], [expect.stringContaining(problem)]]);
  });

  it('a handler that throws does not end it', async () => {
    const { transport, errors, write } = await open();
    transport.onmessage = () => {
      throw new Error('handler');
    };
    await write(`${JSON.stringify(call)}\n`);
    expect(errors).toEqual(['handler']);
  });

  it('ends when a line does not', async () => {
    const { errors, ends, write } = await open({ maxLine: 100 });
    await write('x'.repeat(101));
    expect([errors.length, ends]).toEqual([1, ['closed']]);
  });

  it('ends with its input, once, and refuses to send after that', async () => {
    const { transport, stdin, ends } = await open();
    stdin.end();
    await new Promise((resolve) => stdin.once('close', resolve));
    await transport.close();
    expect(ends).toEqual(['closed']);
    await expect(transport.send(call)).rejects.toThrow('closed');
  });

  it('writes one line a message, and waits while nobody reads', async () => {
    const { transport, stdout } = await open();
    const long = { jsonrpc: '2.0', id: 1, result: { text: 'y'.repeat(500) } };
    let done = false;
    const sent = transport.send(long).then(() => (done = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(done).toBe(false);
    expect(String(stdout.read())).toBe(`${JSON.stringify(long)}\n`);
    await sent;
    await transport.send({ a: 1 });
    expect(String(stdout.read())).toBe('{"a":1}\n');
  });

  it('a broken output fails what is being sent and ends it; later errors end nothing more', async () => {
    const { transport, stdout, errors, ends } = await open();
    const sent = transport.send({ text: 'y'.repeat(500) });
    stdout.destroy(new Error('gone'));
    await expect(sent).rejects.toThrow('gone');
    stdout.emit('error', new Error('again'));
    expect([errors, ends]).toEqual([['gone'], ['closed']]);
  });

  it('starts once', async () => {
    const { transport } = await open();
    await expect(transport.start()).rejects.toThrow('already started');
  });
});
