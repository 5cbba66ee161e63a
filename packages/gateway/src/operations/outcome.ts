/** How an exchange ended, in one word. The words are the values of `outcome` in the feed and in audit lines, and of `kind` in the metrics. */
import { at } from '../json/values.js';
import type { Tail } from './tail.js';

export const OUTCOMES = [
  /** Answered. */
  'ok',
  /** The tool answered, and says that it failed. */
  'tool-error',
  /** A JSON-RPC error, of the upstream or of a rule. */
  'rpc-error',
  /** The request was wrong: 400, 404, 405, 413, 415. */
  'bad-request',
  /** 401, 403. */
  'refused',
  /** 429. */
  'limited',
  /** 408, 504. */
  'timeout',
  /** The upstream, or the store, could not do its part: 502, 503. */
  'upstream',
  /** The client went away: 499. */
  'gone',
  /** A fault of the gateway: 500. */
  'internal',
] as const;

export type Outcome = (typeof OUTCOMES)[number];

export function outcomeOf(status: number, tail: Tail): Outcome {
  if (status < 400) return outcomeOfMessage(tail.lastMessage);
  if (status === 401 || status === 403) return 'refused';
  if (status === 408 || status === 504) return 'timeout';
  if (status === 429) return 'limited';
  if (status === 499) return 'gone';
  if (status === 500) return 'internal';
  // A modern error that the rules or the upstream chose has a status of its own; it is an answer all the same.
  if (status < 500) return isRpcAnswer(tail.lastMessage) ? 'rpc-error' : 'bad-request';
  return 'upstream';
}

function outcomeOfMessage(text: string | undefined): Outcome {
  // Most answers have neither member, which their text tells without being parsed.
  const value = text?.includes('"error"') || text?.includes('"isError"') ? parse(text) : undefined;
  if (at(value, 'error') !== undefined) return 'rpc-error';
  return at(value, 'result', 'isError') === true ? 'tool-error' : 'ok';
}

/** Codes that mean an answer of the protocol and not a request that could not be read. */
const ANSWERS = new Set([-32601, -32021, -32022]);

function isRpcAnswer(text: string | undefined): boolean {
  return ANSWERS.has(at(parse(text), 'error', 'code') as number);
}

function parse(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
