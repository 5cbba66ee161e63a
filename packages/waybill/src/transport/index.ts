export { Bodies, type BodyLimits } from './body.js';
export { hookServer, instrument, type Instrumented } from './connect.js';
export { edge, type EdgeHooks, type FetchHandler, type ResponseHead } from './edge.js';
export { hookTransportEdge } from './transportEdge.js';
export { hookFetch, type FetchLike, type FetchOptions, type FetchPolicy } from './fetch.js';
export { exchangeOf, hookTransport } from './hook.js';
export { unlessInstrumented, type CopiedKeys } from './requestHeaders.js';
export { IdPool, type Random } from './ids.js';
export { Legs } from './legs.js';
export { commandOf, endpointOf, wrapFetchSlot, type StdioCommand } from './sdk.js';
export type {
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
