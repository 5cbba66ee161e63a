/** `waybill`: what every program that uses Waybill may need, on either side and on any runtime. Authors of adapters find the rest in `waybill/adapter`. */
export { ContextError, type Refusal } from './wire/errors.js';
export * as keys from './wire/keys.js';
export { redact, redactMeta, type RedactOptions } from './wire/redact.js';
export { forwardHeaders, type ForwardOptions, type ForwardPolicy, type HeaderGroup, type HeaderPairs } from './wire/trace.js';
export type { ConcernName, WireOptions } from './wire/concern.js';
export type { Issue, Report } from './wire/issue.js';
export type { Json, JsonObject, Meta } from './wire/json.js';
export type { LanguagePreference, LanguageRange, LanguageStrategy } from './wire/language.js';
export type { Coordinates, Environment, Location, Precision, Timestamp } from './wire/environment.js';
export type { StateChanges, StateConflicts, StateScope, StateValues } from './wire/state.js';
export type { TraceContext } from './wire/trace.js';
export type { Exchange, FetchLike, Instrumented, Message, Observer, ExchangeOutcome, Telemetry, TransportLike } from './transport/index.js';
