import { checkMembers, expectFunction, expectTimeout } from '../../wire/check.js';
import { isObject } from '../../wire/json.js';
import type { Policy } from '../../wire/policy.js';
import { startIdleTimer, startTimer as startTimeout, type StartTimer } from '../../transport/index.js';
import type { ClientPolicy, PolicyFunction } from '../policy.js';
import type { StdioNames } from '../stdioNames.js';
import { LedgerBook } from './ledgerBook.js';
import { PolicyKeeper } from './keeper.js';
import { Destinations } from './destinations.js';
import { Prompts, type Ask } from './prompts.js';

export interface PolicyOptions {
  /** Asks the user about fields at `ask`. Without it `ask` acts as `never`. Questions about different fields may come at the same time. */
  readonly ask?: Ask;
  /** A question without an answer counts as `never` after this many milliseconds; 30,000 by default. */
  readonly askTimeout?: number;
  /** Names a server behind a command: `stdioIdentity()` of `waybill/client/node`. Without it the jar's is used, if there is a jar. */
  readonly stdio?: StdioNames;
  /** Starts a timer and returns how to stop it; `setTimeout` by default. */
  readonly startTimer?: StartTimer;
}

const ASK_TIMEOUT = 30_000;
const CHECKS = {
  ask: expectFunction,
  askTimeout: expectTimeout,
  stdio: expectFunction,
  startTimer: expectFunction,
};

/**
 * Says what each server may know: `clientContext({ policy: policy({ default, servers }, { ask }) })`. A function is asked for the rules of a
 * server on every message. The policy only takes away: it never sends what the other options do not give.
 */
export function policy(rules: Policy | PolicyFunction, options: PolicyOptions = {}): ClientPolicy {
  if (typeof rules !== 'function' && !isObject(rules)) throw new TypeError('policy: expected an object or a function');
  checkMembers(options, CHECKS, 'policy');
  const { ask, askTimeout = ASK_TIMEOUT, stdio, startTimer } = options;
  // The rules are checked now, and again for each client, because a program may change its object.
  new Destinations(rules);
  return {
    open(setup) {
      const { state, onIssue, clock } = setup;
      const destinations = new Destinations(rules, {
        stdio,
        packageOf: (stdio ?? state?.stdio)?.packageOf,
        nameOf: state && ((connection) => state.nameOf(connection)),
      });
      // A question that waits for the user keeps no program alive; counts that are not written yet do, for a moment.
      const prompts = new Prompts({ ask, askTimeout, startTimer: startTimer ?? startIdleTimer, onIssue });
      const ledger = new LedgerBook({
        clock,
        startTimer: startTimer ?? startTimeout,
        onIssue,
        forget: (matches) => prompts.forget(matches),
      });
      ledger.keepIn(state?.keepLedger(ledger));
      return new PolicyKeeper(setup, destinations, prompts, ledger);
    },
  };
}
