/** Asks a 2025 client what a 2026 server wants to know (`input_required`): all questions of one round at once, on the stream of the call. */
import { randomUUID } from 'node:crypto';
import { Refusal, type Event } from '../answer.js';
import { textAt } from '../json/spans.js';
import { at, isObject, textOf } from '../json/values.js';
import { idKey, makeMessage, type Message } from '../message.js';
import type { Queue } from '../queue.js';

/** Questions that wait for the client's answer, by the key of their id. */
export type OpenQuestions = Map<string, (answer: Message) => void>;

export interface AskedOn {
  readonly open: OpenQuestions;
  /** The stream of the call. */
  readonly queue: Queue<Event>;
  /** Aborted if the client cancels its call. */
  readonly signal: AbortSignal;
}

/** Milliseconds that a person has for an answer. */
const LIFE = 5 * 60_000;

/** Returns the JSON text of `inputResponses`. `required` is the answer of the server. */
export async function askClient(required: Message, asked: AskedOn): Promise<string> {
  const inputs = at(required.value, 'result', 'inputRequests');
  const answers = Object.entries(isObject(inputs) ? inputs : {}).map(async ([name, input]) => {
    const method = textOf(at(input, 'method')) ?? '';
    const params = textAt(required.text, ['result', 'inputRequests', name, 'params']);
    const answer = await ask(method, params, asked);
    if (answer.kind === 'error')
      throw new Refusal(200, -32603, `The client refused to answer ${method}: ${textOf(at(answer.value, 'error', 'message')) ?? ''}`);
    return `${JSON.stringify(name)}:${textAt(answer.text, ['result']) ?? '{}'}`;
  });
  return `{${(await Promise.all(answers)).join(',')}}`;
}

async function ask(method: string, params: string | undefined, { open, queue, signal }: AskedOn): Promise<Message> {
  if (queue.isEnded) throw new Refusal(200, -32603, `The client has gone, so nobody can answer ${method}`);
  const id = randomUUID();
  const key = idKey(id);
  let timer: NodeJS.Timeout | undefined;
  let cancel = (): void => undefined;
  try {
    return await new Promise<Message>((resolve, reject) => {
      open.set(key, resolve);
      cancel = () => reject(new Error('cancelled'));
      timer = setTimeout(() => reject(new Refusal(200, -32603, `The client did not answer ${method} in time`)), LIFE).unref();
      if (signal.aborted) cancel();
      else signal.addEventListener('abort', cancel, { once: true });
      const question = makeMessage({ jsonrpc: '2.0', id, method });
      if (params !== undefined) question.setText(['params'], params);
      queue.push({ text: question.text });
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
    open.delete(key);
  }
}
