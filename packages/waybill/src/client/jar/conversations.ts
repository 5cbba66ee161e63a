import type { Conversation } from './conversation.js';
import type { Drawer } from './drawer.js';
import type { Jars } from './jars.js';
import { isTombstone } from './item.js';

/** A conversation as the jar sees it. */
export interface Held extends Conversation {
  /** True if it ends with its connection and is never stored. */
  readonly volatile: boolean;
  /** True if `jar.resume()` made it. */
  readonly resumed: boolean;
}

type Name = Pick<Conversation, 'principal' | 'id'>;

const MAX_ENDED = 10_000;
const homes = new WeakMap<object, Jars>();

/** Tells whether an object is a conversation of this jar. Nothing is kept for any other object. */
export function isConversationOf(jars: Jars, conversation: object): conversation is Held {
  return homes.get(conversation) === jars;
}

/** The conversations of a client. */
export class Conversations {
  readonly #jars: Jars;
  readonly #tick: () => number;
  readonly #ended = new Set<string>();
  /** Called with the key of each conversation that ends. */
  onEnd: (key: string) => void = () => undefined;

  constructor(jars: Jars, tick: () => number) {
    this.#jars = jars;
    this.#tick = tick;
  }

  begin(principal: string): Held {
    return this.#make(principal, globalThis.crypto.randomUUID(), false);
  }

  resume(principal: string, id: string): Held {
    if (typeof id !== 'string' || id === '') throw new TypeError('resume: expected an id, a text that is not empty');
    return this.#make(principal, id, false, true);
  }

  /** Makes the conversation for calls without one: it lasts as long as the connection and is never stored. */
  passing(principal: string): Held {
    return this.#make(principal, globalThis.crypto.randomUUID(), true);
  }

  isEnded(conversation: Name): boolean {
    return this.#ended.size > 0 && this.#ended.has(keyOf(conversation));
  }

  end({ principal, id, volatile }: Held): Promise<void> {
    this.noteEnd(principal, id);
    const { sync } = this.#jars;
    return sync && !volatile ? sync.end(principal, id) : Promise.resolve();
  }

  /** Called when a conversation has ended, here or in another process. Nothing of it stays in memory. */
  noteEnd(principal: string, id: string): void {
    const key = keyOf({ principal, id });
    this.#ended.add(key);
    this.onEnd(key);
    if (this.#ended.size > MAX_ENDED) for (const oldest of this.#ended) if (this.#ended.delete(oldest)) break;
    for (const drawer of this.#jars.drawers(principal)) this.#jars.jar(principal).discard(drawer, id);
  }

  /** Forgets the state of one server: the MCP session that the conversation used there has ended. The conversation goes on. */
  leave({ principal, id }: Held, server: string): void {
    const drawer = this.#jars.drawer(principal, server);
    if (drawer === undefined) return;
    for (const name of [...(drawer.shelves.get(id)?.byName.keys() ?? [])]) this.#jars.jar(principal).erase(drawer, id, name);
  }

  async fork(parent: Held): Promise<Held> {
    if (this.isEnded(parent)) throw new Error('the conversation has ended; begin a new one');
    const child = this.begin(parent.principal);
    const copied = new Set<Drawer>();
    const isKept = this.#jars.sync !== undefined && !parent.volatile;
    // State in memory is copied as it is now. A drawer that is not completely loaded is copied after loading.
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

  #make(principal: string, id: string, volatile: boolean, resumed = false): Held {
    const ended = (): boolean => this.isEnded(conversation);
    const conversation: Held = Object.freeze({
      id,
      principal,
      volatile,
      resumed,
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

/** Identifies a conversation, no matter which object stands for it. */
export function keyOf({ principal, id }: Name): string {
  return JSON.stringify([principal, id]);
}
