import type { StartTimer } from '../../transport/index.js';
import { andThenAsk, promiseIn } from '../../wire/maybe.js';
import type { ItemAbout, Later } from './item.js';
import type { ReplayGuard } from './replay.js';

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
