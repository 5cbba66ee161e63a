import { checkMembers, expectFunction, expectMethods, type Check } from '../../wire/check.js';
import type { Json } from '../../wire/json.js';
import type { StateScope } from '../../wire/state.js';
import { contextOf } from '../context.js';
import type { ReplayGuard } from './replay.js';
import { isSchema, type InputOf, type OutputOf, type StandardSchema } from './schema.js';
import type { Seal } from './seal.js';

/** One name that a server keeps at its clients. */
export interface StateDefinition<S extends StandardSchema = StandardSchema> {
  readonly scope: StateScope;
  /** What comes back from a client is untrusted input (STATE-43): it has to fit, or it is not there. */
  readonly schema: S;
  /** D-08: one value out of several that were written at the same time, in arrival order; `null` among them is a deletion. Same values, same result. */
  readonly merge?: (values: readonly (OutputOf<S> | null)[]) => OutputOf<S> | null;
  /** Makes a value of an earlier schema one of this; what it gives has to fit. */
  readonly migrate?: (value: Json) => unknown;
  /** Seconds after which a sealed value is no longer taken; at least 1. */
  readonly maxAge?: number;
  /** `false`: this one stays open, for the client to read and to change, where the others are sealed. */
  readonly sealed?: boolean;
}

/** What the author's function finds the user in. */
export interface StateRequest {
  /** What the transport says of the peer: `authInfo`, the HTTP request. */
  readonly extra: unknown;
  readonly authInfo: unknown;
}

export interface StateOptions {
  /** `nodeSeal(…)` or `webSeal(…)`: clients can neither read nor change what is set, nor give it to somebody else. */
  readonly seal?: Seal;
  /**
   * Says, at once, whose request this is: a text that is not empty, or `null` for nobody in particular. Anything else is a fault, and
   * sealed values stay closed. Without this function, and for `null`, a sealed value is a bearer value: whoever has one may use it.
   */
  readonly principal?: (request: StateRequest) => string | null;
  /** D-22: refuses older values that are still sealed and not expired. For server scope and names without `merge` only. */
  readonly replayGuard?: ReplayGuard;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
}

type Schemas = Readonly<Record<string, StandardSchema>>;

export interface StateItem<Input, Output> {
  get(): Output | undefined;
  /** False where the client of this request keeps no state (D-24). Throws a `TypeError` for what does not fit the schema. */
  set(value: Input): boolean;
  delete(): boolean;
}

/** Names without a definition. Whatever a client sends, it sends: check it before you use it. */
export interface PlainState {
  get(name: string): Json | undefined;
  set(name: string, value: Json): boolean;
  delete(name: string): boolean;
  names(): readonly string[];
}

/** What a handler finds under `state`. */
// eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- without definitions there are only the scopes
export type RequestState<D extends Schemas = Record<never, never>> = {
  readonly [Name in keyof D]: StateItem<InputOf<D[Name]>, OutputOf<D[Name]>>;
} & {
  /** Whether the client of this request keeps what is set (STATE-13). */
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

/** For `serverContext({ state })`. */
export interface StateSetup {
  readonly definitions: ReadonlyMap<string, StateDefinition>;
  readonly options: StateOptions;
}

export interface DefinedState<D extends Schemas = Schemas> extends StateSetup {
  /** `contextOf(ctx).state` with the types of these definitions. */
  of(ctx?: object): RequestState<D>;
}

/**
 * What a server keeps at its clients: typed, validated, merged where calls run in parallel, sealed where `seal` is given. Names without a
 * definition are at hand as well, through `state.session` and `state.server`.
 */
export function defineState<D extends Schemas>(
  definitions: { readonly [Name in keyof D]: StateDefinition<D[Name]> },
  options: StateOptions = {},
): DefinedState<D> {
  checkMembers(options, OPTIONS, 'defineState', '');
  const { seal, replayGuard } = options;
  if (replayGuard !== undefined && seal === undefined) throw new TypeError('replayGuard: needs seal');
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
    throw new TypeError(`of: the server was not given this state, which defines ${missing}; write serverContext({ state }) with it`);
  };
  return { definitions: checked, options, of };
}

const OPTIONS: Readonly<Record<keyof StateOptions, Check>> = {
  seal: expectMethods('what nodeSeal() or webSeal() gives', 'unseal'),
  principal: expectFunction,
  // The guard is judged where it is used.
  replayGuard: () => undefined,
  clock: expectFunction,
};
const TAKEN: ReadonlySet<string> = new Set(['session', 'server', 'available']);

function check(name: string, given: StateDefinition, { seal, replayGuard }: StateOptions): void {
  if (TAKEN.has(name)) throw new TypeError(`${name}: is a name that state needs itself`);
  if (typeof given !== 'object' || (given as unknown) === null) throw new TypeError(`${name}: expected a definition`);
  const { scope, schema, merge, migrate, maxAge, sealed } = given;
  const seals = seal !== undefined && sealed !== false;
  if ((scope as string) !== 'session' && (scope as string) !== 'server')
    throw new TypeError(`${name}.scope: expected 'session' or 'server'`);
  if (!isSchema(schema)) throw new TypeError(`${name}.schema: expected a Standard Schema (zod, valibot, arktype, …)`);
  if (merge !== undefined && typeof merge !== 'function') throw new TypeError(`${name}.merge: expected a function`);
  if (migrate !== undefined && typeof migrate !== 'function') throw new TypeError(`${name}.migrate: expected a function`);
  if (maxAge !== undefined) {
    if (!seals) throw new TypeError(`${name}.maxAge: needs seal, since a client keeps an open value for as long as it likes`);
    // Times are sealed in whole seconds: a shorter value has expired when it is made.
    if (!(Number.isFinite(maxAge) && maxAge >= 1)) throw new RangeError(`${name}.maxAge: expected a number of seconds, at least 1`);
  }
  if (sealed !== undefined && typeof sealed !== 'boolean') throw new TypeError(`${name}.sealed: expected true or false`);
  if (sealed === true && seal === undefined) throw new TypeError(`${name}.sealed: needs seal`);
  if (replayGuard === undefined || !seals) return;
  if (scope !== 'server') throw new TypeError(`${name}.scope: replayGuard is for server scope only: a fork may go on from an older value`);
  if (merge !== undefined) throw new TypeError(`${name}.merge: replayGuard cannot tell a concurrent value from an older one`);
}
