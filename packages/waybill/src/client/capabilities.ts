import type { Message } from '../transport/index.js';
import { canonicalCapabilities, capabilities, missingCapabilities, withoutQuestions, type Requirement } from '../wire/capabilities.js';
import { ContextError, refusals } from '../wire/errors.js';
import { isObject, own, type JsonObject, type Meta } from '../wire/json.js';
import { CLIENT_CAPABILITIES, EXTENSION_ID } from '../wire/keys.js';
import { andThen } from '../wire/maybe.js';
import type { ClientCall, ClientConnection, Draft, ClientPart } from './part.js';
import { describe, offer, type Unmet } from './tools.js';
import { ask, firstProblem, perObject, type CallValues } from './values.js';

export function checkCapabilities(input: unknown, path: string): void {
  if (input === undefined || input === null || typeof input === 'function') return;
  const first = firstProblem((report) => capabilities.request.write(input as JsonObject, report, {}));
  if (first) throw new TypeError(`${path}: ${first.problem}`);
}

export interface ToolOptions {
  /**
   * Treatment of a tool that needs more than the client can do: `filter` hides it, `disable` shows it with the reason, `allow` shows it
   * unchanged.
   */
  readonly unmet?: Unmet;
  /** Hides a stand-in if the client can use the real tool. */
  readonly substitution?: boolean;
}

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

/** Facts about one server: the requirements of its tools, and what the client declared to it in `initialize`. */
interface KnownTools {
  readonly tools: Map<string, Requirement>;
  /**
   * The capabilities that its tools have ever needed, by text. It only grows: a list that is asked for again must not declare less than the
   * last time.
   */
  readonly needs: Map<string, JsonObject>;
  initialized?: JsonObject;
  /** The capabilities that the client was built with, as the first envelope showed them. */
  built?: string;
  last?: LastDeclaration;
}

const MAX_TOOLS = 4096;
const MAX_NEEDS = 256;
const REFUSED_CALLS: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read', 'completion/complete']);

/**
 * CAP-01, CAP-12…16: sets what each request declares, and decides what happens to tools that need more. Runs last, because other parts
 * declare through it.
 */
export class CapabilitiesPart implements ClientPart {
  readonly name = 'capabilities';
  readonly #unmet: Unmet;
  readonly #substitution: boolean;
  readonly #known = perObject((_: ClientConnection): KnownTools => ({ tools: new Map(), needs: new Map() }));
  readonly #made = new WeakMap<JsonObject, { readonly extra: JsonObject | undefined; readonly made: JsonObject }>();
  readonly #texts = new WeakMap<JsonObject, string>();

  constructor({ unmet = 'filter', substitution = false }: ToolOptions) {
    this.#unmet = unmet;
    this.#substitution = substitution;
  }

