/** One upstream with its rules: a message goes through the rules, through the face for its revision, and its answer back. */
import { keys, type JsonObject } from 'waybill';
import { garbled, type Answer, type Event, type Headers } from './answer.js';
import type { UpstreamConfig } from './config/types.js';
import type { Call, Caller, Post } from './face.js';
import { isObject, own, textOf } from './json/values.js';
import { readMessage, SPOKEN, type Era, type Message } from './message.js';
import type { Exchange } from './operations/exchanges.js';
import { mirrorHeaders } from './pairs/envelope.js';
import type { Hop, Rule } from './rules/rule.js';
import { eventsOf, isEventStream, isJson, textOfBody } from './sse.js';
import type { Upstream } from './upstream/upstream.js';

export interface Incoming {
  readonly era: Era;
  readonly caller: Caller;
  readonly session: string | undefined;
  readonly version: string | undefined;
  readonly received: Headers;
  readonly signal: AbortSignal;
  /** Told of what the rules did. */
  readonly exchange?: Exchange;
}

/** The declarations of a legacy client at the start of its session. */
interface Remembered {
  readonly capabilities: JsonObject | undefined;
  readonly principal: string | undefined;
}

const MOST_SESSIONS = 10_000;
const ANSWER_LIMIT = 64 * 1024 * 1024;
/** Headers of the client that go upstream as they are. */
const PASSED: readonly string[] = [keys.TRACEPARENT, keys.TRACESTATE, keys.BAGGAGE, 'last-event-id'];

export class UpstreamHop {
  readonly name: string;
  readonly upstream: Upstream;
  readonly #config: UpstreamConfig;
  readonly #rules: readonly Rule[];
  readonly #report: (problem: string) => void;
  readonly #sessions: Map<string, Remembered>;

  /** `before`: the hop with other rules in whose place this one stands. Its sessions go on. */
  constructor(upstream: Upstream, config: UpstreamConfig, rules: readonly Rule[], report: (problem: string) => void, before?: UpstreamHop) {
    this.#sessions = before === undefined ? new Map<string, Remembered>() : before.#sessions;
    this.name = config.name;
    this.upstream = upstream;
    this.#config = config;
    this.#rules = rules;
    this.#report = report;
  }

  get ruleNames(): readonly string[] {
    return this.#rules.map(({ name }) => name);
  }

