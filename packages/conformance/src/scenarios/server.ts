/** The server that a client under test talks to. It speaks one revision, follows the scenario, and keeps what it receives. */
import { type Lines, newReply, type Reply } from '../peers/reply.js';
import { methodNotFound } from '../wire/exchange.js';
import { at, type Message } from '../wire/json.js';
import {
  CONTENT_LANGUAGE,
  HEADER_MISMATCH,
  LEGACY,
  MISSING_CAPABILITY,
  MODERN,
  PROTOCOL_VERSION,
  REQUIRED_CAPABILITIES,
  type Revision,
  SESSION_STATE,
} from '../wire/keys.js';
import { ANNOTATED, REFUSALS, REQUEST_STATE, STATE_STEPS, tool, TOOLS } from './data.js';
import { type Keep, receivedOf } from './received.js';

const INFO = { name: 'scenario-server', version: '1.0.0' };
/** Milliseconds that the first of two calls waits for the second one. */
const WAIT = 300;

export class ScenarioServer {
  readonly #scenario: string;
  readonly #revision: Revision;
  readonly #keep: Keep;
  #answered: () => void = () => undefined;
  readonly #second = new Promise<void>((resolve) => (this.#answered = resolve));

  constructor(scenario: string, revision: Revision, keep: Keep) {
    this.#scenario = scenario;
    this.#revision = revision;
    this.#keep = keep;
  }

  async answer(message: Message, session: Message, lines?: Lines): Promise<Reply> {
    const modern = at(message, 'params', '_meta', PROTOCOL_VERSION) !== undefined || message['method'] === 'server/discover';
    const reply = newReply();
    const { id } = message;
    // Both revisions answer the other's opening with an error, so that a client that speaks both falls back.
    const foreign = this.#revision === MODERN ? message['method'] === 'initialize' : modern;
    if (foreign) {
      if (id === undefined) return { ...reply, status: 202 };
      const wrong = this.#revision === MODERN ? methodNotFound(id) : { jsonrpc: '2.0', id, error: unsupported(message) };
      return { ...reply, status: 400, message: wrong };
    }
    await this.#keep(receivedOf(message, session, lines));
    await nextMillisecond();
    if (id === undefined || message['method'] === undefined) return { ...reply, status: 202 };
    const refused = this.#refused(message);
    if (refused !== undefined) return { ...reply, status: modern ? 400 : 200, message: { jsonrpc: '2.0', id, error: refused } };
    const result = this.#result(message, reply);
    if (at(message, 'params', 'name') === 'check_order') await this.#inTurn(at(message, 'params', 'arguments', 'value') === 'first');
    if (result === undefined) return { ...reply, status: modern ? 404 : 200, message: methodNotFound(id) };
    if (this.#revision === MODERN) result['resultType'] ??= 'complete';
    // On 2025-11-25 only a stream can carry a question back, so a client may count on one. The answer with two languages needs its header.
    const streamed = this.#revision === LEGACY && reply.headers.length === 0;
    return { ...reply, streamed, message: { jsonrpc: '2.0', id, result } };
  }

  /** Errors that a scenario is about. */
  #refused({ method, params }: Message): Message | undefined {
    if (method !== 'tools/call') return undefined;
    if (at(params, 'name') === 'check_refused') return { code: HEADER_MISMATCH, message: 'Mcp-Name and the body disagree' };
    const message = REFUSALS[this.#scenario];
    return message === undefined
      ? undefined
      : { code: MISSING_CAPABILITY, message, data: { requiredCapabilities: { 'com-example-none': {} } } };
  }

  /** The first of two calls waits until the second one has been answered; a client that sends one after the other waits a moment. */
  async #inTurn(first: boolean): Promise<void> {
    if (!first) this.#answered();
    else await Promise.race([this.#second, new Promise((resolve) => setTimeout(resolve, WAIT).unref())]);
    // The other answer has to leave before this one.
    if (first) await nextMillisecond();
  }

  #result({ method, params }: Message, reply: Reply): Message | undefined {
    const hints = (result: Message) => (this.#revision === MODERN ? { ...result, ttlMs: 60_000, cacheScope: 'public' } : result);
    switch (method) {
      case 'initialize':
        return { protocolVersion: LEGACY, capabilities: { tools: {} }, serverInfo: INFO };
      case 'server/discover':
        return hints({ supportedVersions: [MODERN], capabilities: { tools: {} }, serverInfo: INFO });
      case 'ping':
        return {};
      case 'tools/list':
        return hints({ tools: this.#tools() });
      case 'tools/call':
        return this.#call(params, reply);
      default:
        return undefined;
    }
  }

  #tools(): readonly Message[] {
    if (this.#scenario !== 'capabilities' && !(this.#scenario in REFUSALS)) return TOOLS;
    return Object.entries(ANNOTATED).map(([name, needs]) =>
      tool(name, {}, Object.keys(needs).length > 0 ? { _meta: { [REQUIRED_CAPABILITIES]: needs } } : {}),
    );
  }

  #call(params: unknown, reply: Reply): Message {
    const name = at(params, 'name');
    const result: Message = { content: [{ type: 'text', text: 'done' }] };
    if (name === 'add_numbers')
      return {
        content: [{ type: 'text', text: `The sum is ${Number(at(params, 'arguments', 'a')) + Number(at(params, 'arguments', 'b'))}` }],
      };
    if (name === 'check_keys') return { ...result, _meta: { 'com.example/conformance': { nested: [1, null, '✓'] } } };
    if (name === 'check_mismatch' || name === 'check_case') {
      reply.headers.push(['Content-Language', name === 'check_case' ? 'DE' : 'fr']);
      return { ...result, _meta: { [CONTENT_LANGUAGE]: 'de' } };
    }
    if (name === 'check_type') return { ...result, resultType: 'waybill_unknown' };
    if (name === 'check_order') return { ...result, _meta: { [SESSION_STATE]: { order: at(params, 'arguments', 'value') } } };
    if (name === 'check_state') return { ...result, _meta: STATE_STEPS[Number(at(params, 'arguments', 'step')) - 1] ?? {} };
    if (name === 'check_ask' && this.#revision === MODERN && at(params, 'inputResponses') === undefined) {
      const form = {
        mode: 'form',
        message: 'Which colour?',
        requestedSchema: { type: 'object', properties: { colour: { type: 'string' } } },
      };
      return {
        resultType: 'input_required',
        inputRequests: { colour: { method: 'elicitation/create', params: form } },
        requestState: REQUEST_STATE,
        _meta: { [SESSION_STATE]: { asked: true } },
      };
    }
    return result;
  }
}

/** Timestamps of two requests can only differ if time passes between them. */
async function nextMillisecond(): Promise<void> {
  for (const now = Date.now(); Date.now() === now;) await new Promise(setImmediate);
}

const unsupported = (message: Message): Message => ({
  code: -32022,
  message: 'Unsupported protocol version',
  data: { supported: [LEGACY], requested: at(message, 'params', '_meta', PROTOCOL_VERSION) ?? MODERN },
});
