/** `check server`: which revisions the server speaks, what it takes part in, and every check that applies. */
import { type Check, concernOf, Failure } from '../check.js';
import type { ServerTrial } from '../checks/server/trial.js';
import { serverChecks } from '../checks/server/all.js';
import { REVISIONS, type Revision } from '../wire/keys.js';
import { observeServer } from './observe.js';
import { type Reached, reportAll, runChecks, type RunOptions, selected } from './run.js';
import { type Harmless, ServerPeer, type Target } from './servers.js';

export interface ServerOptions extends RunOptions {
  readonly tool?: Harmless | undefined;
}

export async function checkServer(target: Target, options: ServerOptions): Promise<Reached> {
  const checks = selected(serverChecks, options);
  const revisions: Revision[] = [];
  const problems: string[] = [];
  const peers = (options.revisions ?? REVISIONS).map((revision) => new ServerPeer(target, revision, options));
  // Each revision over stdio has a process of its own, and starting one is most of a short run: they start together.
  const early = 'command' in target ? peers.map((peer) => peer.session({}).catch((error: unknown) => error)) : [];
  for (const [index, peer] of peers.entries()) {
    if (options.signal?.aborted === true) break;
    const { revision, transport } = peer;
    const place = { revision, transport };
    const show = (step: string) => options.onStep?.(step, place);
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
      if (revisions.includes(revision)) reportAll(checks, place, 'fail', `after the first answer ${error.message}`, options);
      else reportAll(checks, place, 'notApplicable', `the server does not speak this revision: ${error.message}`, options);
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

async function checkRevision(peer: ServerPeer, checks: readonly Check<ServerTrial>[], options: ServerOptions): Promise<void> {
  const { revision, transport } = peer;
  const observed = await observeServer(peer, options.tool, new Set(checks.map(({ id }) => concernOf(id))));
  const trial = { peer, observed, wire: options.wire };
  await runChecks(checks, { place: { revision, transport }, trial, peers: [peer], absent: (concern) => observed.absent[concern] }, options);
}
