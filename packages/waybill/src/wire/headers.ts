/** HTTP field values: which characters they may have, and how several lines of a field are combined (LANG-43). */

import { isObject, own } from './json.js';
import { ACCEPT_LANGUAGE } from './keys.js';
import { metaOf } from './message.js';

export const ACCEPT_LANGUAGE_HEADER = 'Accept-Language';
export const CONTENT_LANGUAGE_HEADER = 'Content-Language';

/** The longest value that is mirrored into a header. Servers commonly refuse header sections above 8 to 16 KiB. */
const MAX_FIELD = 4096;

/** True if a text can be a header value unchanged: visible ASCII and inner blanks, so no second line and no re-encoding. */
export function isFieldValue(text: string): boolean {
  return text.length <= MAX_FIELD && /^(?:[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)?$/.test(text);
}

/** A token of RFC 9110, such as the name of a header. */
export const TOKEN: RegExp = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Headers in the forms of `fetch` and of `node:http`. */
export type HeaderSource = { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Combines all lines of a field in received order; undefined if the field is absent. */
export function fieldValue(headers: HeaderSource | undefined, name: string): string | undefined {
  if (headers === undefined) return undefined;
  if (typeof (headers as { get?: unknown }).get === 'function')
    return (headers as { get(name: string): string | null }).get(name) ?? undefined;
  const wanted = name.toLowerCase();
  const lines: string[] = [];
  for (const [key, value] of Object.entries(headers as Record<string, string | readonly string[] | undefined>)) {
    if (key.toLowerCase() === wanted && value !== undefined) lines.push(...(typeof value === 'string' ? [value] : value));
  }
  return lines.length > 0 ? lines.join(', ') : undefined;
}

// LANG-62
/** Adds a name to a `Vary` value; keeps the names that are there and repeats none. */
export function addVary(existing: string | null | undefined, name: string): string {
  if (existing === undefined || existing === null) return name;
  const names = membersOf(existing);
  return names.includes('*') ? names.join(', ') : withMember(names, name);
}

// LANG-40, LANG-16
/** The text of `_meta` that a request mirrors into `Accept-Language`; undefined if it is not a string. */
export function mirroredLanguage(message: unknown): string | undefined {
  const meta = metaOf(message, 'request');
  const value = isObject(meta) ? own(meta, ACCEPT_LANGUAGE) : undefined;
  return typeof value === 'string' ? value : undefined;
}

// LANG-63, D-24
/** Adds a directive to `Cache-Control` that keeps an answer private, and removes `public`. */
export function addDirective(existing: string | undefined, directive: string): string {
  const directives = membersOf(existing ?? '').filter((other) => other.toLowerCase() !== 'public');
  return withMember(directives, directive);
}

function membersOf(list: string): string[] {
  return list
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '');
}

function withMember(members: readonly string[], added: string): string {
  const isThere = members.some((member) => member.toLowerCase() === added.toLowerCase());
  return (isThere ? members : [...members, added]).join(', ');
}

/** True if a `Content-Type` is this type, with any parameters. */
export function isMediaType(contentType: string | null | undefined, type: 'application/json' | 'text/event-stream'): boolean {
  return contentType === type || (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() === type;
}