  async post(message: Message, incoming: Incoming): Promise<Answer> {
    const { era, caller, session, received } = incoming;
    const { face, canAsk } = await this.upstream.face(era, caller, this.#credentials(incoming));
    const hop: Hop = {
      message,
      era,
      caller,
      session,
      capabilities: canAsk ? this.#capabilities(message, incoming) : {},
      received,
      headers: this.#passedHeaders(incoming),
      answered: {},
      withheld: [],
      report: this.#report,
    };
    for (const rule of this.#rules) {
      const early = await rule.request?.(hop);
      if (early) {
        if (incoming.exchange && rule.isCache === true) incoming.exchange.cached = true;
        return this.#back(early, hop, this.#rules.slice(0, this.#rules.indexOf(rule)));
      }
    }
    incoming.exchange?.passed(message, hop.headers, hop.withheld);
    const answer = await face.post({ ...this.#call(incoming, hop), message } satisfies Post);
    if (message.method === 'initialize') this.#remember(answer, hop);
    if (session !== undefined && statusOf(answer) === 404) this.#forget(session);
    if (message.kind === 'request') refuseOtherMedia(answer, this.name);
    return this.#back(answer, hop, this.#rules);
  }

  async get(incoming: Incoming): Promise<Answer> {
    const { face } = await this.upstream.face('legacy', incoming.caller, this.#credentials(incoming));
    return face.get(this.#call(incoming));
  }

  async delete(incoming: Incoming): Promise<Answer> {
    const { face } = await this.upstream.face('legacy', incoming.caller, this.#credentials(incoming));
    if (incoming.session !== undefined) this.#forget(incoming.session);
    return face.delete(this.#call(incoming));
  }

  /** Ends what the rules hold. The upstream is closed by its owner. */
  async closeRules(): Promise<void> {
    for (const rule of this.#rules) await rule.close?.();
  }

  #call({ caller, session, version, signal, ...incoming }: Incoming, hop?: Hop): Call {
    const headers = hop?.headers ?? this.#passedHeaders({ caller, session, version, signal, ...incoming });
    const mirrored = hop !== undefined && incoming.era === 'modern' ? mirrorHeaders(hop.message) : {};
    const language = hop?.message.meta[keys.ACCEPT_LANGUAGE];
    const named = incoming.era === 'modern' ? textOf(hop?.message.meta[keys.PROTOCOL_VERSION]) : undefined;
    const spoken = named ?? version;
    return {
      caller,
      signal,
      headers: { ...headers, ...mirrored, ...(typeof language === 'string' && { 'accept-language': language }) },
      ...(session !== undefined && { session }),
      ...(spoken !== undefined && { version: spoken }),
    };
  }

  #passedHeaders(incoming: Incoming): Record<string, string> {
    const { received } = incoming;
    const passed: Record<string, string> = { ...this.#credentials(incoming) };
    for (const [name, value] of Object.entries(received)) if (PASSED.includes(name) || name.startsWith('mcp-param-')) passed[name] = value;
    return passed;
  }

  #credentials({ received }: Incoming): Headers {
    const { target } = this.#config;
    const { authorization } = received;
    return target.kind === 'http' && target.passesCredentials && authorization !== undefined ? { authorization } : {};
  }

  #capabilities(message: Message, { era, session, caller }: Incoming): JsonObject | undefined {
    const declared = message.method === 'initialize' ? own(message.params, 'capabilities') : message.meta[keys.CLIENT_CAPABILITIES];
    if (era === 'modern' || message.method === 'initialize') return isObject(declared) ? (declared as JsonObject) : undefined;
    const known = session === undefined ? undefined : this.#sessions.get(session);
    return known?.principal === caller.principal ? known?.capabilities : undefined;
  }

  #remember(answer: Answer, { capabilities, caller }: Hop): void {
    const id = answer.headers?.['mcp-session-id'];
    if (id === undefined) return;
    if (this.#sessions.size >= MOST_SESSIONS) this.#forget(this.#sessions.keys().next().value as string);
    this.#sessions.set(id, { capabilities, principal: caller.principal });
  }

  #forget(session: string): void {
    this.#sessions.delete(session);
    for (const rule of this.#rules) rule.sessionEnded?.(session);
  }

  /** Passes the answer through the rules that want to look at it, the last rule first. If there is none, its bytes are not touched. */
  #back(answer: Answer, hop: Hop, rules: readonly Rule[]): Answer | Promise<Answer> {
    const looking = rules.filter((rule) => rule.looksAt?.(hop) === true).reverse();
    const isDiscover = hop.message.method === 'server/discover';
    if (looking.length === 0 && !isDiscover) return withHeaders(answer, hop.answered);
    const change = async (text: string): Promise<string> => {
      const message = readMessage(text);
      if (message === undefined) return text;
      if (isDiscover && message.kind === 'result') ownVersions(message);
      for (const rule of looking) await rule.answer?.(message, hop);
      return message.text;
    };
    return changed(answer, change, hop.answered, this.name);
  }
}

/** A page in place of an answer is a fault of the upstream. A status that says so itself is passed on. */
function refuseOtherMedia(answer: Answer, name: string): void {
  if (answer.kind !== 'http' || answer.status !== 200) return;
  const type = answer.headers['content-type'];
  if (isJson(type) || isEventStream(type)) return;
  answer.body.on('error', () => undefined).destroy();
  throw garbled(name);
}

/** The versions that clients may use here are ours, whatever the upstream speaks. */
function ownVersions(message: Message): void {
  const versions = own(own(message.value, 'result'), 'supportedVersions');
  const isOurs = Array.isArray(versions) && versions.length === SPOKEN.length && SPOKEN.every((version) => versions.includes(version));
  if (Array.isArray(versions) && !isOurs) message.set(['result', 'supportedVersions'], SPOKEN);
}

async function changed(
  answer: Answer,
  change: (text: string) => Promise<string>,
  added: Record<string, string>,
  name: string,
): Promise<Answer> {
  const changeAll = async function* (events: AsyncIterable<Event>): AsyncGenerator<Event> {
    for await (const event of events) yield event.text === '' ? event : { ...event, text: await change(event.text) };
  };
  if (answer.kind === 'whole')
    return answer.text === undefined ? answer : withHeaders({ ...answer, text: await change(answer.text) }, added);
  if (answer.kind === 'messages') return withHeaders({ ...answer, messages: changeAll(answer.messages) }, added);
  const { status, headers, body } = answer;
  const type = headers['content-type'];
  if (isEventStream(type)) return withHeaders({ kind: 'messages', headers, messages: changeAll(eventsOf(body, 'with asides')) }, added);
  if (!isJson(type)) return answer;
  const text = await textOfBody(body, name, ANSWER_LIMIT);
  if (status === 200 && readMessage(text) === undefined) throw garbled(name);
  return withHeaders({ kind: 'whole', status, headers, text: await change(text) }, added);
}

/** The head of a stream leaves with its first message, and rules may add headers until then: so its headers are a live object. */
function withHeaders(answer: Answer, added: Record<string, string>): Answer {
  if (answer.kind === 'messages') return { ...answer, headers: Object.assign(added, { ...answer.headers, ...added }) };
  return Object.keys(added).length === 0 ? answer : { ...answer, headers: { ...answer.headers, ...added } };
}

function statusOf(answer: Answer): number {
  return answer.kind === 'messages' ? 200 : answer.status;
}
