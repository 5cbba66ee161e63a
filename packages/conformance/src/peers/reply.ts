/** Shared by the raw peers of the kit: their faults, their answers, and how they read headers. */
import type { Message } from '../wire/json.js';

/** Names of the faults that are switched on. */
export type Faults = ReadonlySet<string>;

/** All lines of a request header. */
export type Lines = (name: string) => readonly string[];

export interface Reply {
  status: number;
  headers: [string, string][];
  message: Message | undefined;
  /** Notifications before the answer. */
  before: Message[];
  /** Over HTTP, answer with an event stream even without notifications. */
  streamed?: boolean;
}

export const newReply = (): Reply => ({ status: 200, headers: [], message: undefined, before: [] });
