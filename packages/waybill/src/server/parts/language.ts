/** Language on the server (SEP-2792): what a handler sees of the choice, and where the answer says which language it is in. */
import { isTexts } from '../../wire/check.js';
import { isObject, own, type Meta } from '../../wire/json.js';
import { EXTENSION_ID } from '../../wire/keys.js';
import type { RequestLanguage } from '../context.js';
import { errorText } from './error.js';
import { UNDETERMINED } from '../layer.js';
import type { ServerPart, ServerRequest } from '../part.js';
import type { AnswerKind } from '../runParts.js';
import { languagesIn } from './textLanguages.js';

/** A resource that is not there: the one typed error of the SDK that is known by the exact shape of its `data`. */
const INVALID_PARAMS = -32602;
/** What an SDK makes of anything that a handler throws without a code. */
const INTERNAL_ERROR = -32603;

export const language: ServerPart = {
  name: 'language',

  provides: { language: (request) => new LazyLanguage(request) },

  /** LANG-20, LANG-22…25: where somebody knows the language of the text, and a preference was honoured or the handler says so itself. */
  values(kind, body, request) {
    const content = contentOf(kind, body, request);
    if (typeof content !== 'string') return undefined;
    if (kind === 'notification' ? !hasText(body) : kind === 'error' && isTyped(body) && !isAware(request)) return undefined;
    return { language: { text: content, tags: [content] } };
  },
};

/**
 * LANG-23, LANG-28: an error or a notification is in the language of those words in it that were said here. Where none were, nobody knows whose
 * words they are: a database's, the SDK's, or the handler's own.
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

/** What is said in one text; a result only where an SDK may have made it of what was thrown. */
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
  readonly #asked: RequestLanguage['asked'];
  readonly #request: ServerRequest;

  /** Looking at the choice is using it: a tool that never looks answers in a language we do not know, and nothing is claimed (LANG-25). */
  constructor(request: ServerRequest) {
    this.#request = request;
    const { language: chosen, matched } = request.choice;
    this.chosen = chosen;
    this.matched = matched;
    this.#asked = request.received.language;
    if (this.#asked !== undefined && chosen !== UNDETERMINED) request.answer.language.assume(chosen);
  }

  get asked(): RequestLanguage['asked'] {
    this.#request.answer.caching.notePreference();
    return this.#asked;
  }

  /** As in a log, or in the answer of a tool that shows what it sees. */
  toJSON(): Pick<RequestLanguage, 'chosen' | 'asked' | 'matched'> {
    const { chosen, asked, matched } = this;
    return { chosen, asked, matched };
  }

  use(tags: string | readonly string[] | undefined): void {
    if (tags !== undefined && typeof tags !== 'string' && !isTexts(tags))
      throw new TypeError('language.use: expected a tag, a list of them, or undefined where no language can be named');
    this.#request.answer.language.state(tags === undefined ? null : typeof tags === 'string' ? tags : tags.join(', '));
  }
}

/** LANG-24: progress with a message, and log messages. */
function hasText(params: Meta): boolean {
  return typeof params['message'] === 'string' || params['level'] !== undefined;
}

/** `data` of exactly `{ uri }` beside -32602: one more member would make it a plain error for a client without our layer. */
function isTyped({ code, data }: Meta): boolean {
  return code === INVALID_PARAMS && isObject(data) && typeof own(data, 'uri') === 'string' && Object.keys(data).length === 1;
}

/** A client of ours takes the language out again before its SDK looks. */
function isAware({ declared }: ServerRequest): boolean {
  const extensions = declared && own(declared, 'extensions');
  return isObject(extensions) && isObject(own(extensions, EXTENSION_ID));
}
