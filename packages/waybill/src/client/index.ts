/** `waybill/client`: context on every request of an MCP client, SDK v1 or v2, any transport. */
export { clientContext, type CallContext, type ClientContext, type PolicyClientContext, type StatefulClientContext } from './context.js';
export type { AttachOptions, ClientContextOptions } from './options.js';
export { languageOf } from './answers.js';
export type { AnswerAbout } from './language.js';
export type { Hide } from './hide.js';
export type { ToolOptions } from './capabilities.js';
export type { Unmet } from './tools.js';
export type { Platform } from './platform.js';
export type { AsyncStorage } from '../transport/runtime.js';
export type { CacheEntry, CacheKey, CacheStore, CacheValue, VariantOptions } from './cacheStore.js';
export type { CallAbout, AnswerContext, ClientCall, ClientConnection, ClientPart, Draft } from './part.js';
export type { EnvironmentInput, LanguageInput, LocationInput, Source, TraceInput, CallValues } from './values.js';
export type { ClientState } from './state.js';
export type { ClientPolicy, Preview, Withheld } from './policy.js';
export type { Ledger, LedgerEntry, LedgerFilter } from './policy/ledger.js';
export type { Conversation } from './jar/conversation.js';
export type { StateJar } from './jar/stateJar.js';
