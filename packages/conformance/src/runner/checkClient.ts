/** `check client`: runs the client through the scenarios that the checks need, over both transports and revisions. */
import { type Check, concernOf } from '../check.js';
import { type ClientTrial, TAKES_PART } from '../checks/client/trial.js';
import { clientChecks } from '../checks/client/all.js';
import { commandClient, type Log, runScenario, type StartClient } from '../scenarios/run.js';
import { SCENARIOS } from '../scenarios/scenarios.js';
import { REVISIONS, type Revision, type Transport } from '../wire/keys.js';
import type { Reached, RunOptions } from './checkServer.js';
import { runChecks, selects } from './run.js';

/** A scenario may need this many times the patience of one answer. */
const SCENARIO_TIMES = 5;

export interface ClientOptions extends RunOptions {
  readonly transports?: readonly Transport[];
}

export const checkClient = (command: readonly string[], options: ClientOptions): Promise<Reached> =>
  checkStarted(commandClient(command), options);

export async function checkStarted(startClient: StartClient, options: ClientOptions): Promise<Reached> {
  const checks = clientChecks.filter((check) => selects(check as Check<never>, options));
  const [problems, revisions, seen] = [new Array<string>(), new Set<Revision>(), new Set<string>()];
  // stdio first: only there a client may keep state of a local server, and what it does over HTTP is read in that light.
  for (const transport of options.transports ?? (['stdio', 'http'] as const)) {
    const places = (options.revisions ?? REVISIONS).map((revision) => new Place(startClient, revision, transport, options, seen));
    // Most of the time of a run is the start of clients, so the revisions run together.
    await Promise.all(
      places.map(async (place) => {
        if (options.signal?.aborted === true) return;
        const problem = await place.reach();
        if (problem === undefined) revisions.add(place.revision);
        else problems.push(`${place.revision} over ${transport}: ${problem}`);
        await place.check(checks, problem);
      }),
    );
  }
  return { revisions: [...revisions], problems };
}

/** One revision over one transport. */
class Place {
  readonly #start: StartClient;
  readonly #options: ClientOptions;
  readonly revision: Revision;
  readonly #place: { revision: Revision; transport: Transport };
  readonly #logs = new Map<string, Promise<Log>>();
  readonly #seen: Set<string>;
  #hung = 0;

  constructor(startClient: StartClient, revision: Revision, transport: Transport, options: ClientOptions, seen: Set<string>) {
    this.#start = startClient;
    this.#options = options;
    this.revision = revision;
    this.#place = { revision, transport };
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
    if (scenario === undefined || this.#hung > 1)
      return { scenario: name, received: [], ending: 'was not started again: it hung before', hung: true };
    const { revision, transport } = this.#place;
    const log = await runScenario(this.#start, scenario, revision, transport, this.#options.timeout * SCENARIO_TIMES);
    if (log.hung) this.#hung++;
    for (const [concern, shows] of Object.entries(TAKES_PART)) if (log.received.some(shows)) this.#seen.add(concern);
    return log;
  }

  async check(checks: readonly Check<ClientTrial>[], problem: string | undefined): Promise<void> {
    const { wire, signal, onCheck, onOutcome } = this.#options;
    const here = new Set<string>();
    if (problem === undefined) {
      const telling = ['tools_call', ...['environment', 'state'].filter((name) => checks.some(({ id }) => concernOf(id) === name))];
      // Scenarios share nothing, and most of their time is the start of a process: they run together.
      const logs = await Promise.all(telling.map(this.#log));
      for (const [concern, shows] of Object.entries(TAKES_PART)) if (logs.some(({ received }) => received.some(shows))) here.add(concern);
    }
    await runChecks(
      checks,
      {
        place: this.#place,
        expected: problem === undefined ? this.#options.expected : new Set(),
        trial: { ...this.#place, wire, log: this.#log, seen: this.#seen },
        absent: ({ id }) => {
          const concern = concernOf(id);
          if (problem !== undefined) return `the client does not speak this revision over ${this.#place.transport}: ${problem}`;
          // Rules about servers that may keep nothing say themselves whether they apply.
          const own = concern === 'protocol' || concern === 'capabilities' || (concern === 'state' && this.#place.transport === 'http');
          return own || here.has(concern) ? undefined : `no request of this client carried anything of ${concern}`;
        },
        taken: () => [],
        recover: () => Promise.resolve(),
        signal,
        onCheck,
      },
      onOutcome,
    );
  }
}
