import type { ExchangeLog } from './log.js';
import type { ContextAnswer } from './protocol.js';
import type { Questions } from './questions.js';

/** The source of the page: a server that it calls, or the feed of a gateway. */
export interface PageSource {
  readonly log: ExchangeLog;
  readonly questions: Questions;
  context(): ContextAnswer;
  reconnect(): Promise<void>;
  close(): Promise<void>;
}
