export { DEFAULT_LIMITS, type BodyLimits } from './body.js';
export { hookServer, instrument } from './connect.js';
export { edge, type EdgeHooks, type FetchHandler } from './edge.js';
export { hookFetch, type FetchLike, type FetchOptions } from './fetch.js';
export { hookTransport, pendingOf } from './hook.js';
export type {
  Direction,
  Exchange,
  Hooks,
  Message,
  NotificationAbout,
  Observer,
  Outcome,
  RequestId,
  SendOptions,
  TransportLike,
} from './types.js';
