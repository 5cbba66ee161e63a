/** `check server`: which revisions the server speaks, what it takes part in, and every check that applies. */
import { type Check, concernOf, Failure, type Outcome } from '../check.js';
import type { ServerTrial } from '../checks/server/trial.js';
import { serverChecks } from '../checks/server/all.js';
import { REVISIONS, type Revision } from '../wire/keys.js';
import { observeServer } from './observe.js';
import { type Place, runChecks, type Selection, selects } from './run.js';
import { type Harmless, ServerPeer, type Target, transportOf } from './servers.js';

export interface RunOptions extends Selection {
  readonly timeout: number;
  /** Milliseconds for the first answer of a command that has to start; `timeout`, if absent. */
  readonly starting?: number;
  /** Both, if absent. */
  readonly revisions?: readonly Revision[];
  /** Aborted when the user stops the run. */
  readonly signal?: AbortSignal | undefined;
  /** Told what happens next. */
  readonly onStep?: ((step: string, place: Place) => void) | undefined;
  readonly onOutcome: (outcome: Outcome) => void;
}

export interface ServerOptions extends RunOptions {
  readonly tool?: Harmless | undefined;
}

/** The result of the run as a whole: whether the subject could be reached at all. */
export interface Reached {
  readonly revisions: readonly Revision[];
  readonly problems: readonly string[];
}

export async function checkServer(target: Target, options: ServerOptions): Promise<Reached> {
  const checks = serverChecks.filter((check) => selects(check as Check<never>, options));
  const revisions: Revision[] = [];
  const problems: string[] = [];
  const peers = (options.revisions ?? REVISIONS).map((revision) => new ServerPeer(target, revision, options));
  // Each revision over stdio has a process of its own, and starting one is most of a short run: they start together.
  const early = 'command' in target ? peers.map((peer) => peer.session({}).catch((error: unknown) => error)) : [];
  for (const [index, peer] of peers.entries()) {
    if (options.signal?.aborted === true) break;
    const { revision, transport } = peer;
    const show = (step: string) => options.onStep?.(step, { revision, transport });
    try {
      show('connecting');
      const opened = await waiting(early[index] ?? peer.session({}), show);
      if (opened instanceof Error) throw opened;
      revisions.push(revision);
      show('looking at what it takes part in');
      await checkRevision(peer, checks, options);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      problems.push(`${revision}: ${error.message}`);
      if (!revisions.includes(revision)) absentRevision(checks, { revision, transport: transportOf(target) }, error.message, options);
    } finally {
      await peer.close();
    }
  }
  await Promise.all(peers.map((peer) => peer.close()));
  return { revisions, problems };
}

/** Tells every second that the server has not answered yet. */
async function waiting<T>(answer: Promise<T>, show: (step: string) => void): Promise<T> {
  let seconds = 0;
  const timer = setInterval(() => show(`waiting for the first answer, ${++seconds} s`), 1000);
  return answer.finally(() => clearInterval(timer));
}

function absentRevision(checks: readonly Check<ServerTrial>[], place: Place, observed: string, { onOutcome }: RunOptions): void {
  for (const { id, proves, revisions, transports } of checks)
    if (revisions?.includes(place.revision) !== false && transports?.includes(place.transport) !== false)
      onOutcome({
        check: id,
        proves,
        ...place,
        verdict: 'notApplicable',
        observed: `the server does not speak this revision: ${observed}`,
      });
}

async function checkRevision(peer: ServerPeer, checks: readonly Check<ServerTrial>[], options: ServerOptions): Promise<void> {
  const observed = await observeServer(peer, options.tool, new Set(checks.map(({ id }) => concernOf(id))));
  await runChecks(
    checks,
    {
      place: { revision: peer.revision, transport: peer.transport },
      expected: options.expected,
      requirement: options.requirement,
      trial: { peer, observed, wire: options.wire },
      absent: ({ id }) => observed.absent[concernOf(id)],
      taken: () => peer.exchanges.splice(0),
      recover: () => peer.close(),
      signal: options.signal,
      onStep: options.onStep,
    },
    options.onOutcome,
  );
}
