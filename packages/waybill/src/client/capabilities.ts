import type { Message, TransportLike } from '../transport/index.js';
import { capabilities, missingCapabilities, type Requirement } from '../wire/capabilities.js';
import { ContextError, refusals } from '../wire/errors.js';
import { isObject, own, type JsonObject } from '../wire/json.js';
import { andThen } from '../wire/maybe.js';
import { Declarations } from './declarations.js';
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

/** The requirements of the tools of one server. */
interface KnownTools {
  readonly tools: Map<string, Requirement>;
  /**
   * The capabilities that its tools have ever needed, by text. It only grows: a list that is asked for again must not declare less than the
   * last time.
   */
  readonly needs: Map<string, JsonObject>;
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
  readonly #declarations = new Declarations();

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
    const chosen = isObject(given) ? given : undefined;
    if (call.method === 'initialize') {
      draft.declared = this.#declarations.initialize(call, chosen, draft.declare);
      draft.params = { ...draft.params, capabilities: draft.declared };
      return;
    }
    const declaration = this.#declarations.of(call, chosen, draft.declare);
    draft.declared = declaration.declared;
    draft.chosen = declaration.chosen;
    draft.says = declaration.says;
    this.#refuse(call, declaration.declared);
  }

  /**
   * CAP-14: a call that cannot succeed fails with a clear error. A call of a filtered tool still goes to the server: it was not offered.
   */
  #refuse(call: ClientCall, declared: JsonObject | undefined): void {
    if (call.method !== 'tools/call' || this.#unmet === 'filter') return;
    const params = call.exchange.request['params'];
    const name = isObject(params) ? own(params, 'name') : undefined;
    const required = typeof name === 'string' ? this.#known(call.connection).tools.get(name)?.required : undefined;
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
    return isObject(before) && isObject(after) && this.#declarations.text(before) === this.#declarations.text(after);
  }

  /** The same transport may be connected again, by a client that was built with other capabilities. */
  closed(connection: ClientConnection, transport: TransportLike): void {
    if (transport === connection.transport) this.#declarations.forgetClient(connection);
  }

  /** Called when the server has changed its list of tools. */
  forget(connection: ClientConnection): void {
    this.#known(connection).tools.clear();
  }

  /** Returns the capabilities that the tools of this server need, as far as it has listed them. */
  needs(connection: ClientConnection): Iterable<JsonObject> {
    return this.#known(connection).needs.values();
  }

  preview(call: ClientCall, draft: Draft): void {
    draft.declared = this.#declarations.preview(call, draft.declare);
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
    for (const { required } of tools.values())
      if (required && needs.size < MAX_NEEDS) needs.set(this.#declarations.text(required), required);
    if (needs.size > before) setTimeout(() => connection.listsChanged());
  }
}
