import { findStorage, type AsyncStorage } from '../transport/runtime.js';
import type { Meta } from '../wire/json.js';
import { joinValues, type CallValues } from './values.js';

/** A symbol in a caller's `_meta`. Both SDKs carry it to the transport, and JSON cannot contain it. */
const CARRIED = Symbol('waybill.with');

interface GivenByWith {
  readonly owner: Ambient;
  readonly values: CallValues;
}

/**
 * Finds the values that apply to a call: the configured ones, then those of `run()`, then those that `with()` put into its `_meta`. The
 * storage that `run()` needs slows every promise of the process on Node 20 and 22, so the first `run()` makes it.
 */
export class Ambient {
  #base: CallValues;
  #storage: AsyncStorage | undefined;
  readonly #make: () => AsyncStorage;
  readonly #joined = new WeakMap<CallValues, WeakMap<CallValues, CallValues>>();

  constructor(base: CallValues, make: () => AsyncStorage = openStorage) {
    this.#base = base;
    this.#make = make;
  }

  get base(): CallValues {
    return this.#base;
  }

  update(values: CallValues): void {
    this.#base = joinValues(this.#base, values);
  }

  run<R>(values: CallValues, fn: () => R): R {
    this.#storage ??= this.#make();
    const outer = this.#storage.getStore() as CallValues | undefined;
    return this.#storage.run(outer === undefined ? values : joinValues(outer, values), fn);
  }

  /** Returns a `_meta` that gives its call these values. */
  carry(values: CallValues): Meta {
    const carried: GivenByWith = { owner: this, values };
    return { [CARRIED]: carried };
  }

  /**
   * Returns the values for a request with this `_meta`, or for the code that runs now. Values of the connection beat the configured ones.
   */
  at(meta?: Meta, connections?: CallValues): CallValues {
    const ambient = this.#storage?.getStore() as CallValues | undefined;
    const base = connections === undefined ? this.#base : this.#over(this.#base, connections);
    const values = ambient === undefined ? base : this.#over(base, ambient);
    const carried = meta === undefined ? undefined : carriedIn(meta);
    return carried?.owner === this ? this.#over(values, carried.values) : values;
  }

  /** Joins each pair once, so that the same values stay the same object from call to call. */
  #over(base: CallValues, over: CallValues): CallValues {
    let joined = this.#joined.get(base);
    if (joined === undefined) this.#joined.set(base, (joined = new WeakMap()));
    let values = joined.get(over);
    if (values === undefined) joined.set(over, (values = joinValues(base, over)));
    return values;
  }
}

function carriedIn(meta: Meta): GivenByWith | undefined {
  return (meta as { [CARRIED]?: GivenByWith })[CARRIED];
}

/** Removes what `with()` put into a `_meta`: a server in the same process must not see it either. */
export function withoutCarried(meta: Meta): Meta {
  return carriedIn(meta) === undefined ? meta : Object.fromEntries<unknown>(Object.entries(meta));
}

function openStorage(): AsyncStorage {
  const storage = findStorage();
  if (storage !== undefined) return storage;
  throw new TypeError(
    'storage: expected an AsyncLocalStorage. run() needs one and this runtime has none; use with(), or pass the option storage',
  );
}
