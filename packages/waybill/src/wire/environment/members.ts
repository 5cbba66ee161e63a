import type { Report } from '../issue.js';
import { own } from '../json.js';
import { keep } from '../memo.js';

// CTX-22
/** Reads one member of a peer's object. A bad member is dropped and reported with its path; the others stay. */
export function readMember<T>(
  source: Record<string, unknown>,
  name: string,
  path: string,
  accept: (value: unknown) => T | undefined,
  problem: string,
  report: Report,
): T | undefined {
  const value = own(source, name);
  if (value === undefined) return undefined;
  const kept = accept(value);
  if (kept === undefined) report({ concern: 'environment', key: `${path}.${name}`, problem });
  return kept;
}

export function textIf(check: (text: string) => boolean): (value: unknown) => string | undefined {
  return (value) => (typeof value === 'string' && check(value) ? value : undefined);
}

/** Keeps the members that are set; undefined if none is. */
export function defined<T extends object>(members: { readonly [K in keyof T]-?: T[K] | undefined }): T | undefined {
  const present: Partial<T> = {};
  let any = false;
  for (const name of Object.keys(members) as (keyof T)[]) {
    const value = members[name];
    if (value === undefined) continue;
    present[name] = value;
    any = true;
  }
  return any ? (present as T) : undefined;
}

/** Remembers the results of a slow check on short strings. A string longer than `longest` is refused unread. */
export function remember(check: (text: string) => boolean, longest: number): (text: string) => boolean {
  const verdicts = new Map<string, boolean>();
  return (text) => {
    if (text.length > longest) return false;
    const known = verdicts.get(text);
    if (known !== undefined) return known;
    return keep(verdicts, text, check(text), 1024);
  };
}

// CTX-05, CTX-29, CTX-22
/** Accepts a BCP 47 tag that `Intl` can format for, with Unicode extensions. `de_AT` is not one. */
export const isLocale: (text: string) => boolean = remember((text) => {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}, 128);
