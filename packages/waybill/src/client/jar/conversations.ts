import type { Conversation } from './conversation.js';
import type { Drawer } from './drawer.js';
import type { Jars } from './jars.js';
import { isTombstone } from './item.js';
import { dropOldest } from '../oldest.js';

/** A conversation as the jar sees it. */
export interface JarConversation extends Conversation {
  /** True if it ends with its connection and is never stored. */
  readonly volatile: boolean;
  /** True if `jar.resume()` made it. */
  readonly resumed: boolean;
}

type Name = Pick<Conversation, 'principal' | 'id'>;

const MAX_ENDED = 10_000;
const homes = new WeakMap<object, Jars>();

/** Tells whether an object is a conversation of this jar. Nothing is kept for any other object. */
export function isConversationOf(jars: Jars, conversation: object): conversation is JarConversation {
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

  begin(principal: string): JarConversation {
    return this.#make(principal, globalThis.crypto.randomUUID());
  }

  resume(principal: string, id: string): JarConversation {
    return this.#make(principal, id, { resumed: true });
  }

  /** Begins the conversation of a connection, for calls without one. */
  beginVolatile(principal: string): JarConversation {
    return this.#make(principal, globalThis.crypto.randomUUID(), { volatile: true });
  }

  isEnded(conversation: Name): boolean {
    return this.#ended.size > 0 && this.#ended.has(keyOf(conversation));
  }

  end({ principal, id, volatile }: JarConversation): Promise<void> {
    this.noteEnd(principal, id);
    const { sync } = this.#jars;
    return sync && !volatile ? sync.end(principal, id) : Promise.resolve();
  }

  /** Called when a conversation has ended, here or in another process. Nothing of it stays in memory. */
  noteEnd(principal: string, id: string): void {
    const key = keyOf({ principal, id });
    this.#ended.add(key);
    this.onEnd(key);
    dropOldest(this.#ended, MAX_ENDED);
    for (const drawer of this.#jars.drawers(principal)) this.#jars.jar(principal).discard(drawer, id);
  }

  /** Forgets the state of one server: the MCP session that the conversation used there has ended. The conversation goes on. */
  leave({ principal, id }: JarConversation, server: string): void {
    const drawer = this.#jars.drawer(principal, server);
    if (drawer === undefined) return;
    for (const name of [...(drawer.shelves.get(id)?.byName.keys() ?? [])]) this.#jars.jar(principal).erase(drawer, id, name);
  }

  async fork(parent: JarConversation): Promise<JarConversation> {
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

  #copy(parent: JarConversation, child: JarConversation, copied: Set<Drawer>, onlyWarm: boolean): void {
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

  #make(principal: string, id: string, { volatile = false, resumed = false } = {}): JarConversation {
    const ended = (): boolean => this.isEnded(conversation);
    const conversation: JarConversation = Object.freeze({
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
