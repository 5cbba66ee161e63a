/** Writes an answer to an HTTP client: bytes as they came, one JSON body, or a stream of events. */
import { Refusal, type Answer, type Event, type Headers } from '../answer.js';
import { at } from '../json/values.js';
import { errorText, isAnswer, readMessage, type Era, type Id } from '../message.js';
import { eventText, isEventStream } from '../sse.js';

/** The client's side of one HTTP exchange. */
export interface Sink {
  head(status: number, headers: Headers): void;
  /** Resolves when the client has room for more. */
  write(chunk: string | Uint8Array): void | Promise<void>;
  end(): void;
  /** Breaks off: the answer cannot be completed. */
  destroy(): void;
}

export interface ReplyAbout {
  readonly id: Id | undefined;
  readonly era: Era;
  /** A stream for messages that belong to no request: its head leaves at once. */
  readonly isStream: boolean;
  /** The metadata address of the configuration, for a client that has to get a token. */
  readonly metadata: string | undefined;
  /** True if the gateway answers itself: nothing in its headers is an upstream's. */
  readonly isOwn?: boolean;
  /** The id of a session of the upstream as the client gets it. */
  readonly sessionId?: (id: string) => string;
}

/** Headers of an upstream that reach the client. */
const KEPT = new Set([
  'content-type',
  'mcp-session-id',
  'vary',
  'cache-control',
  'content-language',
  'retry-after',
  'allow',
  'x-accel-buffering',
]);
const STREAM: Headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' };

export async function reply(answer: Answer, sink: Sink, about: ReplyAbout): Promise<void> {
  if (answer.kind === 'whole') {
    const { status, text } = answer;
    sink.head(status, { ...kept(answer, about), ...(text !== undefined && { 'content-type': 'application/json' }) });
    if (text !== undefined) await sink.write(text);
    sink.end();
  } else if (answer.kind === 'http') {
    const chunks = answer.body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
    // The head of a stream leaves at once. Any other waits for its body to begin: until then the status can still tell of a fault.
    let next = isEventStream(answer.headers['content-type']) ? undefined : await first(chunks);
    sink.head(answer.status, kept(answer, about));
    try {
      for (next ??= await chunks.next(); next.done !== true; next = await chunks.next()) await sink.write(next.value);
      sink.end();
    } catch {
      // The upstream broke off in the middle: the client must not take what it has for the whole. A stream of its own has no end to wait for.
      if (about.isStream) sink.end();
      else sink.destroy();
    }
  } else await replyMessages(answer.messages, () => kept(answer, about), sink, about);
}

async function first(chunks: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
  try {
    return await chunks.next();
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(502, -32603, 'The upstream broke off before it answered');
  }
}

async function replyMessages(messages: AsyncIterable<Event>, headers: () => Headers, sink: Sink, about: ReplyAbout): Promise<void> {
  let isOpen = false as boolean;
  const open = (): void => {
    if (!isOpen) sink.head(200, { ...headers(), ...STREAM });
    isOpen = true;
  };
  if (about.isStream) {
    open();
    // Some clients wait for the first byte before they take the stream for open.
    await sink.write(': open\n\n');
  }
  try {
    for await (const event of messages) {
      const message = isOpen ? undefined : (event.message ?? readMessage(event.text));
      if (message !== undefined && isAnswer(message)) {
        const status = about.era === 'modern' ? statusOf(at(message.value, 'error', 'code')) : 200;
        sink.head(status, { ...headers(), 'content-type': 'application/json' });
        await sink.write(event.text);
        sink.end();
        return;
      }
      open();
      await sink.write(eventText(event));
    }
    // No answer at all: the request was cancelled.
    open();
    sink.end();
  } catch (error) {
    if (!isOpen) throw error;
    const { code, message, data } = error instanceof Refusal ? error : new Refusal(502, -32603, 'The upstream broke off');
    if (!about.isStream) await sink.write(eventText({ text: errorText(about.id, code, message, data) }));
    sink.end();
  }
}

function statusOf(code: unknown): number {
  if (code === -32020 || code === -32021 || code === -32022) return 400;
  return code === -32601 ? 404 : 200;
}

function kept(answer: Answer, { metadata, sessionId, isOwn = false }: ReplyAbout): Headers {
  const headers = Object.entries(answer.headers ?? {})
    .filter(([name]) => isOwn || KEPT.has(name))
    .map(([name, value]) => [name, name === 'mcp-session-id' && sessionId ? sessionId(value) : value] as const);
  // An upstream's challenge names the upstream's metadata, which is not ours to hand out.
  const isChallenge = answer.kind !== 'messages' && answer.status === 401 && metadata !== undefined;
  return {
    ...(isChallenge && { 'www-authenticate': `Bearer resource_metadata="${metadata}"` }),
    ...Object.fromEntries(headers),
  };
}
