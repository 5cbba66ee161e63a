/**
 * W3C Baggage: names and values that a caller hands to everything that works for its request. The caller controls them, so they never prove an
 * identity (TRACE-12). A message carries the text, and a hop passes the text on; it is parsed only on demand.
 */
import { TOKEN } from '../headers.js';
import { changed, isObject, type Meta } from '../json.js';
import { BAGGAGE } from '../keys.js';
import { metaOf, withMeta } from '../message.js';
import { trimBlanks } from '../blanks.js';
import { foreignBaggage } from './foreign.js';

export interface BaggageMember {
  /** An RFC 9110 token; the standard does not decode it. */
  readonly key: string;
  /** Decoded, so it may be any text. Never put it into a header unchecked. */
  readonly value: string;
  readonly properties: readonly BaggageProperty[];
}

export interface BaggageProperty {
  readonly key: string;
  readonly value?: string;
}

/** The standard guarantees 64 members and 8192 bytes. These are the highest limits it ever had, and those of OpenTelemetry. */
const MAX_MEMBERS = 180;
const MAX_MEMBER = 4096;
export const MAX_BAGGAGE = 8192;

/** Visible ASCII without quote, comma, semicolon and backslash. */
const OCTETS = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;

/** Parses the members in order, repeated keys included. Malformed members and those beyond the limits are left out. */
export function parseBaggage(lines: string | readonly string[]): BaggageMember[] {
  return scan(lines).map(({ member }) => member);
}

// TRACE-12
/**
 * Keeps the members whose key is on the list, each unchanged except for malformed properties. Returns undefined if none is left.
 */
export function filterBaggage(lines: string | readonly string[], allow: Iterable<string>): string | undefined {
  const keys = new Set(allow);
  const kept = scan(lines).filter(({ member }) => keys.has(member.key));
  return kept.length === 0 ? undefined : kept.map(({ text }) => text).join(',');
}

/**
 * Returns the changes that leave in `_meta` only baggage on the list, under its own key and under those of Jaeger and OpenTracing. Returns
 * undefined if nothing is left out.
 */
export function excessBaggage(meta: Meta, allow: Iterable<string>): Meta | undefined {
  const found = Object.keys(meta).filter((key) => key === BAGGAGE || foreignBaggage(key) !== undefined);
  if (found.length === 0) return undefined;
  const names = new Set(allow);
  const keptOf = (key: string, value: unknown): unknown => {
    if (key !== BAGGAGE) return names.has(foreignBaggage(key) ?? '') ? value : undefined;
    return typeof value === 'string' ? filterBaggage(value, names) : undefined;
  };
  const changes = found.map((key) => [key, keptOf(key, meta[key])] as const).filter(([key, kept]) => kept !== meta[key]);
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

/** Leaves only baggage on the list in a message. Returns the message itself if nothing is left out. */
export function limitBaggage<M extends object>(message: M, kind: 'request' | 'notification', allow: Iterable<string>): M {
  const meta = metaOf(message, kind);
  if (!isObject(meta)) return message;
  const changes = excessBaggage(meta, allow);
  return changes === undefined ? message : (withMeta(message, kind, changed(meta, changes)) ?? message);
}

interface Scanned {
  /** The valid parts of the member in their original spelling. */
  readonly text: string;
  readonly member: BaggageMember;
}

/** Reads whole members up to the limits, which count for all lines together. */
function scan(lines: string | readonly string[]): Scanned[] {
  const found: Scanned[] = [];
  let size = -1;
  for (const line of typeof lines === 'string' ? [lines] : lines) {
    for (let start = 0; start <= line.length && found.length < MAX_MEMBERS;) {
      const comma = line.indexOf(',', start);
      const end = comma < 0 ? line.length : comma;
      const one = end - start > MAX_MEMBER ? undefined : parseMember(line.slice(start, end));
      if (one !== undefined) {
        size += 1 + end - start;
        if (size > MAX_BAGGAGE) return found;
        found.push(one);
      }
      start = end + 1;
    }
  }
  return found;
}

function parseMember(text: string): Scanned | undefined {
  const [first = '', ...rest] = text.split(';');
  const pair = parsePair(first);
  if (pair?.value === undefined) return undefined;
  const properties: BaggageProperty[] = [];
  const kept = [first];
  for (const part of rest) {
    const property = parsePair(part);
    // A bad property says nothing about the value, so it is dropped alone (D-13). It is removed from the text too, where it could hold a
    // line feed.
    if (property === undefined) continue;
    properties.push(property);
    kept.push(part);
  }
  return { text: trimBlanks(kept.join(';')), member: { key: pair.key, value: pair.value, properties } };
}

/** `key`, or `key = value`; the value may hold further equals signs. */
function parsePair(text: string): BaggageProperty | undefined {
  const equals = text.indexOf('=');
  const key = trimBlanks(equals < 0 ? text : text.slice(0, equals));
  if (!TOKEN.test(key)) return undefined;
  if (equals < 0) return { key };
  const value = decode(trimBlanks(text.slice(equals + 1)));
  return value === undefined ? undefined : { key, value };
}

/** A percent sign without two digits is malformed; digits that spell no UTF-8 become U+FFFD, as the standard demands. */
function decode(text: string): string | undefined {
  if (!OCTETS.test(text)) return undefined;
  if (!text.includes('%')) return text;
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    const bytes = text.match(/%..|[^%]/g)?.map((part) => (part.length > 1 ? parseInt(part.slice(1), 16) : part.charCodeAt(0)));
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes ?? []));
  }
}
