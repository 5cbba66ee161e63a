/** Runs checks one after the other. Nothing a subject does ends the run. */
import { type Check, type CheckOutcome, type Concern, concernOf, Failure, NotApplicable, type Place } from '../check.js';
import type { Exchange } from '../wire/exchange.js';
import type { Revision } from '../wire/keys.js';
import type { ServerPeer } from './servers.js';

export interface RunOptions {
  /** Concerns that must be taken part in. */
  readonly expected: ReadonlySet<string>;
  /** Concerns to judge; all if empty. */
  readonly only: ReadonlySet<string>;
  /** Rules to judge; all if empty. */
  readonly requirement: ReadonlySet<string>;
  readonly wire: 'current' | 'seed';
  readonly timeout: number;
  /** Milliseconds for the first answer of a command that has to start; `timeout`, if absent. */
  readonly starting?: number;
  /** Both, if absent. */
  readonly revisions?: readonly Revision[];
  /** Aborted when the user stops the run. */
  readonly signal?: AbortSignal | undefined;
  /** Told what happens next. */
  readonly onStep?: ((step: string, place: Place) => void) | undefined;
  readonly onOutcome: (outcome: CheckOutcome) => void;
}

/** The result of the run as a whole: whether the subject could be reached at all. */
export interface Reached {
  readonly revisions: readonly Revision[];
  readonly problems: readonly string[];
}

/** The checks that the user asked for. */
export const selected = <T>(
  checks: readonly Check<T>[],
  { only, requirement, wire }: Pick<RunOptions, 'only' | 'requirement' | 'wire'>,
): Check<T>[] =>
  checks.filter(
    (check) =>
      (only.size === 0 || only.has(concernOf(check.id))) &&
      (requirement.size === 0 || check.proves.some((id) => requirement.has(id))) &&
      (check.wire === undefined || check.wire === wire),
  );

/** A subject that hung this often in a row is not asked any more. */
const PATIENCE = 3;

/** A place where checks run. */
interface Bench<T> {
  readonly place: Place;
  readonly trial: T;
  /** For a concern the subject takes no part in, the observation that shows it. */
  readonly absent?: (concern: Concern) => string | undefined;
  /** The connections to the subject, if the kit opens them. */
  readonly peers?: readonly ServerPeer[];
}

/** Runs the checks that apply at a place; reports each when all are done. */
export async function runChecks<T>(checks: readonly Check<T>[], bench: Bench<T>, options: RunOptions): Promise<void> {
  const { place, trial, absent, peers = [] } = bench;
  const { expected, requirement, signal, onStep, onOutcome } = options;
  const takeExchanges = () => peers.flatMap(({ exchanges }) => exchanges.splice(0));
  const aborted = new Promise<undefined>((resolve) => signal?.addEventListener('abort', () => resolve(undefined), { once: true }));
  const done: { outcome: CheckOutcome; exchanges: Exchange[] }[] = [];
  let hung = 0;
  // Exchanges of the observation belong to no check; the first check reports their faults.
  let before = takeExchanges();
  for (const check of checks) {
    if (signal?.aborted === true) break;
    const base = { check: check.id, proves: check.proves, ...place };
    const elsewhere = judgedElsewhere(check, place);
    // A report of everything has no rows for rules of another place; a rule that was asked for gets one.
    if (elsewhere !== undefined && requirement.size === 0) continue;
    const reason = elsewhere ?? absent?.(concernOf(check.id));
    if (reason !== undefined) {
      done.push({ outcome: { ...base, verdict: 'notApplicable', observed: reason }, exchanges: [] });
      continue;
    }
    if (hung >= PATIENCE) {
      const observed = `not asked: the subject gave no answer ${hung} times in a row`;
      done.push({ outcome: { ...base, verdict: 'fail', observed }, exchanges: [] });
      continue;
    }
    takeExchanges();
    onStep?.(check.id, place);
    const verdict = await Promise.race([attempt(check, trial), aborted]);
    if (verdict === undefined) break;
    const exchanges = takeExchanges();
    const broken = exchanges.some(({ problem }) => problem !== undefined && !problem.startsWith('HTTP'));
    hung = broken ? hung + 1 : 0;
    // The next check begins with new connections.
    if (broken) await Promise.all(peers.map((peer) => peer.close()));
    done.push({ outcome: { ...base, ...verdict }, exchanges: [...before, ...exchanges] });
    before = [];
  }
  for (const { outcome, exchanges } of done) onOutcome(tidy(outcome, exchanges));
  if (signal?.aborted !== true) for (const outcome of missing(expected, done)) onOutcome(outcome);
}

