import type { StartTimer } from '../../transport/index.js';
import type { DefineStateOptions, StateDefinition } from './define.js';
import type { SealAbout } from './seal.js';

export type Later<T> = T | Promise<T>;

/** One defined name on one request: everything that reading and sealing its value needs. */
export interface ItemAbout {
  readonly name: string;
  readonly definition: StateDefinition;
  readonly options: DefineStateOptions;
  readonly startTimer: StartTimer;
  /** Returns the principal of the request; `undefined` if it is unknown, so that no sealed value can be for it. */
  readonly principal: () => string | null | undefined;
  /** Reports a problem and returns nothing. `error`: the error of a function of the program, if there was one. */
  readonly complain: (problem: string, error?: unknown) => undefined;
}

export function sealAbout({ name, definition, options }: ItemAbout, principal: string | null): SealAbout {
  const { scope, maxAge } = definition;
  const { clock = Date.now } = options;
  return { principal, scope, name, now: clock() / 1000, maxAge };
}
