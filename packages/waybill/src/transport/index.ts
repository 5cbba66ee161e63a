export { Bodies, type Chunks } from './body.js';
export { DEFAULT_BODY_LIMITS, type BodyLimits } from './body.js';
export { hookServer, instrument, type Instrumented, type OnTransport } from './connect.js';
export { edge, type EdgeAbout, type EdgeHooks, type FetchHandler, type ResponseHead } from './edge.js';
export { hookTransportEdge } from './transportEdge.js';
export { hookFetch, type FetchLike, type FetchOptions, type FetchPolicy } from './fetch.js';
export { exchangeOf, hookTransport, pendingOf } from './hook.js';
export type { CopiedKeys } from './requestHeaders.js';
export { unlessInstrumented } from './requestHeaders.js';
export { IdPool, type Random } from './ids.js';
export { Legs } from './legs.js';
export { commandOf, endpointOf, wrapFetchSlot, type StdioCommand } from './sdk.js';
export type {
  Direction,
  Exchange,
  Hooks,
  Message,
  NotificationAbout,
  Observer,
  ExchangeOutcome,
  RequestId,
  ResponseLanguage,
  SendOptions,
  Telemetry,
  TransportLike,
} from './types.js';
export { startIdleTimer, startTimer, type StartTimer } from './runtime.js';
