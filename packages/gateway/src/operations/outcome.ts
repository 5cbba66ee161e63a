/** Finds the word for how an exchange ended. */
import { at } from '../json/values.js';
import type { ExchangeOutcome } from './record.js';
import type { Tail } from './tail.js';

export function outcomeOf(status: number, tail: Tail): ExchangeOutcome {
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

function outcomeOfMessage(text: string | undefined): ExchangeOutcome {
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
