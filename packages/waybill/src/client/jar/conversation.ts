import type { Drawer } from './drawer.js';
import type { Jars } from './jars.js';
import { isTombstone } from './item.js';

/**
 * Bounds the session scope, since the protocol has no sessions any more. The application begins one, may continue it
 * in another process by its id, forks it for a sub-agent, and ends it, once. Nothing of it is on the wire.
 */
export interface Conversation {
  readonly id: string;
  readonly principal: string;
  readonly ended: boolean;
  /** A new conversation that starts with a copy of this one's state, at every server. */
  fork(): Promise<Conversation>;
  /** Forgets its state everywhere, at once; resolves when the store has, too. Answers that arrive later are dropped. */
  end(): Promise<void>;
}

/** As the jar knows it. */
export interface Held extends Conversation {
  /** Ends with its connection and is never stored. */
  readonly volatile: boolean;
}

type Name = Pick<Conversation, 'principal' | 'id'>;

const MAX_ENDED = 10_000;
const homes = new WeakMap<object, Jars>();

/** Whether an object is a conversation of this jar; another jar's would find nothing, and an application's own object nothing either. */
export function isConversationOf(jars: Jars, conversation: object): conversation is Held {
  return homes.get(conversation) === jars;
}

/** The conversations of a client. */
export class Conversations {
  readonly #jars: Jars;
  readonly #tick: () => number;
  readonly #ended = new Set<string>();
  /** Told of each that is over, by its key. */
  onOver: (key: string) => void = () => undefined;

  constructor(jars: Jars, tick: () => number) {
    this.#jars = jars;
    this.#tick = tick;
  }

  begin(principal: string): Held {
    return this.#make(principal, globalThis.crypto.randomUUID(), false);
  }

  resume(principal: string, id: string): Held {
    if (typeof id !== 'string' || id === '') throw new TypeError('a conversation has an id: a text that is not empty');
    return this.#make(principal, id, false);
  }

  /** What stands in where none is given: as long as the connection, and never stored. */
  passing(principal: string): Held {
    return this.#make(principal, globalThis.crypto.randomUUID(), true);
  }

  isEnded(conversation: Name): boolean {
    return this.#ended.size > 0 && this.#ended.has(keyOf(conversation));
  }

  end({ principal, id, volatile }: Held): Promise<void> {
    this.over(principal, id);
    const { sync } = this.#jars;
    return sync && !volatile ? sync.end(principal, id) : Promise.resolve();
  }

  /** It has ended, here or elsewhere: nothing of it stays in memory. */
  over(principal: string, id: string): void {
    const key = keyOf({ principal, id });
    this.#ended.add(key);
    this.onOver(key);
    if (this.#ended.size > MAX_ENDED) for (const oldest of this.#ended) if (this.#ended.delete(oldest)) break;
    for (const drawer of this.#jars.drawers(principal)) this.#jars.jar(principal).discard(drawer, id);
  }

  /** It goes on, but not with this server: the MCP session it was bound to there has ended. */
  leave({ principal, id }: Held, server: string): void {
    const drawer = this.#jars.drawer(principal, server);
    if (drawer === undefined) return;
    for (const name of [...(drawer.shelves.get(id)?.byName.keys() ?? [])]) this.#jars.jar(principal).erase(drawer, id, name);
  }

  async fork(parent: Held): Promise<Held> {
    if (this.isEnded(parent)) throw new Error('the conversation is over');
    const child = this.begin(parent.principal);
    const copied = new Set<Drawer>();
    const isKept = this.#jars.sync !== undefined && !parent.volatile;
    // What is in memory is copied as it is now; a drawer that is not all here, once it is.
    this.#copy(parent, child, copied, isKept);
    if (isKept) {
      await this.#jars.openAll(parent.principal);
      this.#copy(parent, child, copied, false);
    }
    return child;
  }

  #copy(parent: Held, child: Held, copied: Set<Drawer>, onlyWarm: boolean): void {
    const jar = this.#jars.jar(parent.principal);
    for (const drawer of [...jar.drawers.values()]) {
      if (copied.has(drawer) || (onlyWarm && !drawer.warm)) continue;
      copied.add(drawer);
      for (const [name, item] of [...(drawer.shelves.get(parent.id)?.byName ?? [])]) {
        if (isTombstone(item)) continue;
        const fresh = item.entries.map((entry) => ({ ...entry, revision: this.#tick() }));
        jar.write(drawer, child.id, name, fresh, false);
      }
    }
  }

  #make(principal: string, id: string, volatile: boolean): Held {
    const ended = (): boolean => this.isEnded(conversation);
    const conversation: Held = Object.freeze({
      id,
      principal,
      volatile,
      get ended(): boolean {
        return ended();
      },
      fork: () => this.fork(conversation),
      end: () => this.end(conversation),
    });
    homes.set(conversation, this.#jars);
    return conversation;
  }
}

/** A conversation by what it is, whichever object stands for it. */
export function keyOf({ principal, id }: Name): string {
  return JSON.stringify([principal, id]);
}
