/** `waybill/client/jar`: lets servers keep state at a client, in memory or in a store. */
export { jar, type JarOptions } from './open.js';
export type { ClientState } from '../state.js';
export type { Conversation } from './conversation.js';
export type { Command as StdioCommand, HostRules, Partition } from './identity.js';
export { DEFAULT_LIMITS as DEFAULT_JAR_LIMITS, type JarLimits } from './limits.js';
export { memoryStore } from './memory.js';
export type { DrawerSummary, Owner, ShownItem, StateJar } from './stateJar.js';
export type {
  Change as StoreChange,
  DrawerChanges,
  DrawerName,
  DrawerSize,
  Loaded as StoreLoaded,
  Outcome as StoreOutcome,
  Row as StoreRow,
  RowName as StoreRowName,
  Saved as StoreSaved,
  StateStore,
  StoreWatcher,
} from './store.js';
