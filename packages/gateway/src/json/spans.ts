/**
 * Edits of JSON text by spans. A message is parsed once to decide; then only the members that a rule names are replaced in the received text.
 * All other bytes stay as they came: numbers beyond 2^53, `1.0`, blanks and the order of members.
 *
 * The text must be valid JSON: it was parsed before. If a name occurs twice in an object, the last one counts, as in `JSON.parse`; an edit
 * removes the others, so that no reader further on sees a value that the rules have not seen.
 */
import { isObject } from './values.js';

/** Names lead into objects, numbers into lists. */
export type Path = readonly (string | number)[];

/** One change: the member at `path` gets this JSON text, or is removed. Missing objects on the way are made for a new value; list elements are not. */
export interface Edit {
  readonly path: Path;
  /** JSON text; undefined removes the member. */
  readonly json: string | undefined;
}

export function setMember(path: Path, value: unknown): Edit {
  return { path, json: JSON.stringify(value) };
}

export function removeMember(path: Path): Edit {
  return { path, json: undefined };
}

/** Returns the text with all edits applied, one after the other. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let edited = text;
  for (const { path, json } of edits) edited = applyEdit(edited, path, json);
  return edited;
}

/** Applies the same edit to the parsed value, in place, so that later rules see it. */
export function editValue(value: Record<string, unknown>, { path, json }: Edit): void {
  let holder: object = value;
  for (const [depth, name] of path.slice(0, -1).entries()) {
    let inner: unknown = Object.hasOwn(holder, name) ? (holder as Record<string | number, unknown>)[name] : undefined;
    const isElement = typeof path[depth + 1] === 'number';
    if (isElement ? !Array.isArray(inner) : !isObject(inner)) {
      if (json === undefined || isElement || typeof name === 'number') return;
      define(holder, name, (inner = {}));
    }
    holder = inner as object;
  }
  const last = path.at(-1) as string | number;
  if (Array.isArray(holder) && typeof last === 'number') {
    if (last < holder.length) holder.splice(last, 1, ...(json === undefined ? [] : [JSON.parse(json) as unknown]));
  } else if (json === undefined) Reflect.deleteProperty(holder, last);
  else define(holder, last, JSON.parse(json));
}

function define(holder: object, name: string | number, value: unknown): void {
  Object.defineProperty(holder, name, { value, writable: true, enumerable: true, configurable: true });
}

/** The JSON text of the member at `path`; undefined if there is none. */
export function textAt(text: string, path: readonly string[]): string | undefined {
  let at = skipBlanks(text, 0);
  let end = text.length;
  for (const name of path) {
    const found = text[at] === '{' ? membersOf(text, at, name).at(-1) : undefined;
    if (found === undefined) return undefined;
    at = found.value;
    end = found.end;
  }
  return path.length === 0 ? text : text.slice(at, end);
}

interface Member {
  /** Positions: the name begins, the value begins, the value ends. */
  readonly name: number;
  readonly value: number;
  readonly end: number;
}

function applyEdit(text: string, path: Path, json: string | undefined): string {
  let edited = text;
  let at = skipBlanks(edited, 0);
  for (let depth = 0; ; depth++) {
    const name = path[depth] as string | number;
    const isElement = typeof name === 'number';
    if (edited[at] !== (isElement ? '[' : '{'))
      return json === undefined || isElement ? edited : replaceValue(edited, at, path.slice(depth), json);
    const isLast = depth === path.length - 1;
    const found = isElement ? elementOf(edited, at, name) : membersOf(edited, at, name);
    const stale = isLast && json === undefined ? found : found.slice(0, -1);
    const kept = isLast && json === undefined ? undefined : found.at(-1);
    // From the end, so that the positions of the earlier ones stay right.
    const before = edited.length;
    for (const member of [...stale].reverse()) edited = cut(edited, member);
    const shift = before - edited.length;
    if (isLast && json === undefined) return edited;
    if (kept === undefined) return json === undefined || isElement ? edited : insert(edited, at, path.slice(depth), json);
    if (isLast) return edited.slice(0, kept.value - shift) + (json as string) + edited.slice(kept.end - shift);
    at = kept.value - shift;
  }
}

