import type { Json } from '../../wire/json.js';
import type { StateDefinition, StateOptions } from './define.js';
import { complaint, type Verdict } from './schema.js';

/** What a client sent for a defined name, once it is known what it is worth. */
export interface Found {
  readonly value: unknown;
  /** D-22: which sealing it was. */
  readonly sequence?: string | undefined;
}

export interface ReadAbout {
  readonly name: string;
  readonly definition: StateDefinition;
  readonly options: StateOptions;
  /** `undefined`: it could not be told, so nothing sealed can be for it. */
  readonly principal: string | null | undefined;
  readonly slot: string;
  /** Gives what there is then: nothing. `error`: what a function of somebody else's threw, if that was it. */
  readonly complain: (problem: string, error?: unknown) => undefined;
}

type Maybe<T> = T | Promise<T>;

/** STATE-43, D-22: unsealed, validated, migrated; what fails is not there, and is reported. At once where the seal and the schema are. */
export function readItem(raw: Json, about: ReadAbout): Maybe<Found | undefined> {
  return onward(
    unsealed(raw, about),
    (found) => found && onward(fitting(found.value as Json, about), (value) => value && { ...found, value: value.fits }),
  );
}

function unsealed(raw: Json, { name, definition, options, principal, slot, complain }: ReadAbout): Maybe<Found | undefined> {
  const { seal, replayGuard, clock = Date.now } = options;
  if (seal === undefined || definition.sealed === false) return { value: raw };
  if (typeof raw !== 'string') {
    complain('is not sealed');
    return;
  }
  if (principal === undefined) return undefined;
  const about = { principal, scope: definition.scope, name, now: clock() / 1000, maxAge: definition.maxAge };
  return onward(seal.unseal(raw, about), (opened) => {
    if ('problem' in opened) {
      complain(opened.problem);
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(opened.text);
    } catch {
      complain('was sealed, but is not JSON');
      return;
    }
    const { sequence } = opened;
    if (replayGuard === undefined) return { value, sequence };
    return settled(
      () => replayGuard.isLive(slot, sequence),
      (error) => complain('could not be checked: the replay guard failed', error),
      (live) => (live ? { value, sequence } : complain('was replaced by a newer value')),
    );
  });
}

/** Wrapped, since any value may fit. */
type Fits = { readonly fits: unknown } | undefined;

function fitting(value: Json, { definition: { schema, migrate }, complain }: ReadAbout): Maybe<Fits> {
  const failed = (error: unknown): undefined => complain('could not be checked: its schema failed', error);
  const judge = (judged: unknown, next: (verdict: Verdict<unknown>) => Maybe<Fits>): Maybe<Fits> =>
    settled(() => schema['~standard'].validate(judged), failed, next);
  return judge(value, (verdict) => {
    if (verdict.issues === undefined) return { fits: verdict.value };
    if (migrate === undefined) {
      complain(complaint(verdict.issues));
      return;
    }
    let migrated: unknown;
    try {
      migrated = migrate(value);
    } catch (error) {
      complain('could not be migrated', error);
      return;
    }
    return judge(migrated, (second) =>
      second.issues === undefined ? { fits: second.value } : complain(`${complaint(second.issues)}, nor once migrated`),
    );
  });
}

/** D-08: what stands for several values that were written at the same time. */
export function mergeValues(values: readonly unknown[], { definition, complain }: ReadAbout): unknown {
  try {
    return definition.merge?.(values);
  } catch (error) {
    complain('could not be merged; the last to arrive stands', error);
    return values[values.length - 1];
  }
}

export function onward<T, R>(value: Maybe<T>, next: (value: T) => Maybe<R>): Maybe<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** All of them at once, or when the last is there. */
export function together<T, R>(values: readonly Maybe<T>[], next: (values: readonly T[]) => Maybe<R>): Maybe<R> {
  if (!values.some((value) => value instanceof Promise)) return next(values as readonly T[]);
  return Promise.all(values.map((value) => Promise.resolve(value))).then(next);
}

/** Goes on with what somebody else's function gives, at once or later; or with what stands for its failure. */
export function settled<T, R>(ask: () => Maybe<T>, failed: (error: unknown) => R, next: (value: T) => Maybe<R>): Maybe<R> {
  let value: Maybe<T>;
  try {
    value = ask();
  } catch (error) {
    return failed(error);
  }
  return value instanceof Promise ? value.then(next, failed) : next(value);
}
