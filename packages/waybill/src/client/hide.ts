import type { Message } from '../transport/index.js';
import { expects, isTexts } from '../wire/check.js';
import { isObject, own } from '../wire/json.js';
import { atOnce } from '../wire/maybe.js';
import type { ClientCall, ClientConnection, ClientPart } from './part.js';

/**
 * The keys of a result's `_meta` that the application does not see: all keys, the named ones, or those for which the function returns true.
 */
export type Hide = boolean | readonly string[] | ((key: string) => boolean);

/** Hosts hand these results to a model, with their `_meta` (IX-16). */
const READ_BY_MODELS: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

export const checkHide = expects(
  'true, a list of keys or a function',
  (value) => typeof value === 'boolean' || typeof value === 'function' || isTexts(value),
);

export class HidePart implements ClientPart {
  readonly name = 'hide';
  readonly #hides: (key: string) => boolean;

  constructor(hide: Exclude<Hide, false>) {
    const listed: ReadonlySet<string> = new Set(Array.isArray(hide) ? (hide as readonly string[]) : []);
    this.#hides = typeof hide === 'function' ? hide : hide === true ? () => true : (key) => listed.has(key);
  }

  answer(message: Message, { method, connection }: ClientCall): Message {
    const { result } = message;
    const meta = READ_BY_MODELS.has(method) && isObject(result) ? own(result, '_meta') : undefined;
    if (!isObject(result) || !isObject(meta)) return message;
    const kept = Object.entries(meta).filter(([key]) => !this.#hidden(key, connection));
    const { _meta: _, ...rest } = result;
    return { ...message, result: kept.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(kept) } };
  }

  /** A key is hidden if the function throws for it. */
  #hidden(key: string, connection: ClientConnection): boolean {
    try {
      return atOnce(this.#hides(key), 'hide');
    } catch (error) {
      connection.onFault(error);
      return true;
    }
  }
}
