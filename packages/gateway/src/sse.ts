/** Server-sent events: the messages of an HTTP answer, and messages as events. */
import type { Readable } from 'node:stream';
import { createParser } from 'eventsource-parser';
import { broken, garbled, Refusal, refusedBy, type Answer, type Event } from './answer.js';
import { eachChunk } from './chunks.js';
import { isAnswer, readMessage, type Message } from './message.js';

/** Bytes of the longest answer or event that is held in memory. A longer one breaks its exchange off. */
const MAX_ANSWER = 64 * 1024 * 1024;

/** Yields each event as soon as it is whole. The source is read only as fast as the events are taken. */
export async function* eventsOf(body: Readable): AsyncGenerator<Event> {
  const ready: Event[] = [];
  const aside = (lines: string): unknown => ready.push({ text: '', aside: `${lines}\n\n` });
  const parser = createParser({
    onEvent: ({ data, id, event }) => {
      // An event of another kind is not a message.
      if (event !== undefined && event !== 'message') aside(linesOf(event, id, data));
      else ready.push({ text: data, ...(id !== undefined && { lastId: id }) });
    },
    onComment: (comment) => aside(`: ${comment}`),
    onRetry: (milliseconds) => aside(`retry: ${milliseconds}`),
    maxBufferSize: MAX_ANSWER,
  });
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }));
    yield* ready.splice(0);
  }
}

export function eventText({ text, lastId, aside }: Event): string {
  return aside ?? `${linesOf('message', lastId, text)}\n\n`;
}

function linesOf(kind: string, id: string | undefined, text: string): string {
  // JSON text may hold line breaks only between tokens; each line of it is a `data` line.
  const data = text.includes('\n') || text.includes('\r') ? text.split(/\r\n|\n|\r/).join('\ndata: ') : text;
  return `event: ${kind}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}`;
}

export const isJson = (type: string | undefined): boolean => mediaType(type) === 'application/json';
export const isEventStream = (type: string | undefined): boolean => mediaType(type) === 'text/event-stream';

function mediaType(type: string | undefined): string {
  return (type ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** The messages of any answer of the upstream `name`. Throws a refusal if the answer carries none. */
export async function* messagesOf(answer: Answer, name: string): AsyncGenerator<Event> {
  if (answer.kind === 'messages') yield* answer.messages;
  else if (answer.kind === 'whole') {
    if (answer.text !== undefined) yield { text: answer.text };
    else if (answer.status >= 400) throw refusedBy(name, answer);
  } else if (isEventStream(answer.headers['content-type'])) {
    try {
      yield* eventsOf(answer.body);
    } catch {
      throw broken(name);
    }
  } else {
    const text = await textOfBody(answer.body, name);
    const isMessage = isJson(answer.headers['content-type']) && (answer.status < 400 || readMessage(text) !== undefined);
    if (isMessage) yield { text };
    else if (answer.status >= 400) throw refusedBy(name, answer);
    else if (answer.status !== 202 && text !== '') throw garbled(name);
  }
}

/** The message that ends the exchange; undefined if the answer ends without one. */
export async function finalMessage(answer: Answer, name: string): Promise<Message | undefined> {
  for await (const { text } of messagesOf(answer, name)) {
    const message = readMessage(text);
    if (message !== undefined && isAnswer(message)) return message;
  }
  return undefined;
}

export async function textOfBody(body: Readable, name: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    await eachChunk(body, (chunk) => {
      size += chunk.byteLength;
      chunks.push(chunk);
      if (size > MAX_ANSWER) body.destroy(new Refusal(502, -32603, `The upstream ${name} gave an answer of more than ${MAX_ANSWER} bytes`));
    });
  } catch (error) {
    throw error instanceof Refusal ? error : broken(name);
  }
  return Buffer.concat(chunks).toString('utf8');
}
