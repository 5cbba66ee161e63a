/** One upstream with its rules: a message goes through the rules, through the face for its revision, and its answer back. */
import { keys, type JsonObject } from 'waybill';
import { isFieldValue } from 'waybill/adapter';
import { Refusal, statusOf, type Answer, type Headers } from './answer.js';
import { changeAnswer, ownVersions, readRefusal, refuseOtherMedia, withHeaders } from './back.js';
import type { Era, UpstreamConfig } from './config/types.js';
import type { Caller, Face, FaceRequest } from './face.js';
import { textOf } from './json/values.js';
import type { Message } from './message.js';
import { declaredBy, HEADER_MISMATCH, MODERN, UNSUPPORTED_VERSION } from './revision.js';
import type { Exchange } from './operations/exchanges.js';
import { mirrorHeaders } from './pairs/envelope.js';
import { listTools } from './pairs/toolHeaders.js';
import type { Hop, Rule } from './rules/rule.js';
import { finalMessage } from './sse.js';
import type { Upstream } from './upstream/upstream.js';

export interface Incoming {
  readonly era: Era;
  readonly caller: Caller;
  readonly session: string | undefined;
  /** The capabilities that the client of this session declared at its start, if they are known. */
  readonly declared: JsonObject | undefined;
  readonly version: string | undefined;
  readonly received: Headers;
  readonly signal: AbortSignal;
  /** Notes what the rules did. */
  readonly exchange?: Exchange;
}

/** Headers of the client that go upstream as they are. */
const PASSED: readonly string[] = [keys.TRACEPARENT, keys.TRACESTATE, keys.BAGGAGE, 'last-event-id'];

export class UpstreamHop {
  readonly name: string;
  readonly upstream: Upstream;
  readonly config: UpstreamConfig;
  readonly #rules: readonly Rule[];
  readonly #report: (problem: string) => void;

