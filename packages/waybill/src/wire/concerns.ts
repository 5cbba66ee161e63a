import { capabilities } from './capabilities.js';
import type { ConcernName, Facet, WireOptions } from './concern.js';
import { environment } from './environment.js';
import { language } from './language.js';
import { state } from './state.js';
import { trace } from './trace.js';

/** The five as one list. Reading, writing and stripping go through it. */
export const concerns = { language, environment, state, trace, capabilities } as const;

export const concernNames = Object.keys(concerns) as readonly ConcernName[];

export type MessageKind = 'request' | 'result' | 'error' | 'notification';

type Kinds = typeof concerns;
type FacetIn<Name extends ConcernName, Kind extends MessageKind> = Kinds[Name] extends Record<Kind, infer F> ? F : never;
type NamesIn<Kind extends MessageKind> = { [Name in ConcernName]: FacetIn<Name, Kind> extends never ? never : Name }[ConcernName];

/** The values of a message of one kind, by concern. Every member is optional. */
export type ContextValues<Kind extends MessageKind> = {
  readonly [Name in NamesIn<Kind>]?: (FacetIn<Name, Kind> extends { read(...rest: never): infer T } ? T : never) | undefined;
};

/** The values a program may give for writing: also simpler forms, such as a language as text or as a list of tags. */
export type GivenValues<Kind extends MessageKind> = {
  readonly [Name in NamesIn<Kind>]?:
    (FacetIn<Name, Kind> extends { write(value: infer T, ...rest: never): unknown } ? T : never) | undefined;
};

/** Returns the facet of a concern for one kind of message; undefined if such messages do not carry it. */
export function facetOf(name: ConcernName, kind: MessageKind): Facet<unknown> | undefined {
  return (concerns[name] as unknown as Partial<Record<MessageKind, Facet<unknown>>>)[kind];
}

/** Every `_meta` key of the named concerns, in every spelling. */
export function keysOf(names: readonly ConcernName[], options: WireOptions = {}): ReadonlySet<string> {
  return new Set(names.flatMap((name) => concerns[name].keys(options)));
}
