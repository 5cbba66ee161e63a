import { canonicalCapabilities } from '../wire/capabilities.js';
import { isObject, type JsonObject } from '../wire/json.js';
import { andThen } from '../wire/maybe.js';
import { LIST_METHODS } from '../wire/message.js';
import type { CallAbout, ClientConnection } from './part.js';
import { ask, type CallValues } from './values.js';

/** The lists that may vary with the declared capabilities. A resource does not (IX-01). */
const LISTS: ReadonlySet<string> = new Set(LIST_METHODS);

/** The parts of a request by which its answer may vary: the preference as it is sent, and its own capabilities. */
export interface Choice {
  readonly language: string | null;
  readonly capabilities: JsonObject | null;
}

/** Returns the choice that a request with these values would carry. `preference` finds the language of the values. */
export function choose(
  preference: (values: CallValues, about: CallAbout) => string | undefined | Promise<string | undefined>,
  values: CallValues,
  about: CallAbout,
): Choice | Promise<Choice> {
  const { capabilities: input } = values;
  return andThen(
    ask((call) => preference(values, call), about, 'language', 'language'),
    (language) =>
      andThen(typeof input === 'function' ? ask(input, about, 'capabilities', 'capabilities') : input, (given) => ({
        language: language ?? null,
        capabilities: isObject(given) ? given : null,
      })),
  );
}

export interface VariantOf {
  readonly method: string;
  readonly language: string | undefined;
  /** The capabilities of this request, instead of those the client was built with. */
  readonly chosen: JsonObject | undefined;
  /** D-29: whether the connection can carry questions of a server of 2025-11-25. If not, capabilities to answer them have no effect. */
  readonly carriesQuestions: boolean;
  readonly principal: string | undefined;
  readonly connection: Pick<ClientConnection, 'url' | 'server' | 'command'>;
}

/**
 * LANG-60, IX-01: everything in the context that a cached result may depend on, beside the method and its params. The address of the server
 * is part of it: the SDK tells servers apart by the name they give themselves, and any server may take any name.
 */
export function variantOf({ method, language, chosen, carriesQuestions, principal, connection }: VariantOf): string {
  const usable = LISTS.has(method) ? [canonicalCapabilities(chosen), carriesQuestions] : null;
  const { url, server, command } = connection;
  return JSON.stringify([language ?? null, usable, principal ?? null, url?.href ?? null, server ?? null, command ?? null]);
}
