/** Finished answers: at most so many, so large and so old. The least recently used go first. */

export interface ShelfOptions {
  /** Milliseconds an answer may be used. */
  readonly maxAge: number;
  readonly maxVariants: number;
  readonly maxBytes: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** One answer, finished: only the id of the request is missing. */
export class Finished {
  readonly #before: string;
  readonly #after: string;
  readonly born: number;
  /** What its head says: the language of it, and who may keep it. */
  readonly language: string | null;
  readonly kept: 'private' | undefined;
  #bytes: readonly [Uint8Array, Uint8Array] | undefined;
  #result: object | undefined;

  constructor(message: Readonly<Record<string, unknown>>, born: number, language: string | null, kept: 'private' | undefined) {
    const members = Object.entries(message).map(([name, value]) => `${JSON.stringify(name)}:${name === 'id' ? '' : JSON.stringify(value)}`);
    const at = Object.keys(message).indexOf('id');
    this.#before = `{${members.slice(0, at + 1).join(',')}`;
    this.#after = `${members
      .slice(at + 1)
      .map((member) => `,${member}`)
      .join('')}}`;
    this.born = born;
    this.language = language;
    this.kept = kept;
  }

  /** Bytes it takes, at most: the text, its encoding and the object made of it. */
  get size(): number {
    return (this.#before.length + this.#after.length) * 8;
  }

  /** The whole answer to the request with that id, as it goes over HTTP. */
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

  /** Its `result`, for a transport that hands over objects; nobody can change it for the next. */
  get result(): object {
    return (this.#result ??= frozen((JSON.parse(`${this.#before}0${this.#after}`) as { result: object }).result));
  }
}

function frozen<T extends object>(value: T): T {
  const open: object[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    Object.freeze(next);
    for (const inner of Object.values(next)) if (typeof inner === 'object' && inner !== null) open.push(inner as object);
  }
  return value;
}

export class FinishedShelf {
  readonly #options: ShelfOptions;
  /** The least recently used first. */
  readonly #kept = new Map<string, Finished>();
  #bytes = 0;

  constructor(options: ShelfOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#kept.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(variant: string): Finished | undefined {
    const found = this.#kept.get(variant);
    if (found === undefined) return undefined;
    this.#kept.delete(variant);
    const age = this.#options.now() - found.born;
    // A clock that was set back does not make an answer young.
    if (age < 0 || age >= this.#options.maxAge) {
      this.#bytes -= found.size;
      return undefined;
    }
    this.#kept.set(variant, found);
    return found;
  }

  put(variant: string, finished: Finished): void {
    this.#remove(variant);
    if (finished.size > this.#options.maxBytes) return;
    this.#kept.set(variant, finished);
    this.#bytes += finished.size;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#options.maxVariants && this.#bytes <= this.#options.maxBytes) return;
      this.#remove(oldest);
    }
  }

  /** All, or those whose name begins so. */
  drop(prefix = ''): void {
    for (const variant of [...this.#kept.keys()]) if (variant.startsWith(prefix)) this.#remove(variant);
  }

  #remove(variant: string): void {
    const found = this.#kept.get(variant);
    if (found === undefined) return;
    this.#kept.delete(variant);
    this.#bytes -= found.size;
  }
}
