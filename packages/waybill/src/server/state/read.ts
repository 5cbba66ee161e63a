import type { Json } from '../../wire/json.js';
import { atOnce, andThen, andThenAsk } from '../../wire/maybe.js';
import { sealAbout, type ItemAbout, type Later } from './item.js';
import { askGuard } from './askGuard.js';
import { schemaProblem, type Verdict } from './schema.js';
import type { Unsealed } from './seal.js';

/** A checked value of a client for a defined name. */
export interface CheckedValue {
  readonly value: unknown;
  /** D-22: identifies the sealing. */
  readonly sequence?: string | undefined;
}

/**
 * STATE-43, D-22: unseals, validates and migrates a value. A value that fails counts as absent and is reported. Synchronous if seal and
 * schema are.
 */
export function readItem(raw: Json, about: ItemAbout): Later<CheckedValue | undefined> {
  return andThen(
    unsealed(raw, about),
    (found) => found && andThen(fitting(found.value as Json, about), (value) => value && { ...found, value: value.fits }),
  );
}

function unsealed(raw: Json, about: ItemAbout): Later<CheckedValue | undefined> {
  const { definition, options, complain } = about;
  const { seal } = options;
  if (seal === undefined || definition.sealed === false) return { value: raw };
  if (typeof raw !== 'string') {
    complain('is not sealed');
    return undefined;
  }
  const principal = about.principal();
  if (principal === undefined) return undefined;
  const opening = (opened: Unsealed): Later<CheckedValue | undefined> => {
    if ('problem' in opened) {
      complain(opened.problem);
      return undefined;
    }
    const { text, sequence } = opened;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      complain('was sealed, but is not JSON');
      return undefined;
    }
    const isLive = askGuard(about, principal, 'isLive', (guard, slot) => guard.isLive(slot, sequence), {
      refused: 'was replaced by a newer value',
      failed: 'could not be checked: the replay guard failed',
    });
    return andThen(isLive, (live) => (live ? { value, sequence } : undefined));
  };
  return andThenAsk(
    () => seal.unseal(raw, sealAbout(about, principal)),
    opening,
    (error) => complain('could not be opened: the seal failed', error),
  );
}

/** Wrapped, because any value may fit. */
type Fits = { readonly fits: unknown } | undefined;

function fitting(value: Json, { definition: { schema, migrate }, complain }: ItemAbout): Later<Fits> {
  const failed = (error: unknown): undefined => complain('could not be checked: its schema failed', error);
  const judge = (judged: unknown, next: (verdict: Verdict<unknown>) => Later<Fits>): Later<Fits> =>
    andThenAsk(() => schema['~standard'].validate(judged), next, failed);
  return judge(value, (verdict) => {
    if (verdict.issues === undefined) return { fits: verdict.value };
    if (migrate === undefined) {
      complain(schemaProblem(verdict.issues));
      return undefined;
    }
    return andThenAsk(
      () => migrate(value),
      (migrated) =>
        judge(migrated, (second) =>
          second.issues === undefined ? { fits: second.value } : complain(`${schemaProblem(second.issues)}, nor once migrated`),
        ),
      (error) => complain('could not be migrated', error),
    );
  });
}

/** D-08: merges several values that were written at the same time. */
export function mergeValues(values: readonly unknown[], { definition, complain }: ItemAbout): unknown {
  try {
    return atOnce(definition.merge?.(values), 'merge');
  } catch (error) {
    complain('could not be merged; the last to arrive counts', error);
    return values[values.length - 1];
  }
}
