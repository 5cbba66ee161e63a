/** `waybill`: the wire. What the five proposals put on it, read and written in one place; pure, for any runtime. */
export { concernNames, concerns, keysOf, type Given, type MessageKind, type Values } from './wire/concerns.js';
export type { Concern, ConcernName, Facet, WireOptions } from './wire/concern.js';
export { ContextError, errorAnswer, refusals, type Refusal } from './wire/errors.js';
export { ignore, type Issue, type Report } from './wire/issue.js';
export { outOfBounds, type Bounds, type Json, type JsonObject, type Meta } from './wire/json.js';
export * as keys from './wire/keys.js';
export { kindOf } from './wire/message.js';
export { readError, readNotification, readRequest, readResult, type Context, type ReadOptions } from './wire/read.js';
export { redact, redactMeta, type RedactOptions } from './wire/redact.js';
export { strip, writeError, writeNotification, writeRequest, writeResult, type Outgoing, type WriteOptions } from './wire/write.js';
export { hopByHop, isEndToEnd } from './wire/hops.js';
export { addVary, fieldValue, isFieldValue, mirroredLanguage, type HeaderSource } from './wire/headers.js';
export { checkOwnMeta, isMetaKey, isProtectedKey, isReservedKey, isResultAffecting, readProgressToken } from './wire/meta.js';
export {
  acceptedLanguages,
  agreeOnField,
  agreeOnRequest,
  agreeOnResponse,
  bestMatch,
  chooseLanguage,
  combineLines,
  diagnoseMismatch,
  formatAcceptLanguage,
  isWellFormedTag,
  languageChooser,
  languagePreference,
  lookup,
  parseAcceptLanguage,
  parseContentLanguage,
  translation,
  translationRule,
  type ChooserOptions,
  type ContentLanguage,
  type FieldRules,
  type LanguageChoice,
  type LanguageChooser,
  type LanguageMismatch,
  type LanguagePreference,
  type LanguageRange,
  type LanguageStrategy,
  type RequestAgreement,
  type ResponseAgreement,
  type TranslatedType,
  type TranslationRule,
} from './wire/language.js';
export {
  coarsen,
  fixedOffset,
  isLocale,
  isValidTimeZone,
  liftEnvironment,
  lowerEnvironment,
  offsetDisagrees,
  parseTimestamp,
  zoneOffset,
  type Coordinates,
  type Environment,
  type Location,
  type Precision,
  type Timestamp,
} from './wire/environment.js';
export {
  applyState,
  declaresState,
  MOST_CONFLICTS,
  STATE_BOUNDS,
  type StateChanges,
  type StateConflicts,
  type StateScope,
  type StateValues,
} from './wire/state.js';
export {
  childTrace,
  filterBaggage,
  formatBaggage,
  formatTraceparent,
  forwardGroups,
  forwardHeaders,
  isParentId,
  isTraceId,
  parseBaggage,
  parseTraceparent,
  parseTracestate,
  RANDOM,
  readTraceHeaders,
  SAMPLED,
  startTrace,
  validTracestateMember,
  type BaggageMember,
  type BaggageProperty,
  type ChildOptions,
  type ForwardOptions,
  type ForwardPolicy,
  type HeaderGroup,
  type HeaderPairs,
  type NewTrace,
  type TraceContext,
  type ParentId,
  type TraceId,
  type Traceparent,
  type TracestateMember,
} from './wire/trace.js';
export {
  canonicalCapabilities,
  chooseTools,
  hasCapabilities,
  missingCapabilities,
  offersTool,
  readRequirement,
  requireCapabilities,
  writeRequirement,
  type ChooseToolsOptions,
  type Requirement,
} from './wire/capabilities.js';
