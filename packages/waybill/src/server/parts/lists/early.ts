/**
 * Decides whether a list request may be answered at the HTTP edge, before anything behind it has seen it (D-19). An SDK may refuse one for
 * its media types, its JSON-RPC shape, its envelope, its `Mcp-*` headers, its session or its host. We do not copy those rules, because a
 * new release could change them: a request is accepted only if one with the same envelope and the same headers, to the letter, has passed
 * the SDK. Everything else that could be refused goes to the SDK, so its refusals stay its own.
 */
import type { Message } from '../../../transport/index.js';
import { fieldValue, type HeaderSource } from '../../../wire/headers.js';
import { isObject, own, type Meta } from '../../../wire/json.js';
import {
  ACCEPT_LANGUAGE,
  CLIENT_CAPABILITIES,
  CLIENT_CONTEXT,
  CLIENT_INFO,
  LOG_LEVEL,
  PROGRESS_TOKEN,
  PROTOCOL_VERSION,
} from '../../../wire/keys.js';

/** The keys of `_meta` that SDK v2 reads itself. */
const ENVELOPE: readonly string[] = [PROTOCOL_VERSION, CLIENT_INFO, CLIENT_CAPABILITIES, LOG_LEVEL];

/** `io.modelcontextprotocol/` */
const PREFIX = PROTOCOL_VERSION.slice(0, PROTOCOL_VERSION.indexOf('/') + 1);
const MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);
const PARAMS: ReadonlySet<string> = new Set(['_meta', 'cursor']);
/** Keys of the protocol's own prefix that nobody checks or that are part of the envelope. */
const KNOWN: ReadonlySet<string> = new Set([ACCEPT_LANGUAGE, CLIENT_CONTEXT, ...ENVELOPE]);

/** True for a list request with nothing in it that an SDK could refuse, apart from envelope and headers. */
export function isPlainList(message: Message): boolean {
  const params = message['params'];
  if (message['jsonrpc'] !== '2.0' || !Object.keys(message).every((name) => MEMBERS.has(name))) return false;
  if (params === undefined) return true;
  if (!isObject(params) || !Object.keys(params).every((name) => PARAMS.has(name))) return false;
  const cursor = own(params, 'cursor');
  if (cursor !== undefined && typeof cursor !== 'string') return false;
  const meta = own(params, '_meta');
  if (meta === undefined) return true;
  if (!isObject(meta)) return false;
  const token = own(meta, PROGRESS_TOKEN);
  if (token !== undefined && typeof token !== 'string' && !Number.isSafeInteger(token)) return false;
  return Object.keys(meta).every((key) => !key.startsWith(PREFIX) || KNOWN.has(key));
}

/** The headers that an SDK or its transport checks. Credentials are not among them: `public` and `listKey` are about those. */
const HEADERS = ['Host', 'Origin', 'Accept', 'Content-Type', 'MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'];

/**
 * Returns everything about a request that may be checked, as one text. `undefined` for one with a session: sessions end, and only the
 * transport knows when.
 */
export function judgedOf(method: string, meta: Meta, headers: HeaderSource | undefined): string | undefined {
  const envelope = ENVELOPE.map((key) => own(meta, key));
  if (headers === undefined) return JSON.stringify([method, envelope]);
  if (fieldValue(headers, 'Mcp-Session-Id') !== undefined || !takesJson(fieldValue(headers, 'Accept'))) return undefined;
  return JSON.stringify([method, envelope, HEADERS.map((name) => fieldValue(headers, name))]);
}

function takesJson(accept: string | undefined): boolean {
  return accept === undefined || /(?:application\/json|application\/\*|\*\/\*)(?![^,]*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(accept);
}

/** The number of requests that are remembered; one is a few hundred characters, and clients of one kind send the same. */
const MAX_REQUESTS = 1024;
const MAX_LENGTH = 8192;

export class Accepted {
  readonly #seen = new Set<string>();

  has(judged: string | undefined): boolean {
    return judged !== undefined && this.#seen.has(judged);
  }

  add(judged: string | undefined): void {
    if (judged === undefined || judged.length > MAX_LENGTH || this.#seen.has(judged)) return;
    if (this.#seen.size >= MAX_REQUESTS) this.#seen.clear();
    this.#seen.add(judged);
  }
}
