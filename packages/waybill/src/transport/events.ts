/** Changes JSON messages in server-sent events on their way; everything else passes unchanged. */
import { isObject } from '../wire/json.js';
import type { Message } from './types.js';
import { isMediaType } from '../wire/headers.js';

export interface EventRewriter {
  /** Returns the bytes that can leave after this chunk: whole events, and comments between them at once. */
  push(chunk: Uint8Array): AsyncGenerator<Uint8Array<ArrayBuffer>>;
  /** Returns an event that ended early. */
  rest(): Uint8Array<ArrayBuffer>;
}

export function eventRewriter(change: (message: Message) => Message | Promise<Message>): EventRewriter {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const encoder = new TextEncoder();
  let unread = '';
  let event: string[] = [];

  return {
    async *push(chunk) {
      unread += decoder.decode(chunk, { stream: true });
      // A carriage return at the end may be the first half of a line end.
      for (let end = LINE.exec(unread); end !== null; end = LINE.exec(unread)) {
        const line = unread.slice(0, end.index + end[0].length);
        unread = unread.slice(line.length);
        event.push(line);
        const isComment = event.length === 1 && line.startsWith(':');
        if (end.index > 0 && !isComment) continue;
        const whole = event;
        event = [];
        yield encoder.encode(isComment ? line : await rewrite(whole, change));
      }
    },
    rest: () => encoder.encode(event.join('') + unread + decoder.decode()),
  };
}

/** A stream with its messages changed. `ended` is called once, when it is over or nobody reads it any more. */
export function rewriteStream(
  body: ReadableStream<Uint8Array>,
  change: (message: Message) => Message | Promise<Message>,
  ended: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const events = eventRewriter(change);
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        // A chunk may hold no whole event, and `pull` is not called again unless it gave something.
        for (let gave = false; !gave;) {
          const { done, value } = await reader.read();
          if (done) {
            const rest = events.rest();
            if (rest.byteLength > 0) controller.enqueue(rest);
            controller.close();
            ended();
            return;
          }
          for await (const bytes of events.push(value)) {
            controller.enqueue(bytes);
            gave = true;
          }
        }
      } catch (error) {
        ended();
        throw error;
      }
    },
    cancel(reason) {
      ended();
      return reader.cancel(reason);
    },
  });
}

const LINE = /\r\n|\n|\r(?!$)/;
const DATA = /^data(?:: ?|(?=[\r\n]))/;

async function rewrite(event: readonly string[], change: (message: Message) => Message | Promise<Message>): Promise<string> {
  const data = event.filter((line) => DATA.test(line));
  const message = messageIn(data.map((line) => line.replace(DATA, '').replace(/[\r\n]+$/, '')).join('\n'));
  const next = message && (await change(message));
  if (next === message) return event.join('');
  const at = event.findIndex((line) => DATA.test(line));
  const lineEnd = /[\r\n]+$/.exec(event[at] ?? '')?.[0] ?? '\n';
  const others = event.slice(at).filter((line) => !DATA.test(line));
  return [...event.slice(0, at), `data: ${JSON.stringify(next)}${lineEnd}`, ...others].join('');
}

function messageIn(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const typeOf = (response: Response): string | null => response.headers.get('content-type');
const isJson = (response: Response): boolean => isMediaType(typeOf(response), 'application/json');
export const isStream = (response: Response): boolean => isMediaType(typeOf(response), 'text/event-stream');

/**
 * Joins the answers to the messages of a batch, which were served one by one: a JSON list, or a stream if one of them is a stream. Answers
 * without a message, as to notifications, leave nothing.
 */
export async function joinResponses(responses: readonly Response[]): Promise<Response> {
  const telling = responses.filter((response) => isJson(response) || isStream(response));
  const [first] = telling;
  if (first === undefined) return responses[0] ?? new Response(null, { status: 202 });
  const headers = new Headers(first.headers);
  headers.delete('content-length');
  if (telling.some(isStream)) {
    headers.set('content-type', 'text/event-stream');
    return new Response(merged(telling), { headers });
  }
  const answers: unknown[] = await Promise.all(telling.map((response) => response.json()));
  return new Response(JSON.stringify(answers), { headers });
}

/** Each answer comes in whole events, so events of several may alternate. */
function merged(responses: readonly Response[]): ReadableStream<Uint8Array> {
  const readers = responses.filter(isStream).flatMap(({ body }) => (body === null ? [] : [body.getReader()]));
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const asEvent = async (response: Response): Promise<void> =>
        controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(await response.json())}\n\n`));
      const copy = async (reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> => {
        for (let next = await reader.read(); !next.done; next = await reader.read()) controller.enqueue(next.value);
      };
      const copying = Promise.all([...responses.filter(isJson).map(asEvent), ...readers.map(copy)]);
      // Not awaited: what is there can be read before the last answer is.
      void copying.then(
        () => controller.close(),
        (error: unknown) => controller.error(error),
      );
    },
    async cancel(reason) {
      await Promise.all(readers.map((reader) => reader.cancel(reason)));
    },
  });
}