  request(call: ClientCall, draft: Draft): void | Promise<void> {
    const { capabilities: input } = call.values;
    if (typeof input !== 'function') return this.#add(input, call, draft);
    return andThen(ask(input, call, 'capabilities', 'capabilities'), (given) => this.#add(given, call, draft));
  }

  #add(given: JsonObject | null | undefined, call: ClientCall, draft: Draft): void {
    const known = this.#known(call.connection);
    const chosen = isObject(given) ? given : undefined;
    if (call.method === 'initialize') {
      const params = call.exchange.request['params'];
      const built = isObject(params) ? own(params, 'capabilities') : undefined;
      known.initialized = draft.declared = this.#withLayer(
        chosen ?? (isObject(built) ? (built as JsonObject) : NO_CAPABILITIES),
        draft.declare,
      );
      draft.params = { ...draft.params, capabilities: known.initialized };
      return;
    }
    const envelope = call.era === 'modern' ? (own(call.callers, CLIENT_CAPABILITIES) ?? NO_CAPABILITIES) : undefined;
    const declaration = this.#declare(envelope, chosen, draft.declare, call.connection, known);
    draft.declared = declaration.declared;
    draft.chosen = declaration.chosen;
    draft.says = declaration.says;
    this.#refuse(call, declaration.declared, known);
  }

  /** The same objects lead to the same declaration on every call, so the last one is kept. */
  #declare(
    envelope: unknown,
    chosen: JsonObject | undefined,
    extra: JsonObject | undefined,
    { extension, carriesQuestions }: ClientConnection,
    known: KnownTools,
  ): LastDeclaration {
    const { last } = known;
    const isSame = last?.envelope === envelope && last?.given === chosen && last?.extra === extra;
    if (last !== undefined && isSame && last.extension === extension && last.carriesQuestions === carriesQuestions) return last;
    const made =
      envelope === undefined ? this.#afterInitialize(chosen, extra, extension, known) : this.#inEnvelope(envelope, chosen, extra, known);
    // D-29: on 2026-07-28 a question is a result, which every connection carries.
    const declared = envelope === undefined && !carriesQuestions ? withoutQuestions(made.declared) : made.declared;
    return (known.last = { envelope, given: chosen, extra, extension, carriesQuestions, ...made, declared });
  }

  #inEnvelope(envelope: unknown, given: JsonObject | undefined, extra: JsonObject | undefined, known: KnownTools): Declaration {
    const base = isObject(envelope) ? (envelope as JsonObject) : NO_CAPABILITIES;
    const text = this.#text(base);
    known.built ??= text;
    // A caller's own declaration beats the layer's. Capabilities that the client was built with are not a caller's own.
    const chosen = text === known.built ? given : base;
    return { chosen, declared: this.#withLayer(chosen ?? base, extra), says: true };
  }

  /** On 2025-11-25 a request repeats its capabilities only if they differ from those of `initialize`, or if the server reads them. */
  #afterInitialize(
    chosen: JsonObject | undefined,
    extra: JsonObject | undefined,
    extension: JsonObject | undefined,
    { initialized }: KnownTools,
  ): Declaration {
    const base = chosen ?? initialized;
    if (base === undefined) return { chosen, declared: undefined, says: false };
    const declared = this.#withLayer(base, extra);
    const says = extension !== undefined || initialized === undefined || this.#text(initialized) !== this.#text(declared);
    return { chosen, declared, says };
  }

  /**
   * CAP-14: a call that cannot succeed fails with a clear error. A call of a filtered tool still goes to the server: it was not offered.
   */
  #refuse(call: ClientCall, declared: JsonObject | undefined, known: KnownTools): void {
    if (call.method !== 'tools/call' || this.#unmet === 'filter' || known.tools.size === 0) return;
    const params = call.exchange.request['params'];
    const name = isObject(params) ? own(params, 'name') : undefined;
    const required = typeof name === 'string' ? known.tools.get(name)?.required : undefined;
    const missing = required && missingCapabilities(required, declared);
    if (missing === undefined) return;
    const message = `${refusals['missing-capability'].message}: the tool ${JSON.stringify(name)} ${describe(missing)}`;
    throw new ContextError('missing-capability', { requiredCapabilities: missing }, { message });
  }

  answer(message: Message, call: ClientCall): Message {
    if (call.method === 'tools/list') return this.#listed(message, call);
    const error = own(message, 'error');
    // CAP-16, D-26: the listed tools are stale. A failed list drops nothing: it would be listed again and fail again.
    if (isObject(error) && error['code'] === refusals['missing-capability'].code && REFUSED_CALLS.has(call.method))
      call.connection.listsChanged();
    return message;
  }

  /** Tells whether two inputs declare the same. A function may return anything, so it is never the same as another input. */
  same(before: CallValues['capabilities'], after: CallValues['capabilities']): boolean {
    if (before === after) return true;
    return isObject(before) && isObject(after) && this.#text(before) === this.#text(after);
  }

  /** Called when the server has changed its list of tools. */
  forget(connection: ClientConnection): void {
    this.#known(connection).tools.clear();
  }

  /** Returns the capabilities that the tools of this server need, as far as it has listed them. */
  needs(connection: ClientConnection): Iterable<JsonObject> {
    return this.#known(connection).needs.values();
  }

  preview({ connection, values: { capabilities: input }, callers }: ClientCall, draft: Draft): void {
    const { initialized, last } = this.#known(connection);
    const found = own(callers, CLIENT_CAPABILITIES);
    const base = isObject(input) ? input : isObject(found) ? (found as JsonObject) : (last?.declared ?? initialized);
    draft.declared = this.#withLayer({ ...base }, draft.declare);
    draft.says = true;
  }

  #listed(message: Message, { connection, capabilities: declared, levels }: ClientCall): Message {
    const { result } = message;
    const tools = isObject(result) ? own(result, 'tools') : undefined;
    if (!isObject(result) || !Array.isArray(tools)) return message;
    const known = this.#known(connection).tools;
    const offered = offer(
      tools,
      declared,
      { unmet: this.#unmet, substitution: this.#substitution, report: connection.onIssue },
      (name, requirement) => {
        if (requirement.required === undefined) known.delete(name);
        else if (known.size < MAX_TOOLS || known.has(name)) known.set(name, requirement);
      },
    );
    if (levels?.capabilities === 'minimal') this.#learnNeeds(connection);
    return offered === tools ? message : { ...message, result: { ...result, tools: offered } };
  }

  /** D-16: once more is declared, the list itself was made for less. It is dropped as soon as the SDK has it. */
  #learnNeeds(connection: ClientConnection): void {
    const { tools, needs } = this.#known(connection);
    const before = needs.size;
    for (const { required } of tools.values()) if (required && needs.size < MAX_NEEDS) needs.set(this.#text(required), required);
    if (needs.size > before) setTimeout(() => connection.listsChanged());
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

  #text(declared: JsonObject): string {
    let text = this.#texts.get(declared);
    if (text === undefined) this.#texts.set(declared, (text = canonicalCapabilities(declared)));
    return text;
  }
}

const NO_CAPABILITIES: JsonObject = Object.freeze({});
