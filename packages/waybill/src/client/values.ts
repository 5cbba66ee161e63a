import type { Issue, Report } from '../wire/issue.js';
import { isObject, type JsonObject } from '../wire/json.js';
import { andThen, andThenAll, andThenAsk, type Maybe } from '../wire/maybe.js';
import type { Location, Precision } from '../wire/environment.js';
import type { TraceContext } from '../wire/trace.js';
import type { ConcernName } from '../wire/concern.js';
import type { CallAbout, Conversation } from './part.js';

/** A value, or a function that is asked for it on every request. */
export type Source<T> = T | ((about: CallAbout) => Maybe<T>);

/** A list of tags, best first; an `Accept-Language` text; `'auto'`: the languages of the platform; `null`: no preference. */
export type LanguageInput = string | readonly string[] | null | undefined;

/**
 * A location, and how precisely it may be sent. Without a precision all of it is sent, coordinates with two decimals. A precision alone
 * sends no location; it allows a caller to write one of that precision into `_meta`.
 */
export type LocationInput = (Location & { readonly precision?: Precision }) | null | undefined;

/**
 * Each member is separate: `'auto'` takes the value of the platform, `null` sends nothing. A member that is not set is `'auto'`, but the
 * location is never sent unless it is set.
 */
export interface EnvironmentInput {
  readonly timezone?: Source<string | null | undefined>;
  readonly locale?: Source<string | null | undefined>;
  /** An RFC 3339 timestamp instead of the clock. */
  readonly now?: Source<string | null | undefined>;
  readonly location?: Source<LocationInput>;
}

/**
 * A `traceparent` or a whole trace: each call is a span in it. `'start'`: each call begins a trace of its own. `null`: no trace. If it is
 * not given, the trace comes from `telemetry`; without telemetry none is sent.
 */
export type TraceInput = string | TraceContext | null | undefined;

/**
 * The values that apply to a call. The nearest of `with()`, `run()`, `attach()`, `update()` and the options decides; `null` sends nothing.
 */
export interface CallValues {
  /** Tags, best first; an `Accept-Language` text; or `'auto'` for those of this machine. */
  readonly language?: Source<LanguageInput>;
  /** Zone, locale, clock and place. Zone, locale and clock are this machine's unless given; a place is sent only if given. */
  readonly environment?: EnvironmentInput | null;
  /** `'start'` begins a trace for each call; or a `traceparent`, or an object with all three members. */
  readonly trace?: Source<TraceInput>;
  /** The capabilities that a request declares instead of those that the client was built with. */
  readonly capabilities?: Source<JsonObject | null | undefined>;
  /** Your own `_meta` keys on every request: values, or functions that return them. */
  readonly meta?: Readonly<Record<string, unknown>> | null;
  /** The user whose calls these are: a text that is not empty, or `null` for no particular user. */
  readonly principal?: string | null;
  /** The conversation whose session state goes along: from `jar.begin()` or `jar.resume(id)`. */
  readonly conversation?: Conversation;
}

/** Stands for no particular user in stores. */
export const NOBODY = '';

/** Joins environment and own keys member by member. For everything else the nearer value replaces the other. */
export function joinValues(base: CallValues, over: CallValues): CallValues {
  const joined: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(over)) {
    if (value === undefined) continue;
    const below = joined[name];
    joined[name] = JOINED.has(name) && isObject(below) && isObject(value) ? { ...below, ...value } : value;
  }
  return joined;
}

const JOINED: ReadonlySet<string> = new Set(['environment', 'meta']);

/** Computes something once for each object (values, a connection). Calls usually ask for the last object again. */
export function perObject<K extends object, T>(work: (key: K) => T): (key: K) => T {
  const known = new WeakMap<K, { readonly made: T }>();
  let last: K | undefined;
  let lastMade: T;
  return (key) => {
    if (key === last) return lastMade;
    let entry = known.get(key);
    if (entry === undefined) known.set(key, (entry = { made: work(key) }));
    last = key;
    return (lastMade = entry.made);
  };
}

/** Calls a function among the values. If it throws, that is reported and counts as no value. */
export function ask<T>(
  source: (about: CallAbout) => Maybe<T>,
  about: CallAbout,
  concern: ConcernName | 'meta',
  key: string,
): T | undefined | Promise<T | undefined> {
  const failed = (error: unknown): undefined => {
    about.connection.onIssue({ concern, key, problem: 'is missing: the function that returns it threw, see onFault' });
    about.connection.onFault(error);
    return undefined;
  };
  return andThenAsk<T, T | undefined>(
    () => source(about),
    (value) => value,
    failed,
  );
}

/** Returns the first problem that writing a value reports, for checks of options. */
export function firstProblem(write: (report: Report) => unknown): Issue | undefined {
  const issues: Issue[] = [];
  write((issue) => issues.push(issue));
  return issues[0];
}

type SourceFunction = readonly [name: string, source: (about: CallAbout) => unknown];

/** The members of an object of values: plain ones, and functions that are asked on every call. */
interface Sources {
  readonly fixed: Readonly<Record<string, unknown>>;
  readonly functions: readonly SourceFunction[];
}

export function sourcesIn(input: object): Sources {
  const set = Object.entries(input).filter(([, value]) => value !== undefined);
  const isFunction = (entry: [string, unknown]): boolean => typeof entry[1] === 'function';
  return { fixed: Object.fromEntries(set.filter((entry) => !isFunction(entry))), functions: set.filter(isFunction) as SourceFunction[] };
}

/** Calls each function. Most objects have none, and then nothing has to wait. */
export function askEach(
  functions: readonly SourceFunction[],
  about: CallAbout,
  concern: ConcernName | 'meta',
  prefix = '',
): Record<string, unknown> | Promise<Record<string, unknown>> {
  const values = functions.map(([name, source]) => andThen(ask(source, about, concern, prefix + name), (value) => [name, value] as const));
  return andThenAll(values, (found) => Object.fromEntries(found.filter(([, value]) => value !== undefined)));
}
