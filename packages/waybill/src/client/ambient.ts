import { findStorage, type AsyncStorage } from '../transport/storage.js';
import type { Meta } from '../wire/json.js';
import { joinValues, type CallValues } from './values.js';

/** Rides in a caller's `_meta` as a symbol: both SDKs carry it to the transport, and no JSON ever contains it. */
const CARRIED = Symbol('waybill.with');

interface Carried {
  readonly owner: Ambient;
  readonly values: CallValues;
}

/**
 * Which values apply right now: what was configured, under `run()` what it was given, and for a single call what `with()` put into its
 * `_meta`. The storage that `run()` needs slows every promise of the process on Node 20 and 22, so it is made by the first `run()`.
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

  /** A `_meta` that takes its call into these values. */
  carry(values: CallValues): Meta {
    const carried: Carried = { owner: this, values };
    return { [CARRIED]: carried };
  }

  /** The values for a request with this `_meta`, or for whatever runs now; those of its connection are nearer than what was configured. */
  at(meta?: Meta, connections?: CallValues): CallValues {
    const ambient = this.#storage?.getStore() as CallValues | undefined;
    const base = connections === undefined ? this.#base : this.#over(this.#base, connections);
    const values = ambient === undefined ? base : this.#over(base, ambient);
    const carried = meta === undefined ? undefined : carriedIn(meta);
    return carried?.owner === this ? this.#over(values, carried.values) : values;
  }

  /** Joined once for each pair, so that the same values are the same object from call to call. */
  #over(base: CallValues, over: CallValues): CallValues {
    let joined = this.#joined.get(base);
    if (joined === undefined) this.#joined.set(base, (joined = new WeakMap()));
    let values = joined.get(over);
    if (values === undefined) joined.set(over, (values = joinValues(base, over)));
    return values;
  }
}

function carriedIn(meta: Meta): Carried | undefined {
  return (meta as { [CARRIED]?: Carried })[CARRIED];
}

/** The same `_meta` without what `with()` put there: an in-memory server must not see it either. */
export function withoutCarried(meta: Meta): Meta {
  return carriedIn(meta) === undefined ? meta : Object.fromEntries<unknown>(Object.entries(meta));
}

function openStorage(): AsyncStorage {
  const storage = findStorage();
  if (storage !== undefined) return storage;
  throw new TypeError('storage: expected an AsyncLocalStorage, which run() needs and this runtime does not offer; with() needs none');
}
