import type { StartTimer } from '../../transport/index.js';
import type { Report } from '../../wire/issue.js';
import type { Precision } from '../../wire/environment.js';
import { andThenAsk, type Maybe } from '../../wire/maybe.js';
import type { ConcernName } from '../../wire/concern.js';
import { readWant, type PolicyField } from '../../wire/policy.js';
import { dropOldest } from '../oldest.js';
import { NOBODY } from '../values.js';
import type { Destination } from './destinations.js';

/** `once` holds for the calls that wait. `always` and `never` hold until the program ends or the ledger of the server is cleared. */
export type Consent = 'once' | 'always' | 'never';

/** A question to the user: may this server get this field? */
export interface ConsentQuestion {
  /** The server, as the ledger names it; `undefined` if it has no identity. */
  readonly server: string | undefined;
  /** The package that a command names, such as `npm:@scope/server`: easier to read where `server` is a digest. */
  readonly package?: string;
  readonly field: PolicyField;
  /** The precision at which the location would be sent. */
  readonly precision?: Precision;
  /** The user whose data it is; `null` for no particular user. */
  readonly principal: string | null;
  /**
   * The server's reason, in its own words: one line of at most 200 characters. Show it as a quotation of the server. It is
   * untrusted text.
   */
  readonly reason?: string;
}

export type Ask = (question: ConsentQuestion) => Maybe<Consent>;

interface PromptOptions {
  readonly ask: Ask | undefined;
  /** A question without an answer counts as `never` after this many milliseconds. */
  readonly askTimeout: number;
  readonly startTimer: StartTimer;
  readonly onIssue: Report;
}

/** One thing that the user may be asked about. */
export interface Subject {
  readonly destination: Destination;
  readonly field: PolicyField;
  readonly precision: Precision | undefined;
  readonly principal: string | undefined;
}

const MAX_REMEMBERED = 4096;
const CONSENTS: ReadonlySet<unknown> = new Set<Consent>(['once', 'always', 'never']);

/** Says why a question has no answer. */
interface Failure {
  readonly why: string;
}

const CONCERN_OF: Readonly<Record<PolicyField, ConcernName>> = {
  language: 'language',
  timezone: 'environment',
  now: 'environment',
  locale: 'environment',
  location: 'environment',
  state: 'state',
  trace: 'trace',
  baggage: 'trace',
  capabilities: 'capabilities',
};

/** D-20: raises one prompt for each server, field and precision, however many calls wait. Without a valid answer the connection gets `never`. */
export class Prompts {
  readonly #options: PromptOptions;
  readonly #remembered = new Map<string, boolean>();
  readonly #waiting = new Map<string, Promise<Consent | Failure>>();
  readonly #refused = new WeakMap<object, Set<string>>();
  readonly #numbers = new WeakMap<object, number>();
  readonly #told = new WeakSet();
  #last = 0;

  constructor(options: PromptOptions) {
    this.#options = options;
  }

  /** Returns the answer that is known without a prompt; `undefined` if there is none. */
  known(subject: Subject): boolean | undefined {
    const key = this.#key(subject);
    const kept = this.#remembered.get(key);
    return kept ?? (this.#refused.get(subject.destination.connection)?.has(key) === true ? false : undefined);
  }

  /** Returns true if the field may be sent. Raises a prompt unless the answer is known. */
  ask(subject: Subject): boolean | Promise<boolean> {
    const known = this.known(subject);
    if (known !== undefined) return known;
    const key = this.#key(subject);
    if (this.#options.ask === undefined) return this.#fail(subject, key, 'is missing');
    let waiting = this.#waiting.get(key);
    if (waiting === undefined) {
      waiting = this.#prompt(subject).then((answer) => {
        // Both changes happen in one step: a call between them would ask a second time.
        if (answer === 'always' || answer === 'never') this.#remember(key, answer === 'always');
        this.#waiting.delete(key);
        return answer;
      });
      this.#waiting.set(key, waiting);
    }
    return waiting.then((answer) => (typeof answer === 'string' ? answer !== 'never' : this.#fail(subject, key, answer.why)));
  }

  /** Forgets what the user said about a server, or about all of them. */
  forget(matches: (principal: string, server: string) => boolean): void {
    for (const key of this.#remembered.keys()) {
      const [principal, server] = JSON.parse(key) as [string, string | number];
      if (typeof server === 'string' && matches(principal, server)) this.#remembered.delete(key);
    }
  }

  #prompt({ destination, field, precision, principal }: Subject): Promise<Consent | Failure> {
    const { ask, askTimeout, startTimer } = this.#options;
    const { connection, server } = destination;
    const reason = destination.isHome ? readWant(connection.extension, field, this.#options.onIssue) : undefined;
    const question: ConsentQuestion = {
      server,
      ...(destination.package !== undefined && { package: destination.package }),
      field,
      principal: principal ?? null,
      ...(precision !== undefined && { precision }),
      ...(reason !== undefined && { reason }),
    };
    return new Promise((resolve) => {
      const stop = startTimer(askTimeout, () => resolve({ why: `gave no answer within ${askTimeout} ms` }));
      const done = (answer: Consent | Failure): void => {
        stop();
        resolve(answer);
      };
      void andThenAsk(
        (): unknown => ask?.(question),
        (answer) => done(CONSENTS.has(answer) ? (answer as Consent) : { why: 'gave another answer' }),
        (error) => {
          connection.onFault(error);
          done({ why: 'failed, see onFault' });
        },
      );
    });
  }

  #fail({ destination: { connection }, field }: Subject, key: string, why: string): false {
    let refused = this.#refused.get(connection);
    if (refused === undefined) this.#refused.set(connection, (refused = new Set()));
    refused.add(key);
    if (!this.#told.has(connection)) {
      this.#told.add(connection);
      const problem = `${why}, so ${field} is not sent on this connection; write policy(rules, { ask }), where ask returns 'once', 'always' or 'never'`;
      this.#options.onIssue({ side: 'setup', concern: CONCERN_OF[field], key: 'policy.ask', problem });
    }
    return false;
  }

  #remember(key: string, granted: boolean): void {
    this.#remembered.set(key, granted);
    dropOldest(this.#remembered, MAX_REMEMBERED);
  }

  /** The number of the connection stands for a server without a name. */
  #key({ destination: { server, connection }, field, precision, principal }: Subject): string {
    return JSON.stringify([principal ?? NOBODY, server ?? this.#number(connection), field, precision ?? null]);
  }

  #number(connection: object): number {
    let number = this.#numbers.get(connection);
    if (number === undefined) this.#numbers.set(connection, (number = ++this.#last));
    return number;
  }
}
