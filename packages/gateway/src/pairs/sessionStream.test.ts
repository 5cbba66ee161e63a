import { expect, test } from 'vitest';
import type { Answer, Event } from '../answer.js';
import type { Message } from '../message.js';
import { Queue } from '../queue.js';
import { SessionStream } from './sessionStream.js';

type Json = any;
const QUESTION = '{"jsonrpc":"2.0","id":"q","method":"roots/list"}';

function opened(answer?: Answer) {
  const queue = new Queue<Event>();
  const sent: Json[] = [];
  let opens = 0;
  const stream = new SessionStream({
    name: 's',
    open: () => (opens++, Promise.resolve(answer ?? { kind: 'messages', messages: queue })),
    send: (message: Message) => void sent.push(JSON.parse(message.text)),
  });
  const say = async (text: string): Promise<void> => {
    queue.push({ text });
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { stream, queue, sent, say, opens: () => opens };
}

test('a question goes to the only call there is, and is refused if there are two, or none', async () => {
  const { stream, sent, say } = opened();
  const asked: string[] = [];
  const leave = await stream.join({ ask: () => void asked.push('first') });
  const leaveSecond = await stream.join({ ask: () => void asked.push('second') });
  await say(QUESTION);
  expect([asked, sent[0].error.code]).toEqual([[], -32603]);
  leave();
  await say(QUESTION);
  expect(asked).toEqual(['second']);
  leaveSecond();
  await say(QUESTION);
  expect([asked.length, sent.length]).toEqual([1, 2]);
  stream.close();
});

test('listeners hear notifications, share one stream, and hear its end; a ping is answered', async () => {
  const { stream, queue, sent, say, opens } = opened();
  const heard: string[] = [];
  const listener = (name: string) => ({
    notify: ({ method }: Message) => void heard.push(`${name} ${method}`),
    ended: () => void heard.push(`${name} ended`),
  });
  await Promise.all([stream.join(listener('a')), stream.join(listener('b'))]);
  await say('{"jsonrpc":"2.0","method":"x"}');
  await say('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  expect([heard, opens(), sent]).toEqual([['a x', 'b x'], 1, [{ jsonrpc: '2.0', id: 1, result: {} }]]);
  queue.end();
  await say('');
  expect(heard.slice(2)).toEqual(['a ended', 'b ended']);
  await stream.join({});
  expect(opens()).toBe(2);
});

test('a server without such a stream is asked for it once', async () => {
  const { stream, opens } = opened({ kind: 'whole', status: 405 });
  await stream.join({});
  await stream.join({});
  expect(opens()).toBe(1);
});
