/**
 * Limits the session scope, since the protocol no longer has sessions. The application begins a conversation, may resume it in another
 * process by its id, forks it for a sub-agent, and ends it once. It never crosses the wire.
 */
export interface Conversation {
  readonly id: string;
  readonly principal: string;
  readonly ended: boolean;
  /** Returns a new conversation that starts with a copy of this one's state, at every server. */
  fork(): Promise<Conversation>;
  /**
   * Forgets its state everywhere at once; resolves when the store has forgotten it too. Later answers set no session state for it, but they
   * may set server state.
   */
  end(): Promise<void>;
}
