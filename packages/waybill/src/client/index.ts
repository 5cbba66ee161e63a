/** `waybill/client`: context on every request of an MCP client, SDK v1 or v2, any transport. */
export {
  clientContext,
  type CallContext,
  type ClientContext,
  type PolicyClientContext,
  type StatefulClientContext,
  type VariantOptions,
} from './context.js';
export type { ClientContextOptions } from './options.js';
export type { AttachOptions } from './connection.js';
export { languageOf } from './answers.js';
export type { AnswerAbout } from './language.js';
export type { Hide } from './hide.js';
export type { ToolOptions } from './capabilities.js';
export type { Unmet } from './tools.js';
export type { Platform } from './platform.js';
export type { AsyncStorage } from '../transport/runtime.js';
export type { CacheEntry, CacheKey, CacheStore, CacheValue } from './store.js';
export type { CallAbout, AnswerContext, ClientCall, ClientConnection, ClientPart, Draft } from './part.js';
export type { EnvironmentInput, LanguageInput, LocationInput, Source, TraceInput, CallValues } from './values.js';
export type { ClientState } from './state.js';
export type { ClientPolicy, Preview, Withheld } from './policy.js';
export type { Ledger, LedgerEntry, LedgerFilter } from './policy/ledger.js';
export type { Conversation } from './jar/conversation.js';
export type { StateJar } from './jar/stateJar.js';
