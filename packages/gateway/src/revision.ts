/** The two revisions of the protocol: which one a message belongs to, and where each has what. */
import { keys, type JsonObject } from 'waybill';
import type { Era } from './config/types.js';
import { isObject, own } from './json/values.js';
import type { Message } from './message.js';

/** The first revision without sessions. Revisions are dates, so they compare as texts. */
export const MODERN = '2026-07-28';
export const LEGACY = '2025-11-25';
/** The revisions that clients may use with this gateway, newest first. */
export const SPOKEN: readonly string[] = [MODERN, LEGACY, '2025-06-18'];

/** Codes of 2026-07-28: a header contradicts the body, or the revision is not spoken. The request has then not been worked on. */
export const HEADER_MISMATCH = -32020;
export const UNSUPPORTED_VERSION = -32022;

const isRevision = (version: unknown): version is string => typeof version === 'string' && /^\d{4}-\d\d-\d\d$/.test(version);

export function isModernVersion(version: unknown): boolean {
  return isRevision(version) && version >= MODERN;
}

/**
 * A request is modern if its envelope names a revision of 2026 or later. One that names nonsense is modern too, since 2025 has no envelope: it
 * is refused as such. A message without an envelope is judged by the protocol header.
 */
export function eraOf(message: Message, versionHeader: string | undefined): Era {
  const version = message.meta[keys.PROTOCOL_VERSION];
  if (version !== undefined) return isRevision(version) && version < MODERN ? 'legacy' : 'modern';
  return message.method !== 'initialize' && isModernVersion(versionHeader) ? 'modern' : 'legacy';
}

/**
 * Returns a copy of the capabilities that this message declares, because rules change the message in place. A legacy client declares them at the
 * start of its session; an aware one may do so again.
 */
export function declaredBy(message: Message, era: Era): JsonObject | undefined {
  const key = era === 'legacy' ? keys.OWN_CLIENT_CAPABILITIES : keys.CLIENT_CAPABILITIES;
  const declared = message.method === 'initialize' ? own(message.params, 'capabilities') : message.meta[key];
  return isObject(declared) ? structuredClone(declared as JsonObject) : undefined;
}
