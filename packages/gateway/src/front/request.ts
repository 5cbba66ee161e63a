/** One HTTP request, of `node:http` or of `fetch`. */
import type { Chunks } from 'waybill/adapter';
import type { Headers } from '../answer.js';

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  /** Lower case; repeated lines are joined. */
  readonly headers: Headers;
  /** The lines of one header, each for itself. */
  readonly values: (name: string) => readonly string[];
  /** The address that the connection comes from; undefined if it is not known. */
  readonly peer: string | undefined;
  readonly body: Chunks;
  readonly signal: AbortSignal;
}
