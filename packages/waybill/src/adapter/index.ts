/**
 * `waybill/adapter`: for authors of gateways, frameworks and tools, who pass messages on by themselves. Programs that only use a client or
 * a server need none of it.
 */

// Messages: read and written as a whole.
export { concernNames, concerns, keysOf, type ContextValues, type GivenValues, type MessageKind } from '../wire/concerns.js';
export type { Concern, Facet } from '../wire/concern.js';
export { errorAnswer, refusals } from '../wire/errors.js';
export { ignore } from '../wire/issue.js';
export { kindOf } from '../wire/message.js';
export { isMetaKey, isResultAffecting, readProgressToken } from '../wire/meta.js';
export { readError, readNotification, readRequest, readResult, type Context, type ReadOptions } from '../wire/read.js';
export { strip, writeError, writeNotification, writeRequest, writeResult, type Outgoing, type WriteOptions } from '../wire/write.js';

// Hops and headers.
export { hopByHop, isEndToEnd } from '../wire/hops.js';
export { addVary, fieldValue, isFieldValue, mirroredLanguage, type HeaderSource } from '../wire/headers.js';

// Language.
export {
  agreeOnRequest,
  agreeOnResponse,
  diagnoseMismatch,
  formatAcceptLanguage,
  isWellFormedTag,
  languageChooser,
  parseAcceptLanguage,
  parseContentLanguage,
  translation,
  type ChooserOptions,
  type ContentLanguage,
  type FieldRules,
  type LanguageChoice,
  type LanguageChooser,
  type LanguageMismatch,
  type RequestAgreement,
  type ResponseAgreement,
  type TranslatedType,
  type TranslationRule,
} from '../wire/language.js';
export { listLocaliser, type ListLocaliser, type ListOptions } from '../server/localise/list.js';

// Environment.
export { coarsen, isLocale, isValidTimeZone, liftEnvironment, lowerEnvironment, parseTimestamp } from '../wire/environment.js';

// State.
export { declaresState } from '../wire/state.js';
export { relayJar, type RelayAnswer, type RelayJar, type RelayTarget } from '../client/jar/relay.js';

// Trace.
export {
  childTrace,
  filterBaggage,
  formatTraceparent,
  isParentId,
  isTraceId,
  parseBaggage,
  parseTraceparent,
  readTraceHeaders,
  startTrace,
  type BaggageMember,
  type BaggageProperty,
  type ChildOptions,
  type NewTrace,
  type ParentId,
  type TraceId,
  type Traceparent,
  type TracestateMember,
} from '../wire/trace.js';
export { IdPool, type Random } from '../transport/ids.js';

// Capabilities.
export {
  canonicalCapabilities,
  chooseTools,
  missingCapabilities,
  readRequirement,
  requireCapabilities,
  writeRequirement,
  type ChooseToolsOptions,
  type Requirement,
} from '../wire/capabilities.js';

// Policy: what each server may know.
export {
  checkPolicy,
  checkPolicyRules,
  decisionsOf,
  levelsOf,
  namesAt,
  POLICY_FIELDS,
  policyFilter,
  PolicyTally,
  readPolicy,
  type FieldLevel,
  type HeaderLine,
  type Level,
  type LimitAbout,
  type Policy,
  type PolicyBook,
  type PolicyDecision,
  type PolicyDecisions,
  type PolicyField,
  type PolicyFilter,
  type PolicyFilterOptions,
  type PolicyLevels,
  type PolicyRules,
  type ServerNames,
} from '../wire/policy.js';

// Transports: hooks of both SDKs, `fetch`, fetch-shaped servers, bodies within limits.
export { Bodies, DEFAULT_BODY_LIMITS, type BodyLimits, type Chunks } from '../transport/body.js';
export { hookServer, instrument, type OnTransport } from '../transport/connect.js';
export { edge, type EdgeAbout, type EdgeHooks, type FetchHandler, type ResponseHead } from '../transport/edge.js';
export { hookFetch, type FetchOptions, type FetchPolicy } from '../transport/fetch.js';
export { hookTransport } from '../transport/hook.js';
export type { CopiedKeys } from '../transport/requestHeaders.js';
export type { Direction, Hooks, NotificationAbout, RequestId, ResponseLanguage, SendOptions } from '../transport/types.js';

// Mistakes of people who write options.
export { nearest } from '../wire/nearest.js';
