/** Keeps finished answers, limited by number, size and age. The least recently used go first. */
import { setOwn } from '../../../wire/json.js';
import type { ListCacheOptions } from '../lists.js';

type Limits = Required<Pick<ListCacheOptions, 'maxAge' | 'maxVariants' | 'maxBytes' | 'clock'>>;

/** One finished answer: only the id of the request is missing. */
export class FinishedAnswer {
  readonly #before: string;
  readonly #after: string;
  readonly born: number;
  /** The language of the answer and the restriction of its caching, for its HTTP head. */
  readonly language: string | null;
  readonly restriction: 'private' | undefined;
  #bytes: readonly [Uint8Array, Uint8Array] | undefined;
  #result: object | undefined;

  constructor(message: Readonly<Record<string, unknown>>, born: number, language: string | null, restriction: 'private' | undefined) {
    const members = Object.entries(message).map(([name, value]) => `${JSON.stringify(name)}:${name === 'id' ? '' : JSON.stringify(value)}`);
    const at = Object.keys(message).indexOf('id');
    this.#before = `{${members.slice(0, at + 1).join(',')}`;
    this.#after = `${members
      .slice(at + 1)
      .map((member) => `,${member}`)
      .join('')}}`;
    this.born = born;
    this.language = language;
    this.restriction = restriction;
  }

  /** Bytes it takes: the text, and everything made from it so far; an object takes about twice the text. */
  get size(): number {
    const text = this.#before.length + this.#after.length;
    return text * (2 + (this.#bytes === undefined ? 0 : 1) + (this.#result === undefined ? 0 : 2));
  }

  /** Returns the whole answer to the request with that id, for HTTP. */
  bytes(id: string | number): Uint8Array<ArrayBuffer> {
    const encoder = new TextEncoder();
    const [before, after] = (this.#bytes ??= [encoder.encode(this.#before), encoder.encode(this.#after)]);
    const middle = encoder.encode(JSON.stringify(id));
    const all = new Uint8Array(before.length + middle.length + after.length);
    all.set(before, 0);
    all.set(middle, before.length);
    all.set(after, before.length + middle.length);
    return all;
  }

  /**
   * Returns its `result` for a transport that passes objects; it is frozen. Parts that equal those of `like`, the same list in another
   * language, are the same objects: only titles differ (IX-03).
   */
  result(like: object | undefined): object {
    return (this.#result ??= frozen(shared(like, (JSON.parse(`${this.#before}0${this.#after}`) as { result: object }).result)));
  }
}

/** Schemas come from the server itself, so this bound only stops mistakes. */
const DEEPEST = 64;

/** Returns `value` with every part that equals the same part of `base` replaced by that one. */
function shared<T extends object>(base: unknown, value: T, depth = 0): T {
  if (typeof base !== 'object' || base === null || Array.isArray(base) !== Array.isArray(value) || depth > DEEPEST) return value;
  const names = Object.keys(value);
  let same = names.length === Object.keys(base).length;
  for (const name of names) {
    const [theirs, ours] = [(base as Record<string, unknown>)[name], (value as Record<string, unknown>)[name]];
    const inner = typeof ours === 'object' && ours !== null ? shared(theirs, ours, depth + 1) : ours;
    if (inner !== ours) setOwn(value as Record<string, unknown>, name, inner);
    if (inner !== theirs || !Object.hasOwn(base, name)) same = false;
  }
  return same ? (base as T) : value;
}

function frozen<T extends object>(value: T): T {
  const open: object[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Object.isFrozen(next)) continue;
    Object.freeze(next);
    for (const inner of Object.values(next)) if (typeof inner === 'object' && inner !== null) open.push(inner as object);
  }
  return value;
}

/** An answer, and the size it was last counted with: it grows when it is first used. */
interface Kept {
  readonly finished: FinishedAnswer;
  counted: number;
}

export class FinishedAnswers {
  readonly #limits: Limits;
  /** The least recently used first. */
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#kept.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(variant: string): FinishedAnswer | undefined {
    const kept = this.#kept.get(variant);
    if (kept === undefined) return undefined;
    this.#kept.delete(variant);
    this.#kept.set(variant, kept);
    const age = this.#limits.clock() - kept.finished.born;
    // Setting the clock back does not make an answer younger.
    if (age < 0 || age >= this.#limits.maxAge) {
      this.#remove(variant);
      return undefined;
    }
    this.#count(kept);
    this.#trim();
    return kept.finished;
  }

  put(variant: string, finished: FinishedAnswer): void {
    this.#remove(variant);
    // An answer that is too large alone would push out all the others, and itself.
    if (finished.size > this.#limits.maxBytes) return;
    const kept = { finished, counted: 0 };
    this.#kept.set(variant, kept);
    this.#count(kept);
    this.#trim();
  }

  /** Drops all answers, or those whose name begins with the prefix. */
  drop(prefix = ''): void {
    for (const variant of [...this.#kept.keys()]) if (variant.startsWith(prefix)) this.#remove(variant);
  }

  #count(kept: Kept): void {
    this.#bytes += kept.finished.size - kept.counted;
    kept.counted = kept.finished.size;
  }

  #trim(): void {
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#limits.maxVariants && this.#bytes <= this.#limits.maxBytes) return;
      this.#remove(oldest);
    }
  }

  #remove(variant: string): void {
    const kept = this.#kept.get(variant);
    if (kept === undefined) return;
    this.#kept.delete(variant);
    this.#bytes -= kept.counted;
  }
}
