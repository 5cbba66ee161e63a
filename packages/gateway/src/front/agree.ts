/** Headers that repeat parts of the body must say the same. */
import { ContextError, keys } from 'waybill';
import { agreeOnRequest, diagnoseMismatch } from 'waybill/adapter';
import { Refusal, type Headers } from '../answer.js';
import { own } from '../json/values.js';
import type { Era } from '../config/types.js';
import type { Message } from '../message.js';
import { HEADER_MISMATCH } from '../revision.js';
import { readHeaderText } from '../pairs/envelope.js';

// D-19: base headers, then language, then the envelope.
/** Throws a refusal that names the header. */
export function agree(message: Message, era: Era, headers: Headers): void {
  const needsEnvelope = era === 'modern' && message.kind === 'request';
  if (needsEnvelope) requireBaseHeaders(message, headers);
  requireLanguage(message, headers);
  if (needsEnvelope && own(message.meta, keys.PROTOCOL_VERSION) === undefined)
    throw new Refusal(400, -32602, `Invalid params: _meta lacks ${keys.PROTOCOL_VERSION}`);
}

// BASE-08, BASE-09
function requireBaseHeaders({ meta, method, name }: Message, headers: Headers): void {
  const version = own(meta, keys.PROTOCOL_VERSION);
  const rows: (readonly [header: string, expected: unknown, found: string | undefined])[] = [
    ...(version === undefined ? [] : [['MCP-Protocol-Version', version, headers['mcp-protocol-version']] as const]),
    ['Mcp-Method', method, headers['mcp-method']],
    ...(name === undefined ? [] : [['Mcp-Name', name, headers['mcp-name'] && readHeaderText(headers['mcp-name'])] as const]),
  ];
  for (const [field, expected, found] of rows)
    if (found !== expected) {
      const problem = found === undefined ? 'is missing' : 'differs from the body';
      throw new Refusal(400, HEADER_MISMATCH, `Header mismatch: ${field} ${problem}`, { header: field });
    }
}

// LANG-46
function requireLanguage({ meta }: Message, headers: Headers): void {
  const language = meta[keys.ACCEPT_LANGUAGE];
  const header = headers['accept-language'];
  if (typeof language === 'string' && header !== undefined && agreeOnRequest(language, header) === 'disagree')
    throw new ContextError('language-mismatch', { ...diagnoseMismatch('Accept-Language', header, language) });
}