/** A value that is not an object is in the way of the path: it is replaced by objects. */
function replaceValue(text: string, at: number, path: Path, json: string): string {
  return text.slice(0, at) + nested(path, json) + text.slice(skipValue(text, at));
}

function nested(path: Path, json: string): string {
  return path.reduceRight<string>((inner, name) => `{${JSON.stringify(String(name))}:${inner}}`, json);
}

/** Adds a member at the end of the object that begins at `at`. */
function insert(text: string, at: number, path: Path, json: string): string {
  const [name, ...rest] = path as [string, ...Path];
  const close = skipValue(text, at) - 1;
  const isEmpty = skipBlanks(text, at + 1) === close;
  return `${text.slice(0, close)}${isEmpty ? '' : ','}${JSON.stringify(name)}:${nested(rest, json)}${text.slice(close)}`;
}

/** Removes a member together with one comma. */
function cut(text: string, { name, end }: Member): string {
  const after = skipBlanks(text, end);
  if (text[after] === ',') return text.slice(0, name) + text.slice(skipBlanks(text, after + 1));
  let before = name - 1;
  while (isBlank(text.charCodeAt(before))) before--;
  return text.slice(0, text[before] === ',' ? before : name) + text.slice(end);
}

/** All members of this name in the object that begins at `at`. */
function membersOf(text: string, at: number, name: string): Member[] {
  const found: Member[] = [];
  const plain = JSON.stringify(name);
  for (let next = skipBlanks(text, at + 1); text[next] === '"';) {
    const nameEnd = skipString(text, next);
    const value = skipBlanks(text, skipBlanks(text, nameEnd) + 1);
    const end = skipValue(text, value);
    const spelled = text.slice(next, nameEnd);
    if (spelled === plain || (spelled.includes('\\') && JSON.parse(spelled) === name)) found.push({ name: next, value, end });
    next = skipBlanks(text, end);
    if (text[next] === ',') next = skipBlanks(text, next + 1);
  }
  return found;
}

/** The element of this number in the list that begins at `at`. */
function elementOf(text: string, at: number, index: number): Member[] {
  let count = 0;
  for (let next = skipBlanks(text, at + 1); next < text.length && text[next] !== ']'; count++) {
    const end = skipValue(text, next);
    if (count === index) return [{ name: next, value: next, end }];
    next = skipBlanks(text, end);
    if (text[next] === ',') next = skipBlanks(text, next + 1);
  }
  return [];
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

export function skipBlanks(text: string, at: number): number {
  let next = at;
  while (isBlank(text.charCodeAt(next))) next++;
  return next;
}

/** Returns the place after the closing quote. */
export function skipString(text: string, at: number): number {
  for (let quote = text.indexOf('"', at + 1); ; quote = text.indexOf('"', quote + 1)) {
    if (quote < 0) return text.length;
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return quote + 1;
  }
}

/** Returns the place after the value that begins at `at`. Objects and lists are skipped by counting brackets outside strings. */
export function skipValue(text: string, at: number): number {
  const first = text[at];
  if (first === '"') return skipString(text, at);
  if (first !== '{' && first !== '[') {
    let next = at;
    while (next < text.length && !isBlank(text.charCodeAt(next)) && !',]}'.includes(text[next] as string)) next++;
    return next;
  }
  let depth = 0;
  for (let next = at; next < text.length;) {
    const code = text.charCodeAt(next);
    if (code === 0x22) {
      next = skipString(text, next);
      continue;
    }
    next++;
    // `{`, `[` and `}`, `]` differ by one bit.
    if ((code | 0x20) === 0x7b) depth++;
    else if ((code | 0x20) === 0x7d && --depth === 0) return next;
  }
  return text.length;
}
