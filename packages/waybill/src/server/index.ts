/** `waybill/server`: the context of a request for its handler, and an HTTP edge that keeps the rules; for any runtime. */
export {
  contextOf,
  type RequestCapabilities,
  type RequestEnvironment,
  type RequestLanguage,
  type RequestContext,
  type RequestTrace,
} from './context.js';
export type { TimeInterval, TimeOptions, TimeRange, TimeSupport, ZonedMoment } from './time.js';
export { listCache, type ListCache, type ListCacheOptions, type ListRequest } from './parts/lists.js';
export { CatalogError, type CatalogProblem, type CatalogSource } from './localise/catalog.js';
export { catalogs, type CatalogOptions, type Catalogs, type FoundText } from './localise/catalogs.js';
export type { Format, Moment, Stretch } from './localise/format.js';
export type { FormatPresets, GivenPresets } from './localise/format/presets.js';
export type { MessageValues } from './localise/message.js';
export type { LocaliseOptions } from './parts/localise.js';
export type { Display, Translate } from './localise/speak.js';
export type { CatalogFile, CatalogGiven } from './localise/table.js';
export type { Wants } from '../wire/policy.js';
export type { AsyncStorage } from '../transport/runtime.js';
export type { Answer, AnswerCaching, AnswerLanguage, AnswerRefusal, CacheRestriction } from './answer.js';
export type { EnvironmentOptions, ServerContextOptions, ToolNeeds, TraceOptions } from './options.js';
export type { ServerPart, ServerRequest } from './part.js';
export type { HandlerError } from './handlerError.js';
export type { NodeListener, NodeListenerBehind, NodeRequest, NodeResponse } from './nodeListener.js';
export { serverContext, type ServerContext } from './server.js';
export type { StdioInput, StdioListen, StdioOptions, StdioOutput, StdioTransport } from './stdio.js';
export {
  defineState,
  type DefinedState,
  type PlainState,
  type Register,
  type RequestState,
  type StateDefinition,
  type StateItem,
  type DefineStateOptions,
  type StateRequest,
  type StateSetup,
} from './state/define.js';
export { memoryReplayGuard, type ReplayGuard } from './state/replay.js';
export type { StandardSchema } from './state/schema.js';
export type { Seal, SealAbout, SealOptions, Unsealed } from './state/seal.js';
export { webSeal } from './state/webSeal.js';
