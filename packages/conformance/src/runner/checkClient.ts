/** `check client`: runs the client through the scenarios that the checks need, over both transports and revisions. */
import { type Check, type Concern, concernOf, type Place } from '../check.js';
import { type ClientTrial, TAKES_PART } from '../checks/client/trial.js';
import { clientChecks } from '../checks/client/all.js';
import { commandClient, type Log, runScenario, type StartClient } from '../scenarios/run.js';
import { SCENARIOS } from '../scenarios/scenarios.js';
import { REVISIONS, type Revision, type Transport } from '../wire/keys.js';
import { type Reached, reportAll, runChecks, type RunOptions, selected } from './run.js';

/** A scenario may need this many times the patience of one answer. */
const SCENARIO_TIMES = 5;

export interface ClientOptions extends RunOptions {
  readonly transports?: readonly Transport[];
}

export const checkClient = (command: readonly string[], options: ClientOptions): Promise<Reached> =>
  checkStarted(commandClient(command), options);

export async function checkStarted(startClient: StartClient, options: ClientOptions): Promise<Reached> {
  const checks = selected(clientChecks, options);
  const [problems, revisions, seen] = [new Array<string>(), new Set<Revision>(), new Set<string>()];
  // stdio first: only there a client may keep state of a local server, and what it does over HTTP is read in that light.
  for (const transport of options.transports ?? (['stdio', 'http'] as const))
    // Most of the time of a run is the start of clients, so the revisions run together.
    await Promise.all(
      (options.revisions ?? REVISIONS).map(async (revision) => {
        if (options.signal?.aborted === true) return;
        const run = new ClientRun(startClient, { revision, transport }, options, seen);
        const problem = await run.reach();
        if (problem === undefined) {
          revisions.add(revision);
          await run.check(checks);
          return;
        }
        problems.push(`${revision} over ${transport}: ${problem}`);
        const observed = `the client does not speak this revision over ${transport}: ${problem}`;
        reportAll(checks, { revision, transport }, 'notApplicable', observed, options);
      }),
    );
  return { revisions: [...revisions], problems };
}

/** The scenarios and checks of a client in one revision over one transport. */
class ClientRun {
  readonly #start: StartClient;
  readonly #place: Place;
  readonly #options: ClientOptions;
  readonly #logs = new Map<string, Promise<Log>>();
  /** Concerns that the client was seen to take part in, at any place. */
  readonly #seen: Set<string>;
  #hung = 0;

  constructor(startClient: StartClient, place: Place, options: ClientOptions, seen: Set<string>) {
    this.#start = startClient;
    this.#place = place;
    this.#options = options;
    this.#seen = seen;
  }

  /** Undefined if the client connects; otherwise what was seen instead. */
  async reach(): Promise<string | undefined> {
    const { received, ending } = await this.#log('tools_call');
    const connected = received.some(({ message }) => message['id'] !== undefined);
    return connected ? undefined : `no request arrived; the client ${ending}`;
  }

  #log = (name: string): Promise<Log> => {
    const known = this.#logs.get(name);
    if (known !== undefined) return known;
    const log = this.#run(name);
    this.#logs.set(name, log);
    return log;
  };

  async #run(name: string): Promise<Log> {
    const scenario = SCENARIOS.find((one) => one.name === name);
    // A client that hangs once will hang again, and each time costs the whole limit.
    if (scenario === undefined || this.#hung > 1) return { received: [], ending: 'was not started again: it hung before', hung: true };
    this.#options.onStep?.(`scenario ${name}`, this.#place);
    const log = await runScenario(this.#start, scenario, this.#place, this.#options.timeout * SCENARIO_TIMES);
    if (log.hung) this.#hung++;
    for (const [concern, shows] of Object.entries(TAKES_PART)) if (log.received.some(shows)) this.#seen.add(concern);
    return log;
  }

  async check(checks: readonly Check<ClientTrial>[]): Promise<void> {
    const here = new Set<string>();
    const telling = ['tools_call', ...['environment', 'state'].filter((name) => checks.some(({ id }) => concernOf(id) === name))];
    // Scenarios share nothing, and most of their time is the start of a process: they run together.
    const logs = await Promise.all(telling.map(this.#log));
    for (const [concern, shows] of Object.entries(TAKES_PART)) if (logs.some(({ received }) => received.some(shows))) here.add(concern);
    // Checks of state at servers that may keep nothing find out themselves whether they apply.
    const own = new Set<Concern>(['protocol', 'capabilities', ...(this.#place.transport === 'http' ? (['state'] as const) : [])]);
    const absent = (concern: Concern) =>
      own.has(concern) || here.has(concern) ? undefined : `no request of this client carried anything of ${concern}`;
    await runChecks(checks, { place: this.#place, trial: { log: this.#log, seen: this.#seen }, absent }, this.#options);
  }
}
