/**
 * The path of a request: a message goes in, a message comes out.
 *
 *   admit     header and body agree · `before` of every part · perhaps a part already has the answer
 *   next      the SDK and its handler, or any other code that answers
 *   finish    an error that the SDK turned into a result is restored · every part changes the body · one write into `_meta`
 *
 * Everything happens in one turn if the parts and `next` do: SDK v2 decides the HTTP status of a refusal in the turn of the request. An
 * adapter (`hook.ts`) calls `admit` with the request and `finish` with the answer, since an SDK gives them to it in two calls.
 */
import type { Message } from '../transport/index.js';
import { ContextError } from '../wire/errors.js';
import { isObject, own, type Meta } from '../wire/json.js';
import { andThen, andThenAsk } from '../wire/maybe.js';
import { LIST_METHODS } from '../wire/message.js';
import { writeError, writeNotification, writeResult } from '../wire/write.js';
import { restoreError } from './handlerError.js';
import { withoutTicket } from './find.js';
import { languageNamedIn } from './head.js';
import type { IncomingRequest } from './request.js';
import { changeBody, resultInstead, runBefore, tellDone, valuesToWrite, type AnswerKind } from './runParts.js';

/** Returns a complete answer if a part has one, and throws a `ContextError` to refuse the request. */
export function admit(request: IncomingRequest): Message | undefined | Promise<Message | undefined> {
  const refuse = (error: unknown): undefined => {
    if (error instanceof ContextError) {
      request.answer.refusal.byLayer(error);
      request.answer.language.claimNone();
      throw error;
    }
    // A fault of this layer does not stop the request.
    request.fault(error);
    return undefined;
  };
  return andThenAsk(
    () => {
      requireAgreement(request);
      if (request.layer.strict) requireWellFormed(request);
      return runBefore(request);
    },
    () => completeAnswer(request),
    refuse,
  );
}

/** LANG-42…47: always checked, even if no handler reads the language. */
export function requireAgreement({ agreement }: IncomingRequest): void {
  if (agreement.kind === 'disagree') throw agreement.error;
}

/** D-13, `strict: true`: refuses the first malformed value and names its path. Never for the language (LANG-11). */
export function requireWellFormed({ received }: IncomingRequest): void {
  const issue = received.issues.find(({ concern }) => concern !== 'language');
  if (issue === undefined) return;
  const { key: path, problem } = issue;
  throw new ContextError('invalid-context', { path, problem }, { message: `Invalid request context: ${path} ${problem}` });
}

/** An answer of a part leaves unchanged: no other part sees it. */
function completeAnswer(request: IncomingRequest): Message | undefined {
  const result = resultInstead(request);
  // The members are in the order of the SDKs, so that the text equals an answer of theirs.
  return result && noteLeaving({ result, jsonrpc: '2.0', id: request.message['id'] }, request);
}

/** Returns the answer as it leaves: changed by every part, then written once. */
export function finish(answer: Message, request: IncomingRequest): Message | Promise<Message> {
  const message = restoreError(answer, request);
  const { error } = message;
  const kind = isObject(error) ? 'error' : 'result';
  const body = isObject(error) ? error : cachedForCaller(withoutTicketIn(message['result'] as Meta), request);
  return andThen(changeBody(kind, body, request), (final) => {
    const written = write(kind, message[kind] === final ? message : { ...message, [kind]: final }, final, request);
    tellDone(written, request);
    return noteLeaving(written, request);
  });
}

/** LANG-24: a notification that a handler sends during the request. */
export function finishNotification(message: Message, request: IncomingRequest): Message | Promise<Message> {
  const params = isObject(message['params']) ? message['params'] : {};
  return andThen(changeBody('notification', params, request, message['method'] as string), (final) =>
    write('notification', final === params ? message : { ...message, params: final }, final, request),
  );
}

/** A handler may return the `_meta` it was given. */
function withoutTicketIn(result: Meta): Meta {
  const meta = own(result, '_meta');
  const cleaned = withoutTicket(meta);
  return cleaned === meta ? result : { ...result, _meta: cleaned };
}

/** BASE-10: the answers that others may cache. */
const CACHEABLE: ReadonlySet<string> = new Set(['server/discover', ...LIST_METHODS, 'resources/read']);

/** CTX-32: an answer that depends on one caller is private, even if its author allows caching for all such answers. */
function cachedForCaller(result: Meta, { answer, method }: IncomingRequest): Meta {
  if (!answer.caching.dependsOnCaller || !CACHEABLE.has(method)) return result;
  answer.caching.restrict('private');
  return own(result, 'cacheScope') === 'public' ? { ...result, cacheScope: 'private' } : result;
}

const writers = { result: writeResult, error: writeError, notification: writeNotification } as const;

function write(kind: AnswerKind, message: Message, body: Meta, request: IncomingRequest): Message {
  const values = valuesToWrite(kind, body, request);
  return values === undefined ? message : writers[kind](message, values, request.layer.reading);
}

/** Ends the service of the request. The HTTP head names the language of the finished body, no matter who wrote it there. */
function noteLeaving(message: Message, request: IncomingRequest): Message {
  request.head.language = languageNamedIn(message);
  request.delivery.end();
  request.readings.forget();
  return message;
}
