/** The members of `_meta` that a modern request carries about its client, and a legacy one does not. */
import { keys } from 'waybill';
import type { JsonRecord } from '../json/values.js';
import type { Message } from '../message.js';
import { MODERN } from '../revision.js';

export interface ClientFacts {
  readonly capabilities: JsonRecord;
  readonly clientInfo: unknown;
  readonly logLevel?: string | undefined;
}

/** The gateway as a client of its own. */
export const GATEWAY_INFO = { name: 'waybill-gateway', version: '0' };

const ENVELOPE: readonly string[] = [keys.PROTOCOL_VERSION, keys.CLIENT_CAPABILITIES, keys.CLIENT_INFO, keys.LOG_LEVEL];

export function addEnvelope(message: Message, { capabilities, clientInfo, logLevel }: ClientFacts): void {
  message.setMeta(keys.PROTOCOL_VERSION, MODERN);
  message.setMeta(keys.CLIENT_CAPABILITIES, capabilities);
  if (clientInfo !== undefined) message.setMeta(keys.CLIENT_INFO, clientInfo);
  if (logLevel !== undefined) message.setMeta(keys.LOG_LEVEL, logLevel);
}

export function dropEnvelope(message: Message): void {
  for (const key of ENVELOPE) if (Object.hasOwn(message.meta, key)) message.setMeta(key, undefined);
  dropOwnDeclaration(message);
}

/** D-21: the capabilities that a 2025 client declares on one request are for the next hop, which gets them in its own words. */
export function dropOwnDeclaration(message: Message): void {
  if (Object.hasOwn(message.meta, keys.OWN_CLIENT_CAPABILITIES)) message.setMeta(keys.OWN_CLIENT_CAPABILITIES, undefined);
}

/** The headers that repeat parts of a modern request (BASE-07). */
export function mirrorHeaders(message: Message): Record<string, string> {
  if (message.kind !== 'request') return message.method === '' ? {} : { 'mcp-method': message.method };
  const { name } = message;
  return { 'mcp-method': message.method, ...(name !== undefined && { 'mcp-name': headerText(name) }) };
}

/** A text that no header can carry is sent in the Base64 form of the protocol. */
export function headerText(value: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value);
  return isPlain ? value : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}

/** Reads a header of either form. */
export function readHeaderText(value: string): string {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8');
}
