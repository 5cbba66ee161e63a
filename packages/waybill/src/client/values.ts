import type { JsonObject, Meta } from '../wire/json.js';
import type { Location, Precision } from '../wire/environment.js';
import type { TraceContext } from '../wire/trace.js';
import type { Call, Conversation } from './part.js';

/** A value, or a function that is asked for it on every request. */
export type Source<T> = T | ((call: Call) => T | Promise<T>);

/** A list of tags, best first; an `Accept-Language` text; `'auto'`: what the platform says; `null`: none (LANG-03). */
export type LanguageInput = string | readonly string[] | null | undefined;

export interface EnvironmentInput {
  /** IANA name, or `'auto'`: what the platform says. */
  readonly timezone?: string | null;
  readonly locale?: string | null;
  /** Never sent unless it stands here (house rule 9). */
  readonly location?: (Location & { readonly precision: Precision }) | null;
}

/** `'start'`: each call begins a trace of its own; a `traceparent` or a whole trace: each call is a span in it. */
export type TraceInput = 'start' | string | TraceContext | null | undefined;

/** What applies to a call. The nearest of `with()`, `run()`, `update()` and the options decides; `null` means: nothing of it. */
export interface Values {
  readonly language?: Source<LanguageInput>;
  readonly environment?: Source<EnvironmentInput | null | undefined>;
  readonly trace?: Source<TraceInput>;
  /** What a request declares instead of the capabilities the client was built with. */
  readonly capabilities?: Source<JsonObject | null | undefined>;
  /** Keys of the application's own on every request (SEP-414). */
  readonly meta?: Source<Meta | null | undefined> | { readonly [key: string]: unknown };
  readonly principal?: string;
  readonly conversation?: Conversation;
}
