import { canonicalCapabilities, withoutQuestions } from '../wire/capabilities.js';
import { isObject, own, type JsonObject, type Meta } from '../wire/json.js';
import { CLIENT_CAPABILITIES, EXTENSION_ID } from '../wire/keys.js';
import type { ClientCall, ClientConnection, Draft } from './part.js';
import { perObject } from './values.js';

/** The members of a draft that say what a request declares. */
type Declaration = Pick<Draft, 'chosen' | 'declared' | 'says'>;

/** A declaration, and the objects that it was made from. */
interface LastDeclaration extends Declaration {
  readonly envelope: unknown;
  readonly given: JsonObject | undefined;
  readonly extra: JsonObject | undefined;
  readonly extension: JsonObject | undefined;
  readonly carriesQuestions: boolean;
}

/** The capabilities that one server was told of. */
interface ToldServer {
  /** Those of `initialize`. */
  initialized?: JsonObject;
  /** Those that the client was built with, as the first envelope showed them. */
  built?: string;
  last?: LastDeclaration;
}

const NO_CAPABILITIES: JsonObject = Object.freeze({});

/** CAP-01: what each request declares. `extra`: the capabilities that other parts declare. */
export class Declarations {
  readonly #told = perObject((_: ClientConnection): ToldServer => ({}));
  readonly #made = new WeakMap<JsonObject, { readonly extra: JsonObject | undefined; readonly made: JsonObject }>();
  readonly #texts = new WeakMap<JsonObject, string>();

  /** Returns the capabilities for `initialize`. */
  initialize({ connection, exchange }: ClientCall, chosen: JsonObject | undefined, extra: JsonObject | undefined): JsonObject {
    const { params } = exchange.request;
    const built = isObject(params) ? own(params, 'capabilities') : undefined;
    const base = chosen ?? (isObject(built) ? (built as JsonObject) : NO_CAPABILITIES);
    return (this.#told(connection).initialized = this.#withLayer(base, extra));
  }

  /** The same objects lead to the same declaration on every call, so the last one is kept. */
  of({ connection, era, callers }: ClientCall, given: JsonObject | undefined, extra: JsonObject | undefined): LastDeclaration {
    const told = this.#told(connection);
    const { last } = told;
    const { extension, carriesQuestions } = connection;
    const envelope = era === 'modern' ? (own(callers, CLIENT_CAPABILITIES) ?? NO_CAPABILITIES) : undefined;
    const isSame = last?.envelope === envelope && last?.given === given && last?.extra === extra;
    if (last !== undefined && isSame && last.extension === extension && last.carriesQuestions === carriesQuestions) return last;
    const made =
      envelope === undefined ? this.#afterInitialize(given, extra, extension, told) : this.#inEnvelope(envelope, given, extra, told);
    // D-29: on 2026-07-28 a question is a result, which every connection carries.
    const declared = envelope === undefined && !carriesQuestions ? withoutQuestions(made.declared) : made.declared;
    return (told.last = { envelope, given, extra, extension, carriesQuestions, ...made, declared });
  }

  #inEnvelope(envelope: unknown, given: JsonObject | undefined, extra: JsonObject | undefined, told: ToldServer): Declaration {
    const base = isObject(envelope) ? (envelope as JsonObject) : NO_CAPABILITIES;
    const text = this.text(base);
    told.built ??= text;
    // A caller's own declaration beats the layer's. Capabilities that the client was built with are not a caller's own.
    const chosen = text === told.built ? given : base;
    return { chosen, declared: this.#withLayer(chosen ?? base, extra), says: true };
  }

  /** On 2025-11-25 a request repeats its capabilities only if they differ from those of `initialize`, or if the server reads them. */
  #afterInitialize(
    chosen: JsonObject | undefined,
    extra: JsonObject | undefined,
    extension: JsonObject | undefined,
    { initialized }: ToldServer,
  ): Declaration {
    const base = chosen ?? initialized;
    if (base === undefined) return { chosen, declared: undefined, says: false };
    const declared = this.#withLayer(base, extra);
    const says = extension !== undefined || initialized === undefined || this.text(initialized) !== this.text(declared);
    return { chosen, declared, says };
  }

  /** The next envelope shows what the next client was built with. */
  forgetClient(connection: ClientConnection): void {
    const told = this.#told(connection);
    delete told.built;
    delete told.last;
  }

  /** Returns what a request would declare, as far as it is known without sending it. */
  preview({ connection, values: { capabilities: input }, callers }: ClientCall, extra: JsonObject | undefined): JsonObject {
    const { initialized, last } = this.#told(connection);
    const found = own(callers, CLIENT_CAPABILITIES);
    const base = isObject(input) ? input : isObject(found) ? (found as JsonObject) : (last?.declared ?? initialized);
    return this.#withLayer({ ...base }, extra);
  }

  /** Adds our extension and what other parts declare to what the application declares. Computed once for each pair of objects. */
  #withLayer(base: JsonObject, extra: JsonObject | undefined): JsonObject {
    const last = this.#made.get(base);
    if (last !== undefined && last.extra === extra) return last.made;
    const found = own(base, 'extensions');
    const extensions: Meta = isObject(found) ? found : {};
    const made = {
      ...extra,
      ...base,
      ...(!Object.hasOwn(extensions, EXTENSION_ID) && { extensions: { ...extensions, [EXTENSION_ID]: {} } }),
    };
    this.#made.set(base, { extra, made });
    return made;
  }

  /** Writes a declaration as text, which is the same for equal declarations. */
  text(declared: JsonObject): string {
    let text = this.#texts.get(declared);
    if (text === undefined) this.#texts.set(declared, (text = canonicalCapabilities(declared)));
    return text;
  }
}
