import { expect, test } from 'vitest';
import { keys } from 'waybill';
import type { Event } from '../answer.js';
import { makeMessage, type Message } from '../message.js';
import { Queue } from '../queue.js';
import { RelayedCall } from './relayedCall.js';

type Json = any;

const QUESTION = '{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"?","big":12345678901234567890}}';
const OTHER = '{"jsonrpc":"2.0","id":2,"method":"elicitation/create","params":{"_meta":{"progressToken":1},"message":"and?"}}';

function began(canAsk: (question: Message) => boolean = () => true) {
  const sent: Json[] = [];
  let parked = 0;
  const send = (message: Message): Promise<void> => Promise.resolve(void sent.push(JSON.parse(message.text)));
  const call = new RelayedCall('tools/call', { send, canAsk, park: () => `state ${++parked}` });
  const request = (id: number, params: object = {}) => {
    const stop = new AbortController();
    const queue = new Queue<Event>();
    const _meta = { [keys.PROGRESS_TOKEN]: `token ${id}` };
    const message = makeMessage({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'a', _meta, ...params } });
    return { message, queue, signal: stop.signal, stop };
  };
  const first = request(1);
  call.attach(first);
  return { call, request, first, sent };
}

async function textsOf(queue: Queue<Event>): Promise<string[]> {
  const texts: string[] = [];
  for await (const { text } of queue) texts.push(text);
  return texts;
}

test('a question ends the request with input_required, and the next request brings the answer and gets the result', async () => {
  const { call, request, first, sent } = began();
  expect(call.take(QUESTION)).toBe(false);
  const [asked = ''] = await textsOf(first.queue);
  const { id, result } = JSON.parse(asked);
  const [name = ''] = Object.keys(result.inputRequests);
  expect([id, result.resultType, result.requestState]).toEqual([1, 'input_required', 'state 1']);
  // The parameters are the bytes of the server.
  expect(asked).toContain('"params":{"message":"?","big":12345678901234567890}');
  const second = request(2, { inputResponses: { [name]: { action: 'accept' } }, requestState: 'state 1' });
  call.resume(second);
  expect(sent).toEqual([{ jsonrpc: '2.0', id: 'q1', result: { action: 'accept' } }]);
  call.take(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"${call.id}","progress":1}}`);
  expect(call.take(`{"jsonrpc":"2.0","id":"${call.id}","result":{"content":[]}}`)).toBe(true);
  expect((await textsOf(second.queue)).map((text) => JSON.parse(text))).toEqual([
    { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'token 2', progress: 1 } },
    { jsonrpc: '2.0', id: 2, result: { content: [], resultType: 'complete' } },
  ]);
});

test('a question that was not answered, and one that came meanwhile, are asked again', async () => {
  const { call, request, first, sent } = began();
  call.take(QUESTION);
  await textsOf(first.queue);
  call.take(OTHER);
  const second = request(2);
  call.resume(second);
  const { inputRequests, requestState } = JSON.parse((await textsOf(second.queue))[0] ?? '').result;
  // Progress of an answer has no way back, so its token is not asked for.
  expect(Object.values<Json>(inputRequests).map(({ params }) => [params.message, params._meta?.progressToken])).toEqual([
    ['?', undefined],
    ['and?', undefined],
  ]);
  expect([requestState, sent]).toEqual(['state 2', []]);
});

test.each<[string, (call: RelayedCall) => unknown, string | RegExp]>([
  ['an answer', (call) => call.take(`{"jsonrpc":"2.0","id":"${call.id}","result":{"late":true}}`), '"late":true'],
  ['an error', (call) => call.take(`{"jsonrpc":"2.0","id":"${call.id}","error":{"code":-32001,"message":"timed out"}}`), 'timed out'],
  ['a broken stream', (call) => call.fail(new Error('broke off')), /broke off/],
])('%s that comes while nobody listens waits for the next request', async (_, act, expected) => {
  const { call, request, first } = began();
  call.take(QUESTION);
  await textsOf(first.queue);
  act(call);
  const second = request(2);
  call.resume(second);
  const outcome = textsOf(second.queue).catch((error: unknown) => [String(error)]);
  expect((await outcome)[0]).toEqual(typeof expected === 'string' ? expect.stringContaining(expected) : expect.stringMatching(expected));
});

test('a question that the server withdraws is not asked again', async () => {
  const { call, request, first } = began();
  call.take(QUESTION);
  await textsOf(first.queue);
  call.take('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q1"}}');
  const second = request(2);
  call.resume(second);
  call.take(`{"jsonrpc":"2.0","id":"${call.id}","result":{}}`);
  expect(await textsOf(second.queue)).toEqual(['{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete"}}']);
});

test('a question that the client cannot answer is refused, and a ping is answered here', () => {
  const { call, sent } = began(() => false);
  call.take(QUESTION);
  call.take('{"jsonrpc":"2.0","id":3,"method":"ping"}');
  expect(sent.map(({ id, error, result }) => [id, error?.code, result])).toEqual([
    ['q1', -32601, undefined],
    [3, undefined, {}],
  ]);
});

test('a client that goes away cancels; one whose request has ended with a question does not', async () => {
  const { call, first, sent } = began();
  call.take(QUESTION);
  await textsOf(first.queue);
  first.stop.abort();
  expect([sent, call.signal.aborted]).toEqual([[], false]);
  const other = began();
  other.first.stop.abort();
  await Promise.resolve();
  expect(other.sent).toEqual([{ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: other.call.id } }]);
});
