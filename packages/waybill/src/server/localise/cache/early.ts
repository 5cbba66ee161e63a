/**
 * Whether a request may be answered at the HTTP edge, before anything behind it has looked (D-19). The SDK refuses a list request of revision
 * 2026-07-28 for its media type, its JSON-RPC shape, its envelope and its `Mcp-*` headers; whatever could be refused is left to the SDK, so
 * its refusals stay its own. The envelope is not judged here: one that the SDK has accepted before, to the letter, is accepted again.
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

/** `io.modelcontextprotocol/` */
const PREFIX = PROTOCOL_VERSION.slice(0, PROTOCOL_VERSION.indexOf('/') + 1);

const MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);
const PARAMS: ReadonlySet<string> = new Set(['_meta', 'cursor']);
/** Keys of the protocol's own prefix that either nobody judges or that are judged as part of the envelope. */
const KNOWN: ReadonlySet<string> = new Set([
  ACCEPT_LANGUAGE,
  CLIENT_CONTEXT,
  PROTOCOL_VERSION,
  CLIENT_INFO,
  CLIENT_CAPABILITIES,
  LOG_LEVEL,
]);

/** A list request with nothing in it that an SDK could refuse, its envelope aside. */
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

/** The headers that the SDK's entry compares or needs, its envelope aside. */
export function hasPlainHeaders(message: Message, meta: Meta, headers: HeaderSource): boolean {
  const version = own(meta, PROTOCOL_VERSION);
  return (
    typeof version === 'string' &&
    fieldValue(headers, 'MCP-Protocol-Version') === version &&
    fieldValue(headers, 'Mcp-Method') === message['method'] &&
    /^application\/json(?:;|$)/i.test(fieldValue(headers, 'Content-Type') ?? '') &&
    takesJson(fieldValue(headers, 'Accept'))
  );
}

function takesJson(accept: string | undefined): boolean {
  return accept === undefined || /(?:application\/json|application\/\*|\*\/\*)(?![^,]*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(accept);
}

/** What the SDK judges of an envelope, beside the version: who the client is, what it can do, how much it wants to hear. */
export function envelopeOf(meta: Meta): string {
  return JSON.stringify([own(meta, CLIENT_INFO), own(meta, CLIENT_CAPABILITIES), own(meta, LOG_LEVEL)]);
}

/** Envelopes kept in mind; one is a few hundred characters, and clients of one kind send the same. */
const MOST = 512;
const LONGEST = 8192;

export class Envelopes {
  readonly #accepted = new Set<string>();

  has(meta: Meta): boolean {
    return this.#accepted.has(envelopeOf(meta));
  }

  accept(meta: Meta): void {
    const envelope = envelopeOf(meta);
    if (envelope.length > LONGEST || this.#accepted.has(envelope)) return;
    if (this.#accepted.size >= MOST) this.#accepted.clear();
    this.#accepted.add(envelope);
  }
}
