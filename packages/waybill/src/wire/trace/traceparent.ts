/** The `traceparent` value of W3C Trace Context level 2: version, trace id, parent id and flags in fixed places (TRACE-09). */

declare const checked: unique symbol;
/** 32 lower-case hex digits, not all zero. Parsing or `isTraceId` makes one, so that writing it needs no second look. */
export type TraceId = string & { readonly [checked]: 'trace' };
/** 16 lower-case hex digits, not all zero. */
export type ParentId = string & { readonly [checked]: 'parent' };

export interface Traceparent {
  readonly version: number;
  readonly traceId: TraceId;
  /** The span that sent the message. */
  readonly parentId: ParentId;
  /** The whole byte as it came; mask it with `SAMPLED` and `RANDOM`. */
  readonly flags: number;
}

/** The sender may have recorded the trace. */
export const SAMPLED = 1;
/** Level 2: the last seven bytes of the trace id are random. */
export const RANDOM = 2;

/** Digit by digit: an expression that counts takes three times as long, and every call brings a parent. */
const hex = (digits: number): string => '[0-9a-f]'.repeat(digits);
const id = (digits: number): string => `(?!${'0'.repeat(digits)})${hex(digits)}`;
const [TRACE_ID, PARENT_ID] = [id(32), id(16)];
const FIELDS = `(?!ff)${hex(2)}-${TRACE_ID}-${PARENT_ID}-${hex(2)}`;
/** Version 00 is exactly this. */
const TRACEPARENT = new RegExp(`^${FIELDS}$`);
/** A later version may add fields behind a dash; nothing is assumed about them but that a header could carry them. */
const LATER = new RegExp(`^(?!00)${FIELDS}-[!-~]*$`);
/** Not endless: what a level that does not exist yet may add. */
const MAX_LENGTH = 512;
const WHOLE_TRACE_ID = new RegExp(`^${TRACE_ID}$`);
const WHOLE_PARENT_ID = new RegExp(`^${PARENT_ID}$`);

export function parseTraceparent(text: string): Traceparent | undefined {
  if (!isTraceparent(text)) return undefined;
  const [version, flags] = [Number.parseInt(text.slice(0, 2), 16), Number.parseInt(text.slice(53, 55), 16)];
  return { version, traceId: text.slice(3, 35) as TraceId, parentId: text.slice(36, 52) as ParentId, flags };
}

/** The same without taking it apart, for a hop that only hands the text on. */
export function isTraceparent(text: string): boolean {
  return TRACEPARENT.test(text) || (text.length <= MAX_LENGTH && LATER.test(text));
}

/** In the one version we know: a later one is downgraded, as level 2 demands, and flags it does not define go out as zero. */
export function formatTraceparent({ traceId, parentId, flags }: Omit<Traceparent, 'version'>): string {
  return `00-${traceId}-${parentId}-0${flags & (SAMPLED | RANDOM)}`;
}

export function isTraceId(text: string): text is TraceId {
  return WHOLE_TRACE_ID.test(text);
}

export function isParentId(text: string): text is ParentId {
  return WHOLE_PARENT_ID.test(text);
}
