/** Writes an answer to an HTTP client: bytes as they came, one JSON body, or a stream of events. */
import { keys } from 'waybill';
import { addVary, isFieldValue } from 'waybill/adapter';
import { Refusal, type Answer, type Event, type Headers, type HttpAnswer } from '../answer.js';
import { eachChunk } from '../chunks.js';
import { at } from '../json/values.js';
import type { Era } from '../config/types.js';
import { errorText, isAnswer, readMessage, type Message } from '../message.js';
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
  /** The id of the request as JSON text. */
  readonly idText: string;
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
    if (text !== undefined) await replyJson(text, status, kept(answer, about), sink);
    else {
      sink.head(status, kept(answer, about));
      sink.end();
    }
  } else if (answer.kind === 'http') await replyBytes(answer, kept(answer, about), sink, about);
  else await replyMessages(answer.messages, () => kept(answer, about), sink, about);
}

/** The length tells the client at once where the answer ends, and saves both sides a packet. */
async function replyJson(text: string, status: number, headers: Headers, sink: Sink, message?: Message): Promise<void> {
  const length = String(Buffer.byteLength(text));
  sink.head(status, { ...withLanguage(headers, text, message), 'content-type': 'application/json', 'content-length': length });
  await sink.write(text);
  sink.end();
}

// LANG-48, LANG-62
/** Repeats the language that the body names, unless an upstream over HTTP has done so itself. `message`: the body, if it is parsed already. */
function withLanguage(headers: Headers, text: string, message?: Message): Headers {
  // Some servers write the slash of the key as `\/`, so only its last part is looked for.
  if (headers['content-language'] !== undefined || !text.includes('contentLanguage"')) return headers;
  const { value } = message ?? readMessage(text) ?? {};
  const language = at(value, 'result', '_meta', keys.CONTENT_LANGUAGE) ?? at(value, 'error', 'data', '_meta', keys.CONTENT_LANGUAGE);
  if (typeof language !== 'string' || !isFieldValue(language)) return headers;
  return { ...headers, 'content-language': language, vary: addVary(headers['vary'], 'Accept-Language') };
}

/** Passes bytes on as they come. */
async function replyBytes({ status, headers, body }: HttpAnswer, kept: Headers, sink: Sink, { isStream }: ReplyAbout): Promise<void> {
  let isOpen = false as boolean;
  const length = headers['content-length'];
  const open = (): void => {
    if (!isOpen) sink.head(status, { ...kept, ...(length !== undefined && { 'content-length': length }) });
    isOpen = true;
  };
  // The head of a stream leaves at once. Any other waits for its body to begin: until then the status can still tell of a fault.
  if (isEventStream(headers['content-type'])) open();
  try {
    await eachChunk(body, (chunk) => {
      open();
      return sink.write(chunk);
    });
    open();
    sink.end();
  } catch (error) {
    if (!isOpen) throw error instanceof Refusal ? error : new Refusal(502, -32603, 'The upstream broke off before it answered');
    // The upstream broke off in the middle: the client must not treat a partial answer as complete. A listening
    // stream has no final message, so it just ends.
    if (isStream) sink.end();
    else sink.destroy();
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
    // Some clients wait for the first byte before they treat the stream as open.
    await sink.write(': open\n\n');
  }
  try {
    for await (const event of messages) {
      const message = isOpen ? undefined : (event.message ?? readMessage(event.text));
      if (message !== undefined && isAnswer(message)) {
        const status = about.era === 'modern' ? statusOf(at(message.value, 'error', 'code')) : 200;
        await replyJson(event.text, status, headers(), sink, message);
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
    if (!about.isStream) await sink.write(eventText({ text: errorText(about.idText, code, message, data) }));
    sink.end();
  }
}

function statusOf(code: unknown): number {
  if (code === -32020 || code === -32021 || code === -32022) return 400;
  return code === -32601 ? 404 : 200;
}

function kept(answer: Answer, { metadata, sessionId, isOwn = false }: ReplyAbout): Headers {
  const headers: Record<string, string> = {};
  // An upstream's challenge names the upstream's metadata, which is not ours to hand out.
  if (answer.kind !== 'messages' && answer.status === 401 && metadata !== undefined)
    headers['www-authenticate'] = `Bearer resource_metadata="${metadata}"`;
  for (const [name, value] of Object.entries(answer.headers ?? {}))
    if (isOwn || KEPT.has(name)) headers[name] = name === 'mcp-session-id' && sessionId ? sessionId(value) : value;
  return headers;
}
