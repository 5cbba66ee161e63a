/** `waybill/client/jar`: lets servers keep state at a client, in memory or in a store. */
export { jar, type JarOptions } from './open.js';
export type { ClientState } from '../state.js';
export type { StdioNames, StdioPackage } from '../stdioNames.js';
export type { Conversation } from './conversation.js';
export type { StdioCommand } from '../../transport/index.js';
export type { HostRules, Named, Partition } from './identity.js';
export type { JarLimits } from './limits.js';
export { memoryStore } from './memory.js';
export type { DrawerSummary, ItemFilter, Owner, ShownItem, StateJar } from './stateJar.js';
export type {
  StoreChange,
  DrawerChanges,
  DrawerName,
  DrawerSize,
  StoreLoaded,
  StoreOutcome,
  StoreRow,
  StoreRowName,
  StoreSaved,
  StateStore,
  StoreWatcher,
} from './store.js';
