import { expectPositive, expectTimeout } from '../wire/check.js';
import { ContextError } from '../wire/errors.js';
import { startTimer, type StartTimer } from './runtime.js';

/** Limits of a request body. They are checked before parsing: a parser that runs out of stack cannot refuse politely. */
export interface BodyLimits {
  /** Bytes. */
  readonly size: number;
  /** Levels of arrays and objects. */
  readonly depth: number;
  /** Bytes of all bodies that are being read at one time. */
  readonly total: number;
  /** Milliseconds from the first read of a body to its end. */
  readonly time: number;
}

export const DEFAULT_BODY_LIMITS: BodyLimits = { size: 4 * 1024 * 1024, depth: 128, total: 64 * 1024 * 1024, time: 30_000 };

export function checkBodyLimits(limits: Partial<BodyLimits> = {}): BodyLimits {
  const { size = DEFAULT_BODY_LIMITS.size, depth = DEFAULT_BODY_LIMITS.depth, time = DEFAULT_BODY_LIMITS.time } = limits;
  const { total = Math.max(DEFAULT_BODY_LIMITS.total, size) } = limits;
  const checked: BodyLimits = { size, depth, total, time };
  for (const [name, value] of Object.entries(checked)) expectPositive(value, `limits.${name}`);
  if (total < size) throw new RangeError('limits.total: expected at least limits.size; otherwise a body of that size could never be read');
  expectTimeout(time, 'limits.time');
  return checked;
}

/** Collects the chunks of a body. Refuses as soon as there are too many bytes. */
export class Gathered {
  readonly #limit: number;
  #chunks: Uint8Array[] = [];
  #size = 0;

  constructor({ size }: Pick<BodyLimits, 'size'>) {
    this.#limit = size;
  }

  add(chunk: Uint8Array): void {
    this.#size += chunk.byteLength;
    if (this.#size > this.#limit) throw new ContextError('too-large', { limit: this.#limit });
    this.#chunks.push(chunk);
    // A body that comes byte by byte would otherwise be kept as millions of objects.
    if (this.#chunks.length > MAX_CHUNKS) this.#chunks = [this.#joined()];
  }

  /** Decodes in one go: a streaming decoder is expensive, and nearly every body is one piece. */
  text(): string {
    return UTF_8.decode(this.#chunks.length === 1 ? this.#chunks[0] : this.#joined());
  }

  #joined(): Uint8Array {
    const all = new Uint8Array(this.#size);
    let at = 0;
    for (const chunk of this.#chunks) {
      all.set(chunk, at);
      at += chunk.byteLength;
    }
    return all;
  }
}

const IS_TEXT = 'Parse error: the body arrived as text; remove setEncoding() in front of the edge';

const UTF_8 = new TextDecoder();
const MAX_CHUNKS = 1024;

/** Parses a body once for everything behind the edge. */
export function parseBody(text: string, limits: Pick<BodyLimits, 'depth'>): unknown {
  if (isDeeperThan(text, limits.depth)) throw new ContextError('too-deep', { limit: limits.depth });
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ContextError('invalid-json');
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Counts brackets outside strings. `{`, `[` and `}`, `]` differ from each other by one bit. */
export function isDeeperThan(text: string, limit: number): boolean {
  // There are too few brackets to go that deep, so they need not be counted. Searching for one character is much faster.
  if (text.length <= limit || (opens(text, '{', limit) && opens(text, '[', limit))) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      for (at++; at < text.length && text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++;
    } else if ((code | 0x20) === 0x7b) {
      if (++depth > limit) return true;
    } else if ((code | 0x20) === 0x7d) depth--;
  }
  return false;
}

/** True if the bracket occurs at most half as often as the limit. */
function opens(text: string, bracket: string, limit: number): boolean {
  let left = limit / 2;
  for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) if (--left < 0) return false;
  return true;
}

/** A body as it arrives, from a web stream or from `node:http`. */
export interface Chunks {
  next(): Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>;
  /** Called when the rest is not needed. Tells the sender to stop, if that is possible. */
  stop(): Promise<unknown>;
}

/**
 * The request bodies that are being read now. The edges of one server program share one object, because `limits.total` protects the memory
 * that they share.
 */
export class Bodies {
  readonly #limits: BodyLimits;
  readonly #startTimer: StartTimer;
  /** Bytes that have arrived of bodies that have not ended. */
  #held = 0;

  constructor(limits?: Partial<BodyLimits>, start: StartTimer = startTimer) {
    this.#limits = checkBodyLimits(limits);
    this.#startTimer = start;
  }

  get held(): number {
    return this.#held;
  }

  /** Reads a body to its end and parses it. A `ContextError` says which limit it broke, or that it ended early. */
  async read(chunks: Chunks): Promise<unknown> {
    return this.parse(await this.readText(chunks));
  }

  /** Parses the text of a body within the limit of depth. */
  parse(text: string): unknown {
    return parseBody(text, this.#limits);
  }

  /** Reads a body to its end, for a hop that passes on the text as it came. */
  async readText(chunks: Chunks): Promise<string> {
    const { total, time } = this.#limits;
    const body = new Gathered(this.#limits);
    let own = 0;
    let isOver = false;
    const gather = async (): Promise<void> => {
      for (let part = await chunks.next(); part.done !== true && !isOver; part = await chunks.next()) {
        const chunk = part.value;
        // A text has another size than its bytes, which would make the count wrong for good.
        if (!ArrayBuffer.isView(chunk)) throw new ContextError('unread-body', {}, { message: IS_TEXT });
        own += chunk.byteLength;
        this.#held += chunk.byteLength;
        if (this.#held > total) throw new ContextError('too-busy', { limit: total });
        body.add(chunk as Uint8Array);
      }
    };
    let stopTimer: (() => void) | undefined;
    const late = new Promise<never>((_, reject) => {
      stopTimer = this.#startTimer(time, () => {
        reject(new ContextError('too-slow', { limit: time }));
      });
    });
    try {
      await Promise.race([gather(), late]);
    } catch (error) {
      // Not awaited: a stream that waits for its next piece may never report that it stopped.
      chunks.stop().catch(() => undefined);
      // Any other error comes from the sender, who has left or stopped early.
      throw error instanceof ContextError ? error : new ContextError('unread-body');
    } finally {
      isOver = true;
      stopTimer?.();
      this.#held -= own;
    }
    return body.text();
  }
}

/** The SDKs buffer at most this many bytes of a stdio line that has not ended. */
const MAX_LINE = 10 * 1024 * 1024;

export function checkMaxLine(given: number | undefined, path: string): number {
  expectPositive(given, path);
  return given ?? MAX_LINE;
}