  constructor(upstream: Upstream, config: UpstreamConfig, rules: readonly Rule[], report: (problem: string) => void) {
    this.name = config.name;
    this.upstream = upstream;
    this.config = config;
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
      capabilities: canAsk ? (declaredBy(message, era) ?? incoming.declared) : {},
      received,
      headers: this.#passedHeaders(incoming),
      answered: {},
      report: this.#report,
    };
    try {
      return await this.#pass(face, incoming, hop);
    } catch (error) {
      this.#ended(hop);
      throw error;
    }
  }

  async #pass(face: Face, incoming: Incoming, hop: Hop): Promise<Answer> {
    const { message, session, caller } = hop;
    if (this.#rules.length > 0) message.settle();
    for (const rule of this.#rules) {
      const early = await rule.request?.(hop);
      if (early) {
        if (incoming.exchange && rule.isCache === true) incoming.exchange.cached = true;
        return this.#back(early, hop, this.#rules.slice(0, this.#rules.indexOf(rule)));
      }
    }
    incoming.exchange?.passed(message, hop.headers, hop.disclosure);
    const answer = await this.#send(face, incoming, hop);
    if (session !== undefined && statusOf(answer) === 404) this.#forget(session, caller);
    if (message.kind === 'request') refuseOtherMedia(answer, this.name);
    return this.#back(answer, hop, this.#rules);
  }

  #ended(hop: Hop): void {
    for (const rule of this.#rules) rule.ended?.(hop);
  }

  async get(incoming: Incoming): Promise<Answer> {
    const { face } = await this.upstream.face('legacy', incoming.caller, this.#credentials(incoming));
    const answer = await face.get(this.#call(incoming));
    const listening = this.#rules.filter((rule) => 'notified' in rule);
    if (listening.length === 0) return answer;
    const tell = (message: Message): void => {
      for (const rule of listening) rule.notified?.(message);
    };
    return changeAnswer(answer, tell, {}, this.name);
  }

  async delete(incoming: Incoming): Promise<Answer> {
    const { face } = await this.upstream.face('legacy', incoming.caller, this.#credentials(incoming));
    if (incoming.session !== undefined) this.#forget(incoming.session, incoming.caller);
    return face.delete(this.#call(incoming));
  }

  /** Ends what the rules hold. The upstream is closed by its owner. */
  async closeRules(): Promise<void> {
    for (const rule of this.#rules) await rule.close?.();
  }

  #call(incoming: Incoming, hop?: Hop): FaceRequest {
    const { caller, session, version, signal, era } = incoming;
    const headers = hop?.headers ?? this.#passedHeaders(incoming);
    const mirrored = hop !== undefined && era === 'modern' ? mirrorHeaders(hop.message) : {};
    const language = textOf(hop?.message.meta[keys.ACCEPT_LANGUAGE]);
    const named = era === 'modern' ? textOf(hop?.message.meta[keys.PROTOCOL_VERSION]) : undefined;
    const spoken = named ?? version;
    return {
      caller,
      signal,
      headers: { ...headers, ...mirrored, ...(language !== undefined && isFieldValue(language) && { 'accept-language': language }) },
      ...(session !== undefined && { session }),
      ...(spoken !== undefined && { version: spoken }),
    };
  }

  #passedHeaders(incoming: Incoming): Record<string, string> {
    const { received } = incoming;
    const passed: Record<string, string> = { ...this.#credentials(incoming) };
    for (const name of Object.keys(received))
      if (PASSED.includes(name) || name.startsWith('mcp-param-')) passed[name] = received[name] as string;
    return passed;
  }

  #credentials({ received }: Incoming): Headers {
    const { target } = this.config;
    const { authorization } = received;
    return target.kind === 'http' && target.passesCredentials && authorization !== undefined ? { authorization } : {};
  }

  /** A request is sent once more only if the upstream refused its revision or its headers: then it has not begun to work on it. */
  async #send(face: Face, incoming: Incoming, hop: Hop): Promise<Answer> {
    const { message } = hop;
    const send = (to: Face): Promise<Answer> => to.post({ ...this.#call(incoming, hop), message });
    const refused = await send(face).then(
      async (answer) => (message.kind === 'request' ? await readRefusal(answer, this.name) : undefined) ?? { answer, code: undefined },
      (error: unknown) => {
        if (error instanceof Refusal && error.code === UNSUPPORTED_VERSION)
          return { code: error.code, answer: error.answer(message.idText) };
        throw error;
      },
    );
    if (refused.code === UNSUPPORTED_VERSION && (hop.era === 'legacy' || message.meta[keys.PROTOCOL_VERSION] === MODERN)) {
      const credentials = this.#credentials(incoming);
      if (await this.upstream.hasChanged(hop.caller, credentials))
        return send((await this.upstream.face(hop.era, hop.caller, credentials)).face);
    }
    if (refused.code === HEADER_MISMATCH && (await this.#hasNewHeaders(face, incoming, hop))) return send(face);
    return refused.answer;
  }

  /** Asks for the tools as they are now. The rules that filled in an argument then repeat it in the right headers. */
  async #hasNewHeaders(face: Face, incoming: Incoming, hop: Hop): Promise<boolean> {
    const rules = this.#rules.filter((rule) => 'headersRefused' in rule);
    if (rules.length === 0 || hop.message.method !== 'tools/call') return false;
    const { [keys.PROGRESS_TOKEN]: _, ...envelope } = hop.message.meta;
    const tools = await listTools(async (request) => {
      for (const [key, value] of Object.entries(envelope)) request.setMeta(key, value);
      const headers = { ...this.#passedHeaders(incoming), ...mirrorHeaders(request) };
      const answer = await face.post({ ...this.#call(incoming), headers, version: MODERN, message: request });
      return (await finalMessage(answer, this.name)) ?? request;
    }).catch(() => []);
    return rules.some((rule) => rule.headersRefused?.(hop, tools) === true);
  }

  #forget(session: string, caller: Caller): void {
    for (const rule of this.#rules) rule.sessionEnded?.(session, caller);
  }

  /** Passes the answer through the rules that want to look at it, the last rule first. If there is none, its bytes are not touched. */
  #back(answer: Answer, hop: Hop, rules: readonly Rule[]): Answer | Promise<Answer> {
    const looking = rules.filter((rule) => rule.looksAt?.(hop) === true).reverse();
    const isDiscover = hop.message.method === 'server/discover';
    if (looking.length === 0 && !isDiscover) return withHeaders(answer, hop.answered);
    const change = async (message: Message): Promise<void> => {
      if (isDiscover && message.kind === 'result') ownVersions(message);
      for (const rule of looking) await rule.answer?.(message, hop);
    };
    return changeAnswer(answer, change, hop.answered, this.name, () => this.#ended(hop));
  }
}
