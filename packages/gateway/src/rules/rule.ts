/** A rule is one concern at one upstream. It reads the parsed message and edits its text; it never sees sockets or processes. */
import type { JsonObject } from 'waybill';
import type { Answer, Headers } from '../answer.js';
import type { Caller } from '../face.js';
import type { Era } from '../config/types.js';
import type { Message } from '../message.js';

export interface Disclosure {
  readonly sent: readonly string[];
  readonly withheld: readonly string[];
}

/** One request on its way upstream, until its answer has gone back. */
export interface Hop {
  readonly message: Message;
  readonly era: Era;
  readonly caller: Caller;
  /** The legacy session, if there is one. */
  readonly session: string | undefined;
  /** The capabilities that this request declares, or that the client of its session declared, as far as this pair can carry it; undefined if it is not known. */
  readonly capabilities: JsonObject | undefined;
  /** The client's headers, lower case. */
  readonly received: Headers;
  /** Headers that go upstream besides the mirrored ones. */
  readonly headers: Record<string, string>;
  /** Headers of the answer. */
  readonly answered: Record<string, string>;
  /** The fields that the upstream is told of the client, and those that the policy keeps from it; undefined without a policy. */
  disclosure?: Disclosure;
  /** Told of everything that was dropped or could not be done. */
  report(problem: string): void;
}

export interface Rule {
  readonly name: string;
  /** An answer of this rule in place of the upstream is one that the upstream gave before. */
  readonly isCache?: boolean;
  /** Changes the request. May answer it in place of the upstream. */
  request?(hop: Hop): Answer | undefined | Promise<Answer | undefined>;
  /**
   * The upstream has refused the headers of a call (-32020), and `tools` is its list as it is now. True if this rule has written other headers:
   * then the call is sent once more.
   */
  headersRefused?(hop: Hop, tools: readonly unknown[]): boolean;
  /** True if this rule has to look at the messages that come back. */
  looksAt?(hop: Hop): boolean;
  /** Changes one message of the answer. */
  answer?(message: Message, hop: Hop): void | Promise<void>;
  /** The exchange is over, with or without an answer. */
  ended?(hop: Hop): void;
  /** Told of each message on the stream of a session, which belongs to no request. */
  notified?(message: Message): void;
  /** The session has ended. */
  sessionEnded?(session: string, caller: Caller): void;
  close?(): void | Promise<void>;
}
