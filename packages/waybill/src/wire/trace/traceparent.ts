/** The `traceparent` value of W3C Trace Context level 2: version, trace id, parent id and flags in fixed places (TRACE-09). */

declare const checked: unique symbol;
/** 32 lower-case hex digits, not all zero. The parser and `isTraceId` check it, so writing needs no second check. */
export type TraceId = string & { readonly [checked]: 'trace' };
/** 16 lower-case hex digits, not all zero. */
export type ParentId = string & { readonly [checked]: 'parent' };

export interface Traceparent {
  readonly version: number;
  readonly traceId: TraceId;
  /** The span that sent the message. */
  readonly parentId: ParentId;
  /** The whole byte; test it with the masks `SAMPLED` and `RANDOM`. */
  readonly flags: number;
}

/** The sender may have recorded the trace. */
export const SAMPLED = 1;
/** Level 2: the last seven bytes of the trace id are random. */
export const RANDOM = 2;

/** Written out digit by digit: a counted expression takes three times as long, and every call has a parent. */
const hex = (digits: number): string => '[0-9a-f]'.repeat(digits);
const id = (digits: number): string => `(?!${'0'.repeat(digits)})${hex(digits)}`;
const [TRACE_ID, PARENT_ID] = [id(32), id(16)];
const FIELDS = `(?!ff)${hex(2)}-${TRACE_ID}-${PARENT_ID}-${hex(2)}`;
const VERSION_00 = new RegExp(`^${FIELDS}$`);
/** A later version may add fields after a dash. They only have to fit into a header. */
const LATER = new RegExp(`^(?!00)${FIELDS}-[!-~]*$`);
/** The number of characters that a later version may add. */
const MAX_LENGTH = 512;
const WHOLE_TRACE_ID = new RegExp(`^${TRACE_ID}$`);
const WHOLE_PARENT_ID = new RegExp(`^${PARENT_ID}$`);

export function parseTraceparent(text: string): Traceparent | undefined {
  if (!isTraceparent(text)) return undefined;
  const [version, flags] = [Number.parseInt(text.slice(0, 2), 16), Number.parseInt(text.slice(53, 55), 16)];
  return { version, traceId: text.slice(3, 35) as TraceId, parentId: text.slice(36, 52) as ParentId, flags };
}

/** Checks a text without parsing it, for a hop that only passes it on. */
export function isTraceparent(text: string): boolean {
  return VERSION_00.test(text) || (text.length <= MAX_LENGTH && LATER.test(text));
}

/** Writes version 00. A later version is downgraded, as level 2 demands, and undefined flags become zero. */
export function formatTraceparent({ traceId, parentId, flags }: Omit<Traceparent, 'version'>): string {
  return `00-${traceId}-${parentId}-0${flags & (SAMPLED | RANDOM)}`;
}

export function isTraceId(text: string): text is TraceId {
  return WHOLE_TRACE_ID.test(text);
}

export function isParentId(text: string): text is ParentId {
  return WHOLE_PARENT_ID.test(text);
}
