/** Changes answers on their way back to the client. Bytes that no rule looks at are not touched. */
import { garbled, type Answer, type Event } from './answer.js';
import { own } from './json/values.js';
import { isAnswer, readMessage, type Message } from './message.js';
import { SPOKEN } from './revision.js';
import { eventsOf, isEventStream, isJson, textOfBody } from './sse.js';

/** Refuses a page, or nothing, in place of an answer: that is a fault of the upstream. A status of failure tells so itself and is passed on. */
export function refuseOtherMedia(answer: Answer, name: string): void {
  if (answer.kind !== 'http' || answer.status < 200 || answer.status > 299) return;
  const type = answer.headers['content-type'];
  if (isJson(type) || isEventStream(type)) return;
  answer.body.on('error', () => undefined).destroy();
  throw garbled(name);
}

/** Replaces the versions that the upstream names: clients may use ours, whatever the upstream speaks. */
export function ownVersions(message: Message): void {
  const versions = own(own(message.value, 'result'), 'supportedVersions');
  const isOurs = Array.isArray(versions) && versions.length === SPOKEN.length && SPOKEN.every((version) => versions.includes(version));
  if (Array.isArray(versions) && !isOurs) message.set(['result', 'supportedVersions'], SPOKEN);
}

/**
 * Changes every message of an answer. `added` are headers that the change may still add to while it looks at the first message. `onEnd` is called
 * when a stream is over.
 */
export async function changeAnswer(
  answer: Answer,
  change: (message: Message) => void | Promise<void>,
  added: Record<string, string>,
  name: string,
  onEnd: () => void = () => undefined,
): Promise<Answer> {
  const apply = async (text: string, message: Message | undefined): Promise<string> => {
    if (message === undefined) return text;
    await change(message);
    return message.text;
  };
  const changeAll = async function* (events: AsyncIterable<Event>): AsyncGenerator<Event> {
    try {
      for await (const event of events) {
        // The object of an answer is nobody else's. One of another message may go to several readers.
        const message = event.message !== undefined && isAnswer(event.message) ? event.message : readMessage(event.text);
        yield message === undefined ? event : { ...event, text: await apply(event.text, message), message };
      }
    } finally {
      onEnd();
    }
  };
  if (answer.kind === 'whole') {
    const { text } = answer;
    return text === undefined ? answer : withHeaders({ ...answer, text: await apply(text, readMessage(text)) }, added);
  }
  if (answer.kind === 'messages') return withHeaders({ ...answer, messages: changeAll(answer.messages) }, added);
  const { status, headers, body } = answer;
  const type = headers['content-type'];
  if (isEventStream(type)) return withHeaders({ kind: 'messages', headers, messages: changeAll(eventsOf(body)) }, added);
  if (!isJson(type)) return answer;
  const text = await textOfBody(body, name);
  const message = readMessage(text);
  if (status === 200 && message === undefined) throw garbled(name);
  return withHeaders({ kind: 'whole', status, headers, text: await apply(text, message) }, added);
}

/** The head of a stream leaves with its first message, and rules may add headers until then: so its headers are a live object. */
export function withHeaders(answer: Answer, added: Record<string, string>): Answer {
  if (answer.kind === 'messages') return { ...answer, headers: Object.assign(added, { ...answer.headers, ...added }) };
  return Object.keys(added).length === 0 ? answer : { ...answer, headers: { ...answer.headers, ...added } };
}

/** Returns the code of an answer that is one JSON-RPC error, and an answer to pass on in its place, because its body has been read. */
export async function readRefusal(answer: Answer, name: string): Promise<{ readonly code: unknown; readonly answer: Answer } | undefined> {
  if (answer.kind === 'messages') return undefined;
  if (answer.kind === 'whole') return answer.text === undefined ? undefined : { code: codeOf(answer.text), answer };
  const { status, headers, body } = answer;
  if (status !== 400 || !isJson(headers['content-type'])) return undefined;
  const text = await textOfBody(body, name);
  return { code: codeOf(text), answer: { kind: 'whole', status, headers, text } };
}

function codeOf(text: string): unknown {
  return text.includes('"error"') ? own(own(readMessage(text)?.value, 'error'), 'code') : undefined;
}
