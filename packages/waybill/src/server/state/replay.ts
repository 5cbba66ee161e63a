import type { StartTimer } from '../../transport/index.js';
import { andThenAsk, promiseIn } from '../../wire/maybe.js';
import type { ItemAbout, Later } from './item.js';

// D-22
/**
 * Remembers which sealed values are live. A sealed value that was overwritten stays valid until it expires, and a client may send it again:
 * a server without memory cannot see that. `slot` stands for audience, principal, scope and name.
 */
export interface ReplayGuard {
  /** Only `true` opens the value. */
  isLive(slot: string, sequence: string): boolean | PromiseLike<boolean>;
  /**
   * Called for a new sealed value. It replaces `retired`, the one its request carried, if any. `expires` in seconds since 1970, if it
   * expires. Only `true` lets the new value out; `false` means that another request was first. It has to be one atomic step, or two
   * requests could use one value.
   */
  replace(slot: string, retired: string | undefined, live: string | undefined, expires: number | undefined): boolean | PromiseLike<boolean>;
}

/** D-35: a guard that does not answer for this long has said no. */
const GUARD_PATIENCE = 5_000;

/**
 * Asks the replay guard, if there is one. Only `true` is a yes: a throw, a rejection, silence and every other value are faults (D-35).
 * `problems`: what is reported for a no and for a fault.
 */
export function askGuard(
  { name, definition: { scope }, options: { seal, replayGuard }, startTimer, complain }: ItemAbout,
  principal: string | null,
  method: keyof ReplayGuard,
  ask: (guard: ReplayGuard, slot: string) => unknown,
  problems: { readonly refused: string; readonly failed: string },
): Later<boolean> {
  if (replayGuard === undefined) return true;
  const slot = JSON.stringify([seal?.audience, principal, scope, name]);
  const path = `replayGuard.${method}`;
  const fail = (fault: unknown): boolean => {
    complain(problems.failed, fault);
    return false;
  };
  return andThenAsk<unknown, boolean>(
    () => inTime(ask(replayGuard, slot), path, startTimer),
    (answer) => {
      if (typeof answer !== 'boolean') return fail(new TypeError(`${path}: returned neither true nor false`));
      if (!answer) complain(problems.refused);
      return answer;
    },
    fail,
  );
}

function inTime(value: unknown, path: string, start: StartTimer): unknown {
  const answer = promiseIn(value);
  if (answer === undefined) return value;
  return new Promise((resolve, reject) => {
    const late = (): void => {
      reject(new Error(`${path}: no answer within ${GUARD_PATIENCE} ms`));
    };
    const cancel = start(GUARD_PATIENCE, late);
    void answer.then(resolve, reject).finally(cancel);
  });
}

/** Keeps the memory in this process, for tests and single servers. It holds the most recent values; an older one counts as replayed. */
export function memoryReplayGuard(most = 100_000): ReplayGuard {
  const live = new Set<string>();
  const key = (slot: string, sequence: string): string => JSON.stringify([slot, sequence]);
  return {
    isLive: (slot, sequence) => live.has(key(slot, sequence)),
    replace(slot, retired, added) {
      if (retired !== undefined && !live.delete(key(slot, retired))) return false;
      if (added !== undefined) live.add(key(slot, added));
      const [oldest] = live;
      if (live.size > most && oldest !== undefined) live.delete(oldest);
      return true;
    },
  };
}
