import type { StartTimer } from '../../transport/index.js';
import type { Report } from '../../wire/issue.js';
import type { Precision } from '../../wire/environment.js';
import { andThenAsk, type Maybe } from '../../wire/maybe.js';
import type { ConcernName } from '../../wire/concern.js';
import { readWant, type PolicyField } from '../../wire/policy.js';
import type { Place } from './places.js';

/** `once`: for the calls that wait. `always` and `never`: until the program ends, or the ledger of the server is cleared. */
export type Consent = 'once' | 'always' | 'never';

/** One question to the user. */
export interface ConsentQuestion {
  /** The server, as the ledger names it; `undefined` if it has no identity. */
  readonly server: string | undefined;
  readonly field: PolicyField;
  /** How exactly a place would be told. */
  readonly precision?: Precision;
  /** Whose data it is; `null`: nobody in particular. */
  readonly principal: string | null;
  /**
   * Why the server wants it, in the server's own words: one line of at most 200 characters. Show it as a quotation of the server. It is
   * untrusted text.
   */
  readonly reason?: string;
}

export type Ask = (question: ConsentQuestion) => Maybe<Consent>;

interface PromptOptions {
  readonly ask: Ask | undefined;
  /** Milliseconds after which no answer is a no. */
  readonly askTimeout: number;
  readonly startTimer: StartTimer;
  readonly onIssue: Report;
}

/** One thing that the user may be asked about. */
export interface Subject {
  readonly place: Place;
  readonly field: PolicyField;
  readonly precision: Precision | undefined;
  readonly principal: string | undefined;
}

const MAX_REMEMBERED = 4096;
const CONSENTS: ReadonlySet<unknown> = new Set<Consent>(['once', 'always', 'never']);

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

/** D-20: one prompt for each server, field and precision, however many calls wait. Anything but an answer is a no for that connection. */
export class Prompts {
  readonly #options: PromptOptions;
  readonly #remembered = new Map<string, boolean>();
  readonly #waiting = new Map<string, Promise<Consent | undefined>>();
  readonly #refused = new WeakMap<object, Set<string>>();
  readonly #numbers = new WeakMap<object, number>();
  readonly #told = new WeakSet();
  #last = 0;

  constructor(options: PromptOptions) {
    this.#options = options;
  }

  /** Returns the answer if it is known without asking. */
  known(subject: Subject): boolean | undefined {
    const key = this.#key(subject);
    const kept = this.#remembered.get(key);
    return kept ?? (this.#refused.get(subject.place.connection)?.has(key) === true ? false : undefined);
  }

  /** Tells whether the field may be sent. */
  ask(subject: Subject): boolean | Promise<boolean> {
    const known = this.known(subject);
    if (known !== undefined) return known;
    const key = this.#key(subject);
    if (this.#options.ask === undefined) return this.#fail(subject, key, 'is missing');
    let waiting = this.#waiting.get(key);
    if (waiting === undefined) {
      waiting = this.#prompt(subject).then((answer) => {
        // In one step: a call in between would ask a second time.
        if (answer === 'always' || answer === 'never') this.#remember(key, answer === 'always');
        this.#waiting.delete(key);
        return answer;
      });
      this.#waiting.set(key, waiting);
    }
    return waiting.then((answer) => {
      if (answer === undefined) return this.#fail(subject, key, 'gave no answer in time, or none of once, always and never');
      return answer !== 'never';
    });
  }

  /** Forgets what the user said about a server, or about all of them. */
  forget(matches: (principal: string, server: string) => boolean): void {
    for (const key of this.#remembered.keys()) {
      const [principal, server] = JSON.parse(key) as [string, string | number];
      if (typeof server === 'string' && matches(principal, server)) this.#remembered.delete(key);
    }
  }

  #prompt({ place, field, precision, principal }: Subject): Promise<Consent | undefined> {
    const { ask, askTimeout, startTimer } = this.#options;
    const { connection, server } = place;
    const reason = place.isHome ? readWant(connection.extension, field, this.#options.onIssue) : undefined;
    const question: ConsentQuestion = {
      server,
      field,
      principal: principal ?? null,
      ...(precision !== undefined && { precision }),
      ...(reason !== undefined && { reason }),
    };
    return new Promise((resolve) => {
      const stop = startTimer(askTimeout, () => resolve(undefined));
      const done = (answer: unknown): void => {
        stop();
        resolve(CONSENTS.has(answer) ? (answer as Consent) : undefined);
      };
      void andThenAsk(
        (): unknown => ask?.(question),
        done,
        (error) => {
          connection.onFault(error);
          done(undefined);
        },
      );
    });
  }

  #fail({ place: { connection }, field }: Subject, key: string, why: string): false {
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
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > MAX_REMEMBERED && oldest !== undefined) this.#remembered.delete(oldest);
  }

  /** A server without a name is its connection. */
  #key({ place: { server, connection }, field, precision, principal }: Subject): string {
    return JSON.stringify([principal ?? '', server ?? this.#number(connection), field, precision ?? null]);
  }

  #number(connection: object): number {
    let number = this.#numbers.get(connection);
    if (number === undefined) this.#numbers.set(connection, (number = ++this.#last));
    return number;
  }
}
