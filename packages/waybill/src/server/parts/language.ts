/** Language on the server (SEP-2792): the choice for a handler, and the language that the answer claims. */
import { isTexts } from '../../wire/check.js';
import { isObject, own, type Meta } from '../../wire/json.js';
import { EXTENSION_ID } from '../../wire/keys.js';
import type { RequestLanguage } from '../context.js';
import { errorText } from '../handlerError.js';
import { UNDETERMINED } from '../layer.js';
import type { ServerPart, ServerRequest } from '../part.js';
import type { AnswerKind } from '../runParts.js';
import { languagesIn } from './textLanguages.js';

/** The code of a missing resource, the one typed error of the SDK that is recognised by the exact shape of its `data`. */
const INVALID_PARAMS = -32602;
/** The code that an SDK gives an error without one. */
const INTERNAL_ERROR = -32603;

export const language: ServerPart = {
  name: 'language',

  provides: { language: (request) => new LazyLanguage(request) },

  /**
   * LANG-20, LANG-22…25: written if the language of the text is known, and a preference was used or the handler names the language itself.
   */
  values(kind, body, request) {
    const content = contentOf(kind, body, request);
    if (typeof content !== 'string') return undefined;
    if (kind === 'notification' ? !hasText(body) : kind === 'error' && isTyped(body) && !isAware(request)) return undefined;
    return { language: { text: content, tags: [content] } };
  },
};

/**
 * LANG-23, LANG-28: an error or a notification has the language of the catalogue texts in it. Without such texts the language is unknown:
 * the words may come from a database, the SDK, or the handler.
 */
function contentOf(kind: AnswerKind, body: Meta, { answer, choice }: ServerRequest): string | null | undefined {
  const { tags: content, isStated, texts } = answer.language;
  if (typeof content !== 'string' || isStated) return content;
  const text = textOf(kind, body);
  if (typeof text !== 'string') return content;
  if (texts === undefined) return kind === 'error' && body['code'] === INTERNAL_ERROR ? undefined : content;
  const languages = languagesIn(text, texts);
  if (languages.size === 0) return undefined;
  return [...languages].sort((a, b) => Number(b === choice.language) - Number(a === choice.language)).join(', ');
}

/** Returns the one text of a body; of a result only if an SDK may have made it from an error. */
function textOf(kind: AnswerKind, body: Meta): unknown {
  if (kind === 'result') {
    const text = errorText(body);
    return text === undefined || Object.hasOwn(body, 'structuredContent') ? undefined : text;
  }
  return body['message'] ?? body['data'];
}

class LazyLanguage implements RequestLanguage {
  readonly chosen: string;
  readonly matched: boolean;
  readonly #preference: RequestLanguage['preference'];
  readonly #request: ServerRequest;

  /** Reading the choice counts as using it: a tool that never reads it answers in an unknown language, and nothing is claimed (LANG-25). */
  constructor(request: ServerRequest) {
    this.#request = request;
    const { language: chosen, matched } = request.choice;
    this.chosen = chosen;
    this.matched = matched;
    this.#preference = request.received.language;
    if (this.#preference !== undefined && chosen !== UNDETERMINED) request.answer.language.assume(chosen);
  }

  get preference(): RequestLanguage['preference'] {
    this.#request.answer.caching.notePreference();
    return this.#preference;
  }

  /** The language in a form for logs, and for tools that show their context. */
  toJSON(): Pick<RequestLanguage, 'chosen' | 'preference' | 'matched'> {
    const { chosen, preference, matched } = this;
    return { chosen, preference, matched };
  }

  use(tags: string | readonly string[] | undefined): void {
    if (tags !== undefined && typeof tags !== 'string' && !isTexts(tags))
      throw new TypeError('language.use: expected a tag, a list of tags, or undefined if no language can be named');
    this.#request.answer.language.state(tags === undefined ? null : typeof tags === 'string' ? tags : tags.join(', '));
  }
}

/** LANG-24: progress with a message, and log messages. */
function hasText(params: Meta): boolean {
  return typeof params['message'] === 'string' || params['level'] !== undefined;
}

/** `data` of exactly `{ uri }` with -32602: one more member would make it a plain error for a client without our layer. */
function isTyped({ code, data }: Meta): boolean {
  return code === INVALID_PARAMS && isObject(data) && typeof own(data, 'uri') === 'string' && Object.keys(data).length === 1;
}

/** A client of ours removes the language before its SDK looks. */
function isAware({ declared }: ServerRequest): boolean {
  const extensions = declared && own(declared, 'extensions');
  return isObject(extensions) && isObject(own(extensions, EXTENSION_ID));
}
