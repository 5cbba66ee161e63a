import type { StartTimer } from '../../transport/index.js';
import type { Json } from '../../wire/json.js';
import { atOnce, andThen, andThenAsk } from '../../wire/maybe.js';
import type { StateDefinition, DefineStateOptions } from './define.js';
import { askGuard } from './replay.js';
import { complaint, type Verdict } from './schema.js';
import type { Unsealed } from './seal.js';

/** A checked value of a client for a defined name. */
export interface Found {
  readonly value: unknown;
  /** D-22: identifies the sealing. */
  readonly sequence?: string | undefined;
}

export interface ReadAbout {
  readonly name: string;
  readonly definition: StateDefinition;
  readonly options: DefineStateOptions;
  /** `undefined`: the principal is unknown, so no sealed value can be for it. */
  readonly principal: string | null | undefined;
  readonly slot: string;
  readonly startTimer: StartTimer;
  /** Reports a problem and returns nothing. `error`: the error of a function of the program, if there was one. */
  readonly complain: (problem: string, error?: unknown) => undefined;
}

type Later<T> = T | Promise<T>;

/**
 * STATE-43, D-22: unseals, validates and migrates a value. A value that fails counts as absent and is reported. Synchronous if seal and
 * schema are.
 */
export function readItem(raw: Json, about: ReadAbout): Later<Found | undefined> {
  return andThen(
    unsealed(raw, about),
    (found) => found && andThen(fitting(found.value as Json, about), (value) => value && { ...found, value: value.fits }),
  );
}

function unsealed(raw: Json, { name, definition, options, principal, slot, startTimer, complain }: ReadAbout): Later<Found | undefined> {
  const { seal, replayGuard, clock = Date.now } = options;
  if (seal === undefined || definition.sealed === false) return { value: raw };
  if (typeof raw !== 'string') {
    complain('is not sealed');
    return;
  }
  if (principal === undefined) return undefined;
  const { scope, maxAge } = definition;
  const opening = (opened: Unsealed): Later<Found | undefined> => {
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
    const found: Found = { value, sequence: opened.sequence };
    if (replayGuard === undefined) return found;
    return andThen(
      askGuard(() => replayGuard.isLive(slot, opened.sequence), 'isLive', startTimer),
      (answer) => {
        if (answer === true) return found;
        if (answer === false) complain('was replaced by a newer value');
        else complain('could not be checked: the replay guard failed', answer.fault);
        return undefined;
      },
    );
  };
  return andThenAsk(
    () => seal.unseal(raw, { principal, scope, name, now: clock() / 1000, maxAge }),
    opening,
    (error) => complain('could not be opened: the seal failed', error),
  );
}

/** Wrapped, because any value may fit. */
type Fits = { readonly fits: unknown } | undefined;

function fitting(value: Json, { definition: { schema, migrate }, complain }: ReadAbout): Later<Fits> {
  const failed = (error: unknown): undefined => complain('could not be checked: its schema failed', error);
  const judge = (judged: unknown, next: (verdict: Verdict<unknown>) => Later<Fits>): Later<Fits> =>
    andThenAsk(() => schema['~standard'].validate(judged), next, failed);
  return judge(value, (verdict) => {
    if (verdict.issues === undefined) return { fits: verdict.value };
    if (migrate === undefined) {
      complain(complaint(verdict.issues));
      return;
    }
    return andThenAsk(
      () => migrate(value),
      (migrated) =>
        judge(migrated, (second) =>
          second.issues === undefined ? { fits: second.value } : complain(`${complaint(second.issues)}, nor once migrated`),
        ),
      (error) => complain('could not be migrated', error),
    );
  });
}

/** D-08: merges several values that were written at the same time. */
export function mergeValues(values: readonly unknown[], { definition, complain }: ReadAbout): unknown {
  try {
    return atOnce(definition.merge?.(values), 'merge');
  } catch (error) {
    complain('could not be merged; the last to arrive counts', error);
    return values[values.length - 1];
  }
}
