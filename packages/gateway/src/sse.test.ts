import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { eventsOf, eventText, messagesOf } from './sse.js';

const bytes = (...parts: string[]): Readable => Readable.from(parts.map((part) => Buffer.from(part)));
const MEGABYTE = Buffer.alloc(1024 * 1024);
async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

test('events come out whole, however the bytes are cut', async () => {
  const stream = Buffer.from('id: 1\ndata: {"é":1}\n\n: still here\n\ndata: a\ndata: b\n\n');
  for (let cut = 1; cut < stream.length; cut++) {
    const body = Readable.from([stream.subarray(0, cut), stream.subarray(cut)]);
    expect(await all(eventsOf(body))).toEqual([
      { text: '{"é":1}', lastId: '1' },
      { text: '', aside: ': still here\n\n' },
      { text: 'a\nb' },
    ]);
  }
});

test('a written event can be read again, with ids, comments and line breaks between tokens', async () => {
  const events = [{ text: '{"a":\n1}', lastId: 'x' }, { text: '', aside: ': hello\n\n' }, { text: '{}' }];
  expect(await all(eventsOf(bytes(events.map(eventText).join(''))))).toEqual(events);
});

test.each([
  [{ kind: 'http', status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body: bytes('{"a"', ':1}') }, ['{"a":1}']],
  [{ kind: 'http', status: 200, headers: { 'content-type': 'text/event-stream' }, body: bytes('data: {}\n\n') }, ['{}']],
  [{ kind: 'http', status: 202, headers: {}, body: bytes() }, []],
  [{ kind: 'whole', status: 202 }, []],
] as const)('the messages of %o are %j', async (answer, expected) => {
  expect((await all(messagesOf(answer, 's'))).map(({ text }) => text)).toEqual(expected);
});

test.each([
  ['a page', { kind: 'http', status: 200, headers: { 'content-type': 'text/html' }, body: bytes('<p>') }, /not JSON-RPC/],
  ['a status without a message', { kind: 'whole', status: 503 }, /status 503/],
  [
    'more than the limit',
    { kind: 'http', status: 200, headers: { 'content-type': 'application/json' }, body: Readable.from(Array(65).fill(MEGABYTE)) },
    /more than 67108864 bytes/,
  ],
] as const)('%s is refused', async (_, answer, problem) => {
  await expect(all(messagesOf(answer, 's'))).rejects.toThrow(problem);
});
