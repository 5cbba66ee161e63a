import type { Json, JsonObject } from '../../wire/json.js';
import type { StateScope } from '../../wire/state.js';
import type { Conversation } from './conversation.js';

export interface DrawerSummary {
  readonly server: string;
  readonly items: number;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly lastWritten: number;
}

export interface ShownItem {
  readonly scope: StateScope;
  /** The id of the conversation, in session scope. */
  readonly conversation?: string;
  readonly name: string;
  readonly value: Json;
  /** The values that no write has merged yet, in arrival order. The last one is `value`, or `null` if it deletes. */
  readonly concurrent?: readonly Json[];
  readonly bytes: number;
  readonly written: number;
}

export interface Owner {
  /** The user whose jar is meant. Without it: the jar of a client without principals. */
  readonly principal?: string;
}

export interface ItemFilter extends Owner {
  readonly scope?: StateScope;
  /** A conversation or its id: selects only its state. */
  readonly conversation?: Conversation | string;
}

/** The user's view of the state that servers keep here, for a settings page. Every call rejects with the cause if the store fails. */
export interface StateJar {
  /** Lists the principals that have state. */
  principals(): Promise<readonly string[]>;
  list(owner?: Owner): Promise<readonly DrawerSummary[]>;
  show(server: string, part?: ItemFilter): Promise<readonly ShownItem[]>;
  /** Sets one item, or deletes it with `null`. Session scope needs the conversation. */
  edit(server: string, name: string, value: Json, part?: ItemFilter): Promise<void>;
  /** Returns all of it as one JSON document. */
  export(owner?: Owner & { readonly server?: string }): Promise<JsonObject>;
  /** Forgets at once and in the store; answers to earlier requests do not bring anything back. Returns the number of items. */
  clear(part?: ItemFilter & { readonly server?: string }): Promise<number>;
  begin(owner?: Owner): Conversation;
  /** Continues a conversation by its id, also in another process. One that has ended stays ended. */
  resume(id: string, owner?: Owner): Conversation;
  /** Resolves when the store has all that is in memory. */
  flush(): Promise<void>;
  /** Flushes, and closes the store. */
  close(): Promise<void>;
}
