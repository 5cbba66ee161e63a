/** Language on the server (SEP-2792): what a handler sees of the choice, and where the answer says which language it is in. */
import { isObject, own, type Meta } from '../wire/json.js';
import { EXTENSION_ID } from '../wire/keys.js';
import type { Language } from './context.js';
import { errorText } from './error.js';
import type { Call, Part } from './part.js';
import { UNDETERMINED } from './room.js';

/** A resource that is not there: the one typed error of the SDK that is known by the exact shape of its `data`. */
const INVALID_PARAMS = -32602;
/** What an SDK makes of anything that a handler throws without a code. */
const INTERNAL_ERROR = -32603;

export const language: Part = {
  name: 'language',

  faces: { language: (call) => new Face(call) },

  /** LANG-20, LANG-22…25: where somebody knows the language of the text, and a preference was honoured or the handler says so itself. */
  values(kind, body, call) {
    const content = contentOf(kind, body, call);
    if (typeof content !== 'string') return undefined;
    if (kind === 'notification' ? !hasText(body) : kind === 'error' && isTyped(body) && !isAware(call)) return undefined;
    return { language: { text: content, tags: [content] } };
  },
};

/**
 * LANG-23, LANG-28: an error or a notification is in the language of those words in it that were said here. Where none were, nobody knows whose
 * words they are: a database's, the SDK's, or the handler's own.
 */
function contentOf(kind: 'result' | 'error' | 'notification', body: Meta, { content, stated, said }: Call): string | null | undefined {
  if (typeof content !== 'string' || stated) return content;
  const text = kind === 'result' ? errorText(body) : body['message'];
  if (typeof text !== 'string') return content;
  if (said === undefined) return kind === 'error' && body['code'] === INTERNAL_ERROR ? undefined : content;
  const languages = new Set<string>();
  for (const [words, language] of said) if (words !== '' && text.includes(words)) languages.add(language);
  return languages.size === 0 ? undefined : [...languages].join(', ');
}

class Face implements Language {
  readonly matched: boolean;
  readonly #chosen: string;
  readonly #asked: Language['asked'];
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
    const { language: chosen, matched } = call.choice;
    this.#chosen = chosen;
    this.matched = matched;
    this.#asked = call.asked.language;
  }

  /** Looking at the choice is using it: a tool that never looks answers in a language we do not know, and nothing is claimed (LANG-25). */
  get chosen(): string {
    const call = this.#call;
    if (call.content === undefined && this.#asked !== undefined && this.#chosen !== UNDETERMINED) call.content = this.#chosen;
    return this.#chosen;
  }

  get asked(): Language['asked'] {
    this.#call.preferred = true;
    return this.#asked;
  }

  use(tags: string | readonly string[] | undefined): void {
    this.#call.stated = true;
    this.#call.content = tags === undefined ? null : typeof tags === 'string' ? tags : tags.join(', ');
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
function isAware({ declared }: Call): boolean {
  const extensions = declared && own(declared, 'extensions');
  return isObject(extensions) && isObject(own(extensions, EXTENSION_ID));
}
