/** The raw upstream of a gateway under test. It keeps what it receives and answers so that every change on the way shows. */
import { type Lines, newReply, type Reply } from '../peers/reply.js';
import { type Keep, receivedOf } from '../scenarios/received.js';
import { at, isObject, type Message } from '../wire/json.js';
import {
  ACCEPT_LANGUAGE,
  CONTENT_LANGUAGE,
  FORM,
  LEGACY,
  METHOD_NOT_FOUND,
  MISSING_CAPABILITY,
  MODERN,
  PROTOCOL_VERSION,
  REQUIRED_CAPABILITIES,
  SESSION_STATE,
} from '../wire/keys.js';

const INFO = { name: 'raw-upstream', version: '1.0.0' };

/** A subtag of a preference whose answers are private. */
export const PRIVATE = 'private';

/** The list of tools has two pages. */
const CURSOR = 'page-2';

const tool = (name: string, title: string, rest: Message = {}): Message => ({
  name,
  title,
  inputSchema: { type: 'object', properties: {} },
  ...rest,
});

/** The first tag of a preference is the language of the answer. */
const languageOf = (meta: unknown): string | undefined => {
  const preference = at(meta, ACCEPT_LANGUAGE);
  return typeof preference === 'string' ? /^[A-Za-z]+/.exec(preference)?.[0] : undefined;
};

export class UpstreamServer {
  readonly #keep: Keep;

  constructor(keep: Keep) {
    this.#keep = keep;
  }

  async answer(message: Message, session: Message, lines?: Lines): Promise<Reply> {
    const meta = at(message, 'params', '_meta');
    const modern = at(meta, PROTOCOL_VERSION) !== undefined;
    const received = receivedOf(message, session, lines);
    await this.#keep(received);
    const reply = newReply();
    const { id, method } = message;
    if (id === undefined || method === undefined) return { ...reply, status: 202 };
    const body = this.#respond(message, received.declared, reply);
    if ('result' in body) {
      const language = languageOf(meta);
      const { result } = body;
      if (modern) result['resultType'] ??= 'complete';
      if (language !== undefined && method !== 'initialize') {
        result['_meta'] = { ...(isObject(result['_meta']) && result['_meta']), [CONTENT_LANGUAGE]: language };
        reply.headers.push(['Content-Language', language], ['Vary', 'Accept-Language']);
      }
    } else if (modern) reply.status = 400;
    return { ...reply, message: { jsonrpc: '2.0', id, ...body } };
  }

  #respond(message: Message, capabilities: Message, reply: Reply): { result: Message } | { error: Message } {
    const { method, params } = message;
    const meta = at(params, '_meta');
    const cacheScope = String(at(meta, ACCEPT_LANGUAGE)).endsWith(PRIVATE) ? 'private' : 'public';
    const hints = at(meta, PROTOCOL_VERSION) === undefined ? {} : { ttlMs: 60_000, cacheScope };
    const done = (result: Message) => ({ result });
    if (method === 'initialize') return done({ protocolVersion: LEGACY, capabilities: { tools: {} }, serverInfo: INFO });
    if (method === 'server/discover')
      return done({ supportedVersions: [MODERN, LEGACY], capabilities: { tools: {} }, serverInfo: INFO, ...hints });
    if (method === 'ping') return done({});
    if (method === 'tools/list') {
      const language = languageOf(meta) ?? 'en';
      if (at(params, 'cursor') === CURSOR) return done({ tools: [tool('check_page', `check_page (${language})`)], ...hints });
      return done({ tools: tools(language), nextCursor: CURSOR, ...hints });
    }
    if (method !== 'tools/call') return { error: { code: METHOD_NOT_FOUND, message: 'Method not found' } };
    const whose = `call ${String(at(params, 'arguments', 'mark'))}`;
    const [name, mark, token] = [at(params, 'name'), at(params, 'arguments', 'mark'), at(meta, 'progressToken')];
    if (name === 'check_ask' && !isObject(capabilities['elicitation']))
      return { error: { code: MISSING_CAPABILITY, message: 'Missing required client capability', data: { requiredCapabilities: FORM } } };
    if (name === 'check_progress' && token !== undefined)
      for (const progress of [1, 2])
        reply.before.push({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: token, progress, total: 2, message: whose },
        });
    const state = name === 'check_state' ? { _meta: { [SESSION_STATE]: { secret: mark } } } : {};
    return done({ content: [{ type: 'text', text: JSON.stringify({ mark }) }], structuredContent: { mark }, ...state });
  }
}

const tools = (language: string): Message[] => [
  ...['check_meta', 'check_state', 'check_progress'].map((name) => tool(name, `${name} (${language})`)),
  tool('check_ask', `check_ask (${language})`, { _meta: { [REQUIRED_CAPABILITIES]: FORM } }),
];
