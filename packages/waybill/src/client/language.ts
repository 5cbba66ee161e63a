import type { Message } from '../transport/index.js';
import { ContextError } from '../wire/errors.js';
import { CONTENT_LANGUAGE_HEADER } from '../wire/headers.js';
import { ignore, type Issue, type Report } from '../wire/issue.js';
import { isObject, own, type Meta } from '../wire/json.js';
import { ACCEPT_LANGUAGE, CONTENT_LANGUAGE } from '../wire/keys.js';
import { andThen } from '../wire/maybe.js';
import { agreeOnResponse, checkTag, diagnoseMismatch, language, languagePreference } from '../wire/language.js';
import type { ContentLanguage, LanguagePreference } from '../wire/language.js';
import type { Context } from '../wire/read.js';
import { keepLanguage, restoreData } from './answers.js';
import type { CallAbout, AnswerContext, ClientCall, Draft, ClientPart } from './part.js';
import type { PlatformReader } from './platform.js';
import { ask, perObject, type LanguageInput, type CallValues } from './values.js';

/** The language of one answer, or of one step on the way to it. The SDK does not show all of these. */
export interface AnswerAbout {
  readonly method: string;
  readonly kind: 'result' | 'error' | 'input-required' | 'progress';
  /** The tags as the server sent them: one or several. `undefined`: the server named none. */
  readonly language: string | undefined;
}

/** Throws if a value of the program is not a language: at construction, in `update()`, `run()` or `with()`. */
export function checkLanguage(input: unknown, path: string): void {
  if (input === undefined || input === null || input === 'auto' || typeof input === 'function') return;
  if (typeof input !== 'string' && !Array.isArray(input))
    throw new TypeError(`${path}: expected tags, an Accept-Language text, 'auto', null or a function`);
  if (Array.isArray(input)) input.forEach((tag, at) => checkTag(tag, `${path}[${at}]`));
  const ranges = preferenceAt(input as string | string[], path)?.ranges ?? [];
  for (const { range } of ranges) if (/^[a-z]{4}/i.test(range)) checkTag(range, path);
}

function preferenceAt(input: string | readonly string[], path: string): LanguagePreference | undefined {
  try {
    return languagePreference(input);
  } catch (error) {
    throw new RangeError((error as Error).message.replace(/^languages?/, path), { cause: error });
  }
}

/** LANG-01, LANG-40: writes the preference on every request. The transport copies it from the body into the header. */
export class LanguagePart implements ClientPart {
  readonly name = 'language';
  readonly #platform: PlatformReader;
  readonly #onAnswer: ((about: AnswerAbout) => void) | undefined;
  readonly #fixed = perObject(({ language: input }: CallValues) =>
    typeof input === 'function' || input === 'auto' ? undefined : textOf(input, ignore),
  );

  constructor(platform: PlatformReader, onAnswer: ((about: AnswerAbout) => void) | undefined) {
    this.#platform = platform;
    this.#onAnswer = onAnswer;
  }

  /** Returns the preference in these values, as it is sent. */
  preference(values: CallValues, about: CallAbout): string | undefined | Promise<string | undefined> {
    const { language: input } = values;
    if (typeof input === 'function') return andThen(ask(input, about, 'language', 'language'), (given) => this.#textOf(given, about));
    return input === 'auto' ? this.#textOf(input, about) : this.#fixed(values);
  }

  request(call: ClientCall, draft: Draft): void | Promise<void> {
    return andThen(this.preference(call.values, call), (text) => {
      if (text !== undefined) draft.added[ACCEPT_LANGUAGE] = text;
    });
  }

  preview(call: ClientCall, draft: Draft): void | Promise<void> {
    return this.request(call, draft);
  }

  #textOf(input: LanguageInput, { connection }: CallAbout): string | undefined {
    return textOf(input === 'auto' ? this.#platform.current.languages : input, connection.onIssue);
  }

  answer(message: Message, call: ClientCall, read: AnswerContext): Message {
    const claimed = agreed(read.meta, call);
    const found = claimed === undefined ? undefined : read.language;
    if (found === undefined && this.#onAnswer === undefined) return message;
    const isError = Object.hasOwn(message, 'error');
    const kind = isError ? 'error' : asksForInput(message) ? 'input-required' : 'result';
    this.#onAnswer?.({ method: call.method, kind, language: found?.text });
    if (found === undefined) return message;
    if (isError) return restoreData(message, found);
    return kind === 'input-required' ? tellHandlers(message, found) : message;
  }

  notification(message: Message, call: ClientCall | undefined, { meta, language: found }: Context<'notification'>): Message {
    if (call === undefined) return message;
    if (message['method'] === 'notifications/progress') this.#onAnswer?.({ method: call.method, kind: 'progress', language: found?.text });
    const { response } = call.exchange;
    if (response === undefined || agreeOnResponse(meta[CONTENT_LANGUAGE], response.header, response.kind) !== 'malformed') return message;
    // Nobody waits for a notification, so nothing can fail; neither header nor body counts.
    call.connection.onIssue(DISAGREES);
    const { [CONTENT_LANGUAGE]: _, ...rest } = meta;
    return { ...message, params: { ...(message['params'] as Meta), _meta: rest } };
  }
}

const DISAGREES: Issue = { concern: 'language', key: CONTENT_LANGUAGE, problem: `disagrees with the ${CONTENT_LANGUAGE_HEADER} header` };

function textOf(input: LanguageInput, report: Report): string | undefined {
  if (input === undefined || input === null || input.length === 0) return undefined;
  return language.request.write(input, report)[ACCEPT_LANGUAGE] as string | undefined;
}

/**
 * LANG-49: returns the language in the body. If the header of the response names another one, the answer is malformed and has no language.
 */
function agreed(meta: Meta, { exchange: { response }, connection }: ClientCall): unknown {
  const claimed = own(meta, CONTENT_LANGUAGE);
  if (claimed === undefined || response === undefined) return claimed;
  const agreement = agreeOnResponse(claimed, response.header, response.kind);
  if (agreement === 'malformed') {
    // Reported as well as thrown: if `server/discover` is refused, the SDK silently assumes an older server.
    connection.onIssue(DISAGREES);
    throw new ContextError('malformed-response', {
      ...diagnoseMismatch(CONTENT_LANGUAGE_HEADER, response.header ?? '', claimed as string),
    });
  }
  if (agreement === 'unmirrored')
    connection.onIssue({ concern: 'language', key: CONTENT_LANGUAGE, problem: `is not mirrored in the ${CONTENT_LANGUAGE_HEADER} header` });
  return claimed;
}

function asksForInput(message: Message): boolean {
  const result = own(message, 'result');
  return isObject(result) && isObject(own(result, 'inputRequests'));
}

/** LANG-06: the handlers of an input-required result see only their question, so each question gets the language. */
function tellHandlers(message: Message, found: ContentLanguage): Message {
  const result = message['result'] as Meta;
  const questions = Object.entries(result['inputRequests'] as Meta).map(([key, question]) => [key, telling(question, found)] as const);
  keepLanguage(result, found);
  return { ...message, result: { ...result, inputRequests: Object.fromEntries(questions) } };
}

function telling(question: unknown, found: ContentLanguage): unknown {
  const params = isObject(question) ? own(question, 'params') : undefined;
  if (!isObject(question) || !isObject(params)) return question;
  const meta = own(params, '_meta') ?? {};
  if (!isObject(meta) || Object.hasOwn(meta, CONTENT_LANGUAGE)) return question;
  return { ...question, params: { ...params, _meta: { ...meta, [CONTENT_LANGUAGE]: found.text } } };
}
