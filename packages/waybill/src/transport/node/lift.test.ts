import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { StdioServerTransport as StdioV1 } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StdioServerTransport as StdioV2 } from '@modelcontextprotocol/server/stdio';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CLIENT_CONTEXT } from '../../wire/keys.js';
import { liftStream } from './lift.js';

async function through(chunks: readonly Buffer[]): Promise<Buffer[]> {
  const out: Buffer[] = [];
  for await (const chunk of liftStream(Readable.from(chunks, { objectMode: false }))) out.push(chunk as Buffer);
  return out;
}
const line = (message: object): string => `${JSON.stringify(message)}\n`;
const sibling = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x' }, clientContext: { timezone: 'Europe/Vienna' } };
const lifted = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'x', _meta: { [CLIENT_CONTEXT]: { timezone: 'Europe/Vienna' } } },
};
const plain = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };

describe('the stdin lifter', () => {
  it('CTX-21: the lifter moves the sibling into _meta before the SDK would drop the line', async () => {
    const out = Buffer.concat(await through([Buffer.from(line(plain) + line(sibling) + line(plain))])).toString();
    expect(
      out
        .split('\n')
        .filter(Boolean)
        .map((text) => JSON.parse(text) as unknown),
    ).toEqual([plain, lifted, plain]);
  });

  it('a chunk without the sibling passes as the same bytes, not as a copy', async () => {
    const chunk = Buffer.from(line(plain) + line(plain));
    const input = new PassThrough();
    const stream = liftStream(input);
    const seen: Buffer[] = [];
    stream.on('data', (one: Buffer) => seen.push(one));
    input.end(chunk);
    await new Promise((resolve) => stream.on('end', resolve));
    expect(seen[0]?.buffer).toBe(chunk.buffer);
    // Small buffers share one block of memory.
    expect(seen[0]?.byteOffset).toBe(chunk.byteOffset);
    expect(Buffer.concat(seen).equals(chunk)).toBe(true);
  });

  it.each(['{"clientContext":', '"clientContext"', '["clientContext"]', '{"clientContext":1}', 'not json "clientContext"'])(
    'a line that is no such request is left unchanged: %s',
    async (text) => {
      expect(Buffer.concat(await through([Buffer.from(`${text}\n`)])).toString()).toBe(`${text}\n`);
    },
  );

  it('the lines are the same for every way to cut the bytes', async () => {
    const whole = Buffer.from(line(plain) + line({ ...sibling, params: { name: 'é😀' } }) + line(plain) + 'rest');
    const expected = Buffer.concat(await through([whole])).toString();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: whole.length }), { maxLength: 6 }), async (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), whole.length];
        const chunks = at
          .slice(1)
          .map((end, index) => whole.subarray(at[index], end))
          .filter((chunk) => chunk.length > 0);
        expect(Buffer.concat(await through(chunks)).toString()).toBe(expected);
      }),
    );
  });

  it('an error of the input stream is passed on', async () => {
    const input = new PassThrough();
    const stream = liftStream(input);
    const failed = new Promise((resolve) => stream.on('error', resolve));
    input.destroy(new Error('gone'));
    expect(((await failed) as Error).message).toBe('gone');
  });

  it('a last line without an end is passed on', async () => {
    expect(Buffer.concat(await through([Buffer.from(`${line(plain)}la`), Buffer.from('st')])).toString()).toBe(`${line(plain)}last`);
  });

  it('the lifter holds no more of a line than the limit, and lifts the lines behind it', async () => {
    const input = new PassThrough();
    const stream = liftStream(input, { maxLine: 8 });
    const seen: string[] = [];
    stream.on('data', (bytes: Buffer) => seen.push(String(bytes)));
    for (const piece of ['12345', '678', '9', '1234', `5\n${line(sibling)}`]) input.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toEqual(['123456789', `12345\n${line(lifted)}`]);
  });

  it.each([
    ['v1', StdioV1],
    ['v2', StdioV2],
  ])('the SDK %s behind it keeps its own limit', async (_, Stdio) => {
    const input = new PassThrough();
    const transport = new Stdio(liftStream(input), new PassThrough());
    const refused = new Promise<Error>((resolve) => (transport.onerror = resolve));
    await transport.start();
    const piece = Buffer.alloc(1024 * 1024, 'x');
    for (let count = 0; count <= 10; count++) input.write(piece);
    expect((await refused).message).toContain('exceeded maximum size');
  });

  it.each([0, -1, 1.5, '8'])('a limit of %j is refused', (maxLine) => {
    expect(() => liftStream(new PassThrough(), { maxLine: maxLine as number })).toThrow('liftStream.maxLine: ');
  });

  it('the lifter ends when its input is destroyed', async () => {
    const input = new PassThrough();
    const stream = liftStream(input).resume();
    input.destroy();
    await once(stream, 'end');
  });
});