/** Reports one verdict for every check of a place, such as a revision that the subject does not speak. */
export function reportAll<T>(
  checks: readonly Check<T>[],
  place: Place,
  verdict: 'fail' | 'notApplicable',
  observed: string,
  { requirement, onOutcome }: RunOptions,
): void {
  for (const check of checks) {
    const elsewhere = judgedElsewhere(check, place);
    const base = { check: check.id, proves: check.proves, ...place };
    if (elsewhere === undefined) onOutcome({ ...base, verdict, observed });
    else if (requirement.size > 0) onOutcome({ ...base, verdict: 'notApplicable', observed: elsewhere });
  }
}

/** The place at which the check applies, if not at this one. */
function judgedElsewhere<T>({ revisions, transports }: Check<T>, { revision, transport }: Place): string | undefined {
  if (revisions?.includes(revision) === false) return `it is judged on ${revisions.join()} only`;
  return transports?.includes(transport) === false ? `it is judged over ${transports.join()} only` : undefined;
}

/** Expected concerns of which nothing could be judged: one failure for each. Their checks stay not applicable. */
function missing(expected: ReadonlySet<string>, done: readonly { outcome: CheckOutcome }[]): CheckOutcome[] {
  return [...expected].flatMap((concern) => {
    const own = done.map(({ outcome }) => outcome).filter(({ check }) => concernOf(check) === concern);
    const [first] = own;
    if (first === undefined || own.some(({ verdict }) => verdict !== 'notApplicable')) return [];
    const observed = `expected to take part, but ${first.observed}`;
    return [{ ...first, check: `${concern}:expected`, proves: first.proves.slice(0, 1), verdict: 'fail', observed, demanded: true }];
  });
}

async function attempt<T>(check: Check<T>, trial: T): Promise<Pick<CheckOutcome, 'verdict' | 'observed' | 'exchange' | 'mark'>> {
  try {
    await check.run(trial);
    return { verdict: 'pass', observed: check.title };
  } catch (error) {
    if (error instanceof NotApplicable) return { verdict: 'notApplicable', observed: error.message };
    if (!(error instanceof Failure)) throw error;
    return { verdict: 'fail', observed: error.message, mark: error.mark, ...(error.exchange && { exchange: error.exchange }) };
  }
}

/** A second answer, or text that is not JSON-RPC, may arrive late, so both are checked at the end of the run. */
function tidy(outcome: CheckOutcome, exchanges: readonly Exchange[]): CheckOutcome {
  if (outcome.verdict !== 'pass') return outcome;
  const failed = (observed: string, exchange: Exchange, mark: string): CheckOutcome => ({
    ...outcome,
    ...{ verdict: 'fail', observed, exchange, mark: [mark] },
  });
  const twice = exchanges.find(({ secondAnswers }) => secondAnswers.length > 0);
  if (twice) return failed(`one request was answered ${twice.secondAnswers.length + 1} times`, twice, 'secondAnswers');
  const noisy = exchanges.find(({ notJsonRpc }) => notJsonRpc.length > 0);
  if (!noisy) return outcome;
  return failed(`something that is no message came between the messages: ${(noisy.notJsonRpc[0] ?? '').slice(0, 80)}`, noisy, 'notJsonRpc');
}
