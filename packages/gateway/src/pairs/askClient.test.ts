import { expect, test } from 'vitest';
import type { Event } from '../answer.js';
import { readMessage, type Message } from '../message.js';
import { Queue } from '../queue.js';
import { askClient, type AskedOn } from './askClient.js';

const required = (inputs: string): Message =>
  readMessage(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":${inputs}}}`) as Message;
const TWO = '{"a":{"method":"elicitation/create","params":{"big":12345678901234567890}},"b":{"method":"roots/list"}}';

function client() {
  const stop = new AbortController();
  const queue = new Queue<Event>();
  const asked: AskedOn = { open: new Map(), queue, signal: stop.signal };
  const stream = queue[Symbol.asyncIterator]();
  const next = async (): Promise<Message> => readMessage(((await stream.next()).value as Event).text) as Message;
  const answer = (to: Message, rest: string): void =>
    asked.open.get(JSON.stringify(to.id))?.(readMessage(`{"jsonrpc":"2.0","id":${JSON.stringify(to.id)},${rest}}`) as Message);
  return { asked, queue, stop, next, answer };
}

test('all questions of a round are asked at once, and questions and answers keep their bytes', async () => {
  const { asked, next, answer } = client();
  const responses = askClient(required(TWO), asked);
  const [first, second] = [await next(), await next()];
  expect(first.text).toContain('"params":{"big":12345678901234567890}');
  expect([second.method, second.params]).toEqual(['roots/list', undefined]);
  answer(second, '"result":{"roots":[]}');
  answer(first, '"result":{"action":"accept","content":{"n":1.0}}');
  expect(await responses).toBe('{"a":{"action":"accept","content":{"n":1.0}},"b":{"roots":[]}}');
  expect(asked.open.size).toBe(0);
});

test.each<[string, (one: ReturnType<typeof client>, question: Message) => void, RegExp]>([
  [
    'refuses',
    ({ answer }, question) => answer(question, '"error":{"code":-1,"message":"not now"}'),
    /refused to answer roots\/list: not now/,
  ],
  ['cancels its call', ({ stop }) => stop.abort(), /cancelled/],
])('a client that %s ends the call', async (_, act, problem) => {
  const one = client();
  const responses = askClient(required('{"b":{"method":"roots/list"}}'), one.asked);
  act(one, await one.next());
  await expect(responses).rejects.toThrow(problem);
  expect(one.asked.open.size).toBe(0);
});

test('a client that has gone is not waited for', async () => {
  const { asked, queue } = client();
  queue.end();
  await expect(askClient(required(TWO), asked)).rejects.toThrow(/has gone/);
});

test('a round without questions needs no answer', async () => {
  expect(await askClient(required('{}'), client().asked)).toBe('{}');
});
