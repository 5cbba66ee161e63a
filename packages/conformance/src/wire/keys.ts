/** Every spelling the five proposals put on the wire, and the two revisions. The kit keeps its own copy: code must not judge itself. */
import type { Message } from './json.js';

export const MODERN = '2026-07-28';
export const LEGACY = '2025-11-25';
export type Revision = typeof MODERN | typeof LEGACY;
export const REVISIONS: readonly Revision[] = [MODERN, LEGACY];
export type Transport = 'http' | 'stdio';

export const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';
export const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
export const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
export const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';
export const ACCEPT_LANGUAGE = 'io.modelcontextprotocol/acceptLanguage';
export const CONTENT_LANGUAGE = 'io.modelcontextprotocol/contentLanguage';
export const CLIENT_CONTEXT = 'io.modelcontextprotocol/clientContext';
export const REQUIRED_CAPABILITIES = 'io.modelcontextprotocol/requiredCapabilities';
export const SESSION_STATE = 'modelcontextprotocol.io/state/session';
export const SERVER_STATE = 'modelcontextprotocol.io/state/server';

/** Other spellings of the two state keys: earlier text of the proposal, and names that are valid under the key grammar. */
export const STATE_KEYS: Readonly<Record<'session' | 'server', readonly string[]>> = {
  session: [
    SESSION_STATE,
    'http://modelcontextprotocol.io/state/session',
    'modelcontextprotocol.io/state/session/',
    'io.modelcontextprotocol/state.session',
  ],
  server: [
    SERVER_STATE,
    'http://modelcontextprotocol.io/state/server',
    'modelcontextprotocol.io/state/server/',
    'io.modelcontextprotocol/state.server',
  ],
};

export const HEADER_MISMATCH = -32020;
/** The code that the first text of the language proposal names; judged with `--wire seed`. */
export const SEED_MISMATCH = -32005;
export const MISSING_CAPABILITY = -32021;
export const INVALID_PARAMS = -32602;
export const METHOD_NOT_FOUND = -32601;

/** The member of the params that the header Mcp-Name repeats, by method. */
export const NAMED_BY: Readonly<Record<string, string>> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' };

/** The capability to show forms, and the requirement of it. */
export const FORM: Message = { elicitation: { form: {} } };

const BARE = ['progressToken', 'traceparent', 'tracestate', 'baggage'];
const STATE = new Set(Object.values(STATE_KEYS).flat());
/** A key of `_meta` that the protocol or one of the five proposals defines. */
export const isKnownKey = (key: string): boolean => BARE.includes(key) || key.startsWith('io.modelcontextprotocol/') || STATE.has(key);

const LABEL = '[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
const GRAMMAR = new RegExp(`^(?:${LABEL}(?:\\.${LABEL})*/)?(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?$`);

/** Says what is wrong with a key of `_meta`; undefined if nothing is. The state keys are exempt: their proposal gives them two slashes. */
export function keyProblem(key: string): string | undefined {
  if (isKnownKey(key)) return undefined;
  if (!GRAMMAR.test(key)) return `${JSON.stringify(key)} does not fit the grammar of keys`;
  const second = key.includes('/') ? key.split('/')[0]?.split('.')[1] : undefined;
  return second === 'modelcontextprotocol' || second === 'mcp' ? `${key} has a prefix that is reserved for the protocol` : undefined;
}
