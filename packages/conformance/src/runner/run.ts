/** Runs checks one after the other. Nothing a subject does ends the run. */
import { type Check, concernOf, Failure, NotApplicable, type Outcome } from '../check.js';
import type { Exchange } from '../wire/exchange.js';
import type { Revision, Transport } from '../wire/keys.js';

export interface Place {
  readonly revision: Revision;
  readonly transport: Transport;
}

export interface Selection {
  /** Concerns that must be taken part in. */
  readonly expected: ReadonlySet<string>;
  readonly only: ReadonlySet<string>;
  readonly requirement: ReadonlySet<string>;
  readonly wire: 'current' | 'seed';
}

export const selects = (check: Check<never>, { only, requirement, wire }: Omit<Selection, 'expected'>): boolean =>
  (only.size === 0 || only.has(concernOf(check.id))) &&
  (requirement.size === 0 || check.proves.some((id) => requirement.has(id))) &&
  (check.wire === undefined || check.wire === wire);

/** A subject that hung this often in a row is not asked any more. */
const PATIENCE = 3;

export interface Bench<T> {
  readonly place: Place;
  readonly trial: T;
  /** Concerns that must be taken part in; empty where the revision is not spoken. */
  readonly expected: ReadonlySet<string>;
  /** Rules that were asked for; empty if all were. */
  readonly requirement: ReadonlySet<string>;
  /** For a concern the subject takes no part in, the observation that shows it. */
  readonly absent: (check: Check<T>) => string | undefined;
  /** Exchanges since the last call. */
  readonly taken: () => Exchange[];
  /** Makes the subject usable again after a hang or a crash. */
  readonly recover: () => Promise<void>;
  readonly signal?: AbortSignal | undefined;
  /** Told when a check begins. */
  readonly onStep?: ((step: string, place: Place) => void) | undefined;
}

/** Runs the checks that apply at a place; reports each as it ends. */
export async function runChecks<T>(checks: readonly Check<T>[], bench: Bench<T>, onOutcome: (outcome: Outcome) => void): Promise<void> {
  const { place, trial, signal } = bench;
  const aborted = new Promise<undefined>((resolve) => signal?.addEventListener('abort', () => resolve(undefined), { once: true }));
  const done: { outcome: Outcome; exchanges: Exchange[] }[] = [];
  let hung = 0;
  // What came while the subject was looked at belongs to no check: the first one tells of it.
  let before = bench.taken();
  for (const check of checks) {
    if (signal?.aborted === true) break;
    const base = { check: check.id, proves: check.proves, ...place };
    const elsewhere = placesOf(check, place);
    // A report of everything has no rows for rules of another place; a rule that was asked for gets one.
    if (elsewhere !== undefined && bench.requirement.size === 0) continue;
    const absent = elsewhere ?? bench.absent(check);
    if (absent !== undefined) {
      done.push({ outcome: { ...base, verdict: 'notApplicable', observed: absent }, exchanges: [] });
      continue;
    }
    if (hung >= PATIENCE) {
      const observed = `not asked: the subject gave no answer ${hung} times in a row`;
      done.push({ outcome: { ...base, verdict: 'fail', observed }, exchanges: [] });
      continue;
    }
    bench.taken();
    bench.onStep?.(check.id, place);
    const verdict = await Promise.race([attempt(check, trial), aborted]);
    if (verdict === undefined) break;
    const exchanges = bench.taken();
    const broken = exchanges.find(({ problem }) => problem !== undefined && !problem.startsWith('HTTP'));
    hung = broken === undefined ? 0 : hung + 1;
    if (broken !== undefined) await bench.recover();
    done.push({ outcome: { ...base, ...verdict }, exchanges: [...before, ...exchanges] });
    before = [];
  }
  for (const { outcome, exchanges } of done) onOutcome(tidy(outcome, exchanges));
  if (signal?.aborted !== true) for (const outcome of missing(bench.expected, done)) onOutcome(outcome);
}

/** The place at which the check applies, if not at this one. */
function placesOf<T>({ revisions, transports }: Check<T>, { revision, transport }: Place): string | undefined {
  if (revisions?.includes(revision) === false) return `it is judged on ${revisions.join()} only`;
  return transports?.includes(transport) === false ? `it is judged over ${transports.join()} only` : undefined;
}

/** Expected concerns of which nothing could be judged: one failure for each. Their checks stay not applicable. */
function missing(expected: ReadonlySet<string>, done: readonly { outcome: Outcome }[]): Outcome[] {
  return [...expected].flatMap((concern) => {
    const own = done.map(({ outcome }) => outcome).filter(({ check }) => concernOf(check) === concern);
    const [first] = own;
    if (first === undefined || own.some(({ verdict }) => verdict !== 'notApplicable')) return [];
    const observed = `expected to take part, but ${first.observed}`;
    return [{ ...first, check: `${concern}:expected`, proves: first.proves.slice(0, 1), verdict: 'fail', observed, demanded: true }];
  });
}

async function attempt<T>(check: Check<T>, trial: T): Promise<Pick<Outcome, 'verdict' | 'observed' | 'exchange' | 'mark'>> {
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
function tidy(outcome: Outcome, exchanges: readonly Exchange[]): Outcome {
  if (outcome.verdict !== 'pass') return outcome;
  const twice = exchanges.find(({ secondAnswers }) => secondAnswers.length > 0);
  if (twice)
    return {
      ...outcome,
      verdict: 'fail',
      observed: `one request was answered ${twice.secondAnswers.length + 1} times`,
      exchange: twice,
      mark: ['secondAnswers'],
    };
  const noisy = exchanges.find(({ notJsonRpc }) => notJsonRpc.length > 0);
  if (!noisy) return outcome;
  const observed = `something that is no message came between the messages: ${(noisy.notJsonRpc[0] ?? '').slice(0, 80)}`;
  return { ...outcome, verdict: 'fail', observed, exchange: noisy, mark: ['notJsonRpc'] };
}
