import { fieldValue, type HeaderSource } from '../wire/headers.js';
import { isObject, own } from '../wire/json.js';
import { PROTOCOL_VERSION } from '../wire/keys.js';
import { metaOf } from '../wire/message.js';
import type { Message } from '../transport/index.js';

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
