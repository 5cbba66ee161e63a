import { checkMembers, expectFlag, expectFunction, expectMethods, type Check } from '../../wire/check.js';
import type { Json } from '../../wire/json.js';
import type { StateScope } from '../../wire/state.js';
import { contextOf } from '../context.js';
import type { ReplayGuard } from './replay.js';
import { isSchema, type InputOf, type OutputOf, type StandardSchema } from './schema.js';
import type { Seal } from './seal.js';

/** One name that a server keeps at its clients. */
export interface StateDefinition<S extends StandardSchema = StandardSchema> {
  readonly scope: StateScope;
  // STATE-43
  /** Values from a client are untrusted input: a value that does not fit counts as absent. */
  readonly schema: S;
  // D-08
  /**
   * Merges several values that were written at the same time, in arrival order; `null` among them is a deletion. The same values must give
   * the same result.
   */
  readonly merge?: (values: readonly (OutputOf<S> | null)[]) => OutputOf<S> | null;
  /** Converts a value of an earlier schema; the result must fit this schema. */
  readonly migrate?: (value: Json) => unknown;
  /** Seconds after which a sealed value is refused; at least 1. */
  readonly maxAge?: number;
  /** `false`: the client can read and change this one, although the others are sealed. */
  readonly sealed?: boolean;
}

/** The input for the function `principal`. */
export interface StateRequest {
  /** The transport's facts about the peer: `authInfo`, the HTTP request. */
  readonly extra: unknown;
  readonly authInfo: unknown;
}

export interface DefineStateOptions {
  /** `nodeSeal(…)` or `webSeal(…)`: clients can neither read nor change the values, nor pass them to another user. */
  readonly seal?: Seal;
  /**
   * Returns the user of this request at once: a text that is not empty, or `null` for no particular user. Anything else is a fault, and
   * sealed values stay closed. Without this function, and for `null`, a sealed value is a bearer value: everybody who has one may use it.
   */
  readonly principal?: (request: StateRequest) => string | null;
  // D-22
  /** Refuses older values that are still sealed and not expired. Only for server scope and names without `merge`. */
  readonly replayGuard?: ReplayGuard;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
}

type Schemas = Readonly<Record<string, StandardSchema>>;

export interface StateItem<Input, Output> {
  get(): Output | undefined;
  // D-24
  /** Returns false if the client of this request keeps no state. Throws a `TypeError` if the value does not fit the schema. */
  set(value: Input): boolean;
  delete(): boolean;
}

/** Names without a definition. A client may send anything: check a value before you use it. */
export interface PlainState {
  get(name: string): Json | undefined;
  set(name: string, value: Json): boolean;
  delete(name: string): boolean;
  names(): readonly string[];
}

/** The `state` of a handler. */
// eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- without definitions there are only the scopes
export type RequestState<D extends Schemas = Record<never, never>> = {
  readonly [Name in keyof D]: StateItem<InputOf<D[Name]>, OutputOf<D[Name]>>;
} & {
  // STATE-13
  /** True if the client of this request keeps state. */
  readonly available: boolean;
  readonly session: PlainState;
  readonly server: PlainState;
};

/**
 * Tells `contextOf` the types of a program's state:
 * `declare module 'waybill/server' { interface Register { state: typeof shop } }`.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- the program's to fill
export interface Register {}

export type RegisteredState = Register extends { readonly state: DefinedState<infer D> } ? RequestState<D> : RequestState;

/** The argument of `serverContext({ state })`. */
export interface StateSetup {
  readonly definitions: ReadonlyMap<string, StateDefinition>;
  readonly options: DefineStateOptions;
}

export interface DefinedState<D extends Schemas = Schemas> extends StateSetup {
  /** Returns `contextOf(ctx).state` with the types of these definitions. */
  of(ctx?: object): RequestState<D>;
}

/**
 * Defines the state that a server keeps at its clients: typed, validated, merged if calls run in parallel, sealed with the option `seal`.
 * Names without a definition are available as `state.session` and `state.server`.
 */
export function defineState<D extends Schemas>(
  definitions: { readonly [Name in keyof D]: StateDefinition<D[Name]> },
  options: DefineStateOptions = {},
): DefinedState<D> {
  checkMembers(options, OPTIONS, 'defineState', '');
  const { seal, replayGuard } = options;
  if (replayGuard !== undefined && seal === undefined) throw new TypeError('replayGuard: needs the option seal');
  const checked = new Map<string, StateDefinition>();
  for (const name of Object.keys(definitions)) {
    const definition = definitions[name] as unknown as StateDefinition;
    check(name, definition, options);
    checked.set(name, definition);
  }
  const of = (ctx?: object): RequestState<D> => {
    const { state } = contextOf(ctx);
    const missing = [...checked.keys()].find((name) => !Object.hasOwn(state, name));
    if (missing === undefined) return state as unknown as RequestState<D>;
    throw new TypeError(`of: this server was not given the state that defines ${missing}; pass it as serverContext({ state })`);
  };
  return { definitions: checked, options, of };
}

const OPTIONS: Readonly<Record<keyof DefineStateOptions, Check>> = {
  seal: expectMethods('the value that nodeSeal() or webSeal() returns', 'seal', 'unseal'),
  principal: expectFunction,
  replayGuard: expectMethods('a replay guard, such as memoryReplayGuard()', 'isLive', 'replace'),
  clock: expectFunction,
};
const TAKEN: ReadonlySet<string> = new Set(['session', 'server', 'available']);

function check(name: string, given: StateDefinition, { seal, replayGuard }: DefineStateOptions): void {
  if (TAKEN.has(name)) throw new TypeError(`${name}: is reserved by state; choose another name`);
  if (typeof given !== 'object' || (given as unknown) === null) throw new TypeError(`${name}: expected a definition`);
  const { scope, schema, merge, migrate, maxAge, sealed } = given;
  const seals = seal !== undefined && sealed !== false;
  if ((scope as string) !== 'session' && (scope as string) !== 'server')
    throw new TypeError(`${name}.scope: expected 'session' or 'server'`);
  if (!isSchema(schema)) throw new TypeError(`${name}.schema: expected a Standard Schema (zod, valibot, arktype, …)`);
  expectFunction(merge, `${name}.merge`);
  expectFunction(migrate, `${name}.migrate`);
  if (maxAge !== undefined) {
    if (!seals) throw new TypeError(`${name}.maxAge: needs the option seal: a client keeps an open value as long as it likes`);
    // Times are sealed in whole seconds: a shorter age would expire at once.
    if (!(Number.isFinite(maxAge) && maxAge >= 1)) throw new RangeError(`${name}.maxAge: expected a number of seconds, at least 1`);
  }
  expectFlag(sealed, `${name}.sealed`);
  if (sealed === true && seal === undefined) throw new TypeError(`${name}.sealed: needs the option seal`);
  if (replayGuard === undefined || !seals) return;
  if (scope !== 'server')
    throw new TypeError(`${name}.scope: expected 'server' with a replayGuard: a fork may continue with an older value`);
  if (merge !== undefined)
    throw new TypeError(`${name}.merge: cannot be used with a replayGuard, which cannot tell a concurrent value from an older one`);
}
