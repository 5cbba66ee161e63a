/**
 * D-05, IX-06: what bounds the session scope, since the protocol has no sessions any more. The application begins one, may continue it
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

/** The few things a conversation asks of its jar. */
export interface Keeping {
  isEnded(conversation: Held): boolean;
  fork(conversation: Held): Promise<Held>;
  end(conversation: Held): Promise<void>;
}

const known = new WeakMap<object, Keeping>();

export function makeConversation(jar: Keeping, principal: string, id: string, volatile: boolean): Held {
  const conversation: Held = Object.freeze({
    id,
    principal,
    volatile,
    get ended(): boolean {
      return jar.isEnded(conversation);
    },
    fork: () => jar.fork(conversation),
    end: () => jar.end(conversation),
  });
  known.set(conversation, jar);
  return conversation;
}

/** Whether an object is a conversation of this jar; another jar's would find nothing, and an application's own object nothing either. */
export function isConversationOf(jar: Keeping, conversation: object): conversation is Held {
  return known.get(conversation) === jar;
}
