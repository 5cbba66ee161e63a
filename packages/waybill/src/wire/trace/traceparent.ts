/** The `traceparent` value of W3C Trace Context level 2: version, trace id, parent id and flags in fixed places (TRACE-09). */
import { fits, shapeOf } from '../shape.js';

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

const TRACE_ID = shapeOf('x'.repeat(32));
const PARENT_ID = shapeOf('x'.repeat(16));
/** Version 00 is exactly this; a later version may only add fields behind it. */
const TRACEPARENT = shapeOf(`xx-${'x'.repeat(32)}-${'x'.repeat(16)}-xx`);
const NO_TRACE = '0'.repeat(32);
const NO_PARENT = '0'.repeat(16);
/** Later versions may be longer, not endless: what a level that does not exist yet may add. */
const MAX_LENGTH = 512;
const DASH = 45;

export function parseTraceparent(text: string): Traceparent | undefined {
  if (!isTraceparent(text)) return undefined;
  const [version, flags] = [Number.parseInt(text.slice(0, 2), 16), Number.parseInt(text.slice(53, 55), 16)];
  return { version, traceId: text.slice(3, 35) as TraceId, parentId: text.slice(36, 52) as ParentId, flags };
}

/** The same without taking it apart, for a hop that only hands the text on. */
export function isTraceparent(text: string): boolean {
  if (text.length > MAX_LENGTH || !fits(text, TRACEPARENT) || text.startsWith('ff')) return false;
  if (text.startsWith(NO_TRACE, 3) || text.startsWith(NO_PARENT, 36)) return false;
  return text.length === TRACEPARENT.length || (!text.startsWith('00') && isExtension(text));
}

/** In the one version we know: a later one is downgraded, as level 2 demands, and flags it does not define go out as zero. */
export function formatTraceparent({ traceId, parentId, flags }: Omit<Traceparent, 'version'>): string {
  return `00-${traceId}-${parentId}-0${flags & (SAMPLED | RANDOM)}`;
}

export function isTraceId(text: string): text is TraceId {
  return text.length === 32 && fits(text, TRACE_ID) && text !== NO_TRACE;
}

export function isParentId(text: string): text is ParentId {
  return text.length === 16 && fits(text, PARENT_ID) && text !== NO_PARENT;
}

/** What a later version adds starts with a dash; nothing is assumed about it but that a header could carry it. */
function isExtension(text: string): boolean {
  if (text.charCodeAt(TRACEPARENT.length) !== DASH) return false;
  for (let at = TRACEPARENT.length; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x21 || code > 0x7e) return false;
  }
  return true;
}
