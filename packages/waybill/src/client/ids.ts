/** Fills bytes at random: `crypto.getRandomValues`, or what a test gives. */
export type Random = (bytes: Uint8Array<ArrayBuffer>) => void;

const SPAN = 8;
const TRACE = 16;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Trace and span ids from a pool: a system call for each would cost more than the rest of a request's context. */
export class IdPool {
  readonly #random: Random;
  readonly #bytes = new Uint8Array(4096);
  #at = Infinity;

  constructor(random: Random = (bytes) => void globalThis.crypto.getRandomValues(bytes)) {
    this.#random = random;
  }

  traceId(): string {
    return this.#next(TRACE);
  }

  spanId(): string {
    return this.#next(SPAN);
  }

  #next(size: number): string {
    if (this.#at + size > this.#bytes.length) {
      this.#random(this.#bytes);
      this.#at = 0;
    }
    let text = '';
    let any = 0;
    for (const end = this.#at + size; this.#at < end; this.#at++) {
      const byte = this.#bytes[this.#at] as number;
      any |= byte;
      text += HEX[byte] as string;
    }
    // All zero means "no id" (TRACE-09).
    return any === 0 ? `${text.slice(1)}1` : text;
  }
}
