import type { Message } from '../transport/index.js';
import { ContextError } from '../wire/errors.js';
import { ACCEPT_LANGUAGE_HEADER, fieldValue, mirroredLanguage, type HeaderSource } from '../wire/headers.js';
import { agreeOnRequest, combineLines, diagnoseMismatch } from '../wire/language.js';
import type { Layer } from './layer.js';
import { isObject, own } from '../wire/json.js';
import { PROTOCOL_VERSION } from '../wire/keys.js';
import { metaOf } from '../wire/message.js';

/** Tells whether header and body name the same language. */
export type Agreement =
  | { readonly kind: 'agree' }
  /** LANG-63: the body has a preference and no header shows it to a cache on the way; `*` shows nothing either. */
  | { readonly kind: 'no-header' }
  | { readonly kind: 'disagree'; readonly error: ContextError };

const AGREE: Agreement = { kind: 'agree' };
const NO_HEADER: Agreement = { kind: 'no-header' };

/** LANG-42…47: compares header and body. The error helps an operator to find out who changed the header (D-12). */
export function agreementOf(message: Message, headers: HeaderSource | undefined, { wire, ignoresStar }: Layer): Agreement {
  // D-32: private for any body, because every cache sees the same `*`.
  if (ignoresStar && isStar(headers)) return NO_HEADER;
  const language = headers && mirroredLanguage(message);
  if (language === undefined) return AGREE;
  const header = fieldValue(headers, ACCEPT_LANGUAGE_HEADER);
  if (header === undefined) return NO_HEADER;
  if (agreeOnRequest(language, header) !== 'disagree') return AGREE;
  const diagnosis = { ...diagnoseMismatch(ACCEPT_LANGUAGE_HEADER, header, language) };
  return { kind: 'disagree', error: new ContextError('language-mismatch', diagnosis, wire) };
}

function isStar(headers: HeaderSource | undefined): boolean {
  const header = fieldValue(headers, ACCEPT_LANGUAGE_HEADER);
  return header !== undefined && combineLines(header) === '*';
}

/** BASE-07: the parameter that `Mcp-Name` repeats. */
const NAMED: Readonly<Record<string, string>> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' };

/**
 * D-19: tells whether the base headers agree with the body (BASE-08). They count before the language, so this is asked only if the language
 * disagrees: if they disagree too, the SDK behind us reports that. A request without an envelope has no such headers.
 */
export function baseAgrees(message: Message, headers: HeaderSource): boolean {
  const { params } = message;
  const meta = metaOf(message, 'request');
  const version = isObject(meta) ? own(meta, PROTOCOL_VERSION) : undefined;
  if (version === undefined) return true;
  const method = message['method'] as string;
  if (fieldValue(headers, 'MCP-Protocol-Version') !== version || fieldValue(headers, 'Mcp-Method') !== method) return false;
  const field = Object.hasOwn(NAMED, method) ? NAMED[method] : undefined;
  const name = field !== undefined && isObject(params) ? own(params, field) : undefined;
  return typeof name !== 'string' || decoded(fieldValue(headers, 'Mcp-Name')) === name;
}

/** A name that no header can hold travels as `=?base64?…?=`. */
function decoded(value: string | undefined): string | undefined {
  const found = value === undefined ? null : /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value);
  if (found === null) return value;
  try {
    const bytes = Uint8Array.from(atob(found[1] ?? ''), (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
