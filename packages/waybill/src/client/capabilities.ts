import type { Message } from '../transport/index.js';
import { canonicalCapabilities, capabilities, missingCapabilities, type Requirement } from '../wire/capabilities.js';
import { ContextError, refusals } from '../wire/errors.js';
import type { Issue } from '../wire/issue.js';
import { isObject, own, type JsonObject, type Meta } from '../wire/json.js';
import { CLIENT_CAPABILITIES, EXTENSION_ID } from '../wire/keys.js';
import { andThen } from '../wire/maybe.js';
import type { ClientCall, ClientConnection, Draft, ClientPart } from './part.js';
import { describe, offer, type Unmet } from './tools.js';
import { ask, perObject, type CallValues } from './values.js';

export function checkCapabilities(input: unknown, path: string): void {
  if (input === undefined || input === null || typeof input === 'function') return;
  const issues: Issue[] = [];
  capabilities.request.write(input as JsonObject, (issue) => issues.push(issue), {});
  const [first] = issues;
  if (first) throw new TypeError(`${path}: ${first.problem}`);
}

export interface ToolOptions {
  /** How a tool is shown that needs what the client cannot do: `filter` hides it, `disable` shows it with the reason, `allow` shows it as it is. */
  readonly unmet?: Unmet;
  /** Hides a stand-in where the client can use the real tool. */
  readonly substitution?: boolean;
}

interface Decided {
  readonly chosen: JsonObject | undefined;
  readonly declared: JsonObject | undefined;
  readonly says: boolean;
}
interface Decision extends Decided {
  readonly envelope: unknown;
  readonly given: JsonObject | undefined;
  readonly extra: JsonObject | undefined;
  readonly extension: JsonObject | undefined;
}

/** What is remembered of one server: the requirements of its tools, as it listed them, and what the client told it at the beginning. */
interface Known {
  readonly tools: Map<string, Requirement>;
  initialized?: JsonObject;
  /** What the client was built with, as the first envelope showed it. */
  built?: string;
  last?: Decision;
}

const MAX_TOOLS = 4096;
const REFUSED_CALLS: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read', 'completion/complete']);

/** CAP-01, CAP-12…16: what each request declares, and what becomes of the tools that need more. Comes last: other parts declare through it. */
export class CapabilitiesPart implements ClientPart {
  readonly name = 'capabilities';
  readonly #unmet: Unmet;
  readonly #substitution: boolean;
  readonly #known = perObject((_: ClientConnection): Known => ({ tools: new Map() }));
  readonly #declared = new WeakMap<JsonObject, { readonly extra: JsonObject | undefined; readonly made: JsonObject }>();
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
    const decision = this.#decide(envelope, chosen, draft.declare, call.connection, known);
    draft.declared = decision.declared;
    draft.chosen = decision.chosen;
    draft.says = decision.says;
    this.#refuse(call, decision.declared, known);
  }

  /** The same objects lead to the same decision, call after call; the last one is remembered. */
  #decide(
    envelope: unknown,
    chosen: JsonObject | undefined,
    extra: JsonObject | undefined,
    { extension }: ClientConnection,
    known: Known,
  ): Decision {
    const { last } = known;
    if (last !== undefined && last.envelope === envelope && last.given === chosen && last.extra === extra && last.extension === extension)
      return last;
    const made =
      envelope === undefined ? this.#afterInitialize(chosen, extra, extension, known) : this.#inEnvelope(envelope, chosen, extra, known);
    return (known.last = { envelope, given: chosen, extra, extension, ...made });
  }

  #inEnvelope(envelope: unknown, given: JsonObject | undefined, extra: JsonObject | undefined, known: Known): Decided {
    const base = isObject(envelope) ? (envelope as JsonObject) : NO_CAPABILITIES;
    const text = this.#text(base);
    known.built ??= text;
    // A caller's own declaration beats the layer's; what the client was built with is nobody's own.
    const chosen = text === known.built ? given : base;
    return { chosen, declared: this.#withLayer(chosen ?? base, extra), says: true };
  }

  /** Without an envelope a request repeats what it declares where that differs from the beginning, or where the server reads it. */
  #afterInitialize(
    chosen: JsonObject | undefined,
    extra: JsonObject | undefined,
    extension: JsonObject | undefined,
    { initialized }: Known,
  ): Decided {
    const base = chosen ?? initialized;
    if (base === undefined) return { chosen, declared: undefined, says: false };
    const declared = this.#withLayer(base, extra);
    const says = extension !== undefined || initialized === undefined || this.#text(initialized) !== this.#text(declared);
    return { chosen, declared, says };
  }

  /** CAP-14: fails a call that cannot succeed with a clear error. A filtered tool was not offered; a call of it still goes to the server. */
  #refuse(call: ClientCall, declared: JsonObject | undefined, known: Known): void {
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

  /** Whether two sets among the values declare the same; of what a function will say nothing is known. */
  same(before: CallValues['capabilities'], after: CallValues['capabilities']): boolean {
    if (before === after) return true;
    return isObject(before) && isObject(after) && this.#text(before) === this.#text(after);
  }

  /** The tools of a server are another list now. */
  forget(connection: ClientConnection): void {
    this.#known(connection).tools.clear();
  }

  #listed(message: Message, { connection, capabilities: declared }: ClientCall): Message {
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
    return offered === tools ? message : { ...message, result: { ...result, tools: offered } };
  }

  /** Our extension and what other parts declare, beside what the application declares. Worked out once for each pair of objects. */
  #withLayer(base: JsonObject, extra: JsonObject | undefined): JsonObject {
    const last = this.#declared.get(base);
    if (last !== undefined && last.extra === extra) return last.made;
    const found = own(base, 'extensions');
    const extensions: Meta = isObject(found) ? found : {};
    const made = {
      ...extra,
      ...base,
      ...(!Object.hasOwn(extensions, EXTENSION_ID) && { extensions: { ...extensions, [EXTENSION_ID]: {} } }),
    };
    this.#declared.set(base, { extra, made: made });
    return made;
  }

  #text(declared: JsonObject): string {
    let text = this.#texts.get(declared);
    if (text === undefined) this.#texts.set(declared, (text = canonicalCapabilities(declared)));
    return text;
  }
}

const NO_CAPABILITIES: JsonObject = Object.freeze({});
