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

/** Version 00 has exactly this length; a later version may only add fields behind it. */
const LENGTH = 55;
/** Later versions may be longer, not endless: what a level that does not exist yet may add. */
const MAX_LENGTH = 512;
const DASH = 45;

export function parseTraceparent(text: string): Traceparent | undefined {
  if (!isTraceparent(text)) return undefined;
  const [version, flags] = [byteAt(text, 0), byteAt(text, 53)];
  return { version, traceId: text.slice(3, 35) as TraceId, parentId: text.slice(36, 52) as ParentId, flags };
}

/** The same without taking it apart, for a hop that only hands the text on. */
export function isTraceparent(text: string): boolean {
  const { length } = text;
  if (length < LENGTH || length > MAX_LENGTH) return false;
  if (text.charCodeAt(2) !== DASH || text.charCodeAt(35) !== DASH || text.charCodeAt(52) !== DASH) return false;
  const version = byteAt(text, 0);
  if (Number.isNaN(version) || version === 0xff || Number.isNaN(byteAt(text, 53))) return false;
  if (!isIdAt(text, 3, 35) || !isIdAt(text, 36, 52)) return false;
  return length === LENGTH || (version !== 0 && isExtension(text));
}

/** In the one version we know: a later one is downgraded, as level 2 demands, and flags it does not define go out as zero. */
export function formatTraceparent({ traceId, parentId, flags }: Omit<Traceparent, 'version'>): string {
  return `00-${traceId}-${parentId}-0${flags & (SAMPLED | RANDOM)}`;
}

export function isTraceId(text: string): text is TraceId {
  return text.length === 32 && isIdAt(text, 0, 32);
}

export function isParentId(text: string): text is ParentId {
  return text.length === 16 && isIdAt(text, 0, 16);
}

/** The value of each lower-case hex digit by its ASCII code; all other codes have a bit that no digit has. */
const NO_DIGIT = 0x80;
const DIGITS: Uint8Array = new Uint8Array(128).fill(NO_DIGIT);
for (let value = 0; value < 16; value++) DIGITS[value.toString(16).charCodeAt(0)] = value;

/** Lower-case hex between two places, and not all zero. One pass without a branch per digit: this runs on every message. */
function isIdAt(text: string, start: number, end: number): boolean {
  let digits = 0;
  let codes = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    codes |= code;
    digits |= DIGITS[code & 0x7f] as number;
  }
  return codes < 128 && digits > 0 && digits < NO_DIGIT;
}

/** The byte that two hex digits spell; not a number where they are none. */
function byteAt(text: string, at: number): number {
  const high = DIGITS[text.charCodeAt(at)] ?? NO_DIGIT;
  const low = DIGITS[text.charCodeAt(at + 1)] ?? NO_DIGIT;
  return (high | low) < NO_DIGIT ? high * 16 + low : Number.NaN;
}

/** What a later version adds starts with a dash; nothing is assumed about it but that a header could carry it. */
function isExtension(text: string): boolean {
  if (text.charCodeAt(LENGTH) !== DASH) return false;
  for (let at = LENGTH; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x21 || code > 0x7e) return false;
  }
  return true;
}
