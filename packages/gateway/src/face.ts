/**
 * A face is an MCP endpoint of one revision, shaped like Streamable HTTP: a message is posted, a stream is opened, a session is ended. An HTTP
 * upstream is a face by nature. A child process has a face put in front of it. A pair of different revisions is a face that speaks through
 * another. So every pair and every transport is the same call for those who use it.
 */
import type { Answer, Headers } from './answer.js';
import type { Message } from './message.js';

/** The user who asks. Only verified facts: nothing a client merely claims. */
export interface Caller {
  /** Undefined if nobody was verified. */
  readonly principal?: string;
  /** True for our own stdio pipe: one client, one connection. */
  readonly isPipe?: boolean;
}

/** One POST, GET or DELETE on its way upstream. */
export interface FaceRequest {
  readonly caller: Caller;
  /** The session of a legacy client. */
  readonly session?: string;
  readonly version?: string;
  /** Further headers for an HTTP upstream: mirrored ones, the client's credentials under `pass`, `Last-Event-ID`. */
  readonly headers: Headers;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

export interface Post extends FaceRequest {
  readonly message: Message;
  /** False if the caller of `initialize` has no stream for messages that belong to no call. The default is true. */
  readonly hasOwnStream?: boolean;
}

export interface Face {
  post(post: Post): Promise<Answer>;
  /** The stream of a legacy session for messages that belong to no request. */
  get(request: FaceRequest): Promise<Answer>;
  delete(request: FaceRequest): Promise<Answer>;
  /** Ends what the face itself holds. The connections and processes belong to its upstream. */
  close?(): void;
}
