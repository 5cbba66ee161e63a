/** Fills an array with random bytes: `crypto.getRandomValues`, or the function of a test. */
export type Random = (bytes: Uint8Array<ArrayBuffer>) => void;

const POOL = 4096;
const SPAN = 16;
const TRACE = 32;
const DIGITS = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));
const ascii = new TextDecoder();
const NONE = /^0+$/;

/** Takes trace and span ids from a pool: a system call for each would cost more than the rest of a request's context. */
export class IdPool {
  readonly #random: Random;
  #digits = '';
  #at = 0;

  constructor(random: Random = (bytes) => void globalThis.crypto.getRandomValues(bytes)) {
    this.#random = random;
  }

  traceId(): string {
    return this.#next(TRACE);
  }

  spanId(): string {
    return this.#next(SPAN);
  }

  #next(length: number): string {
    if (this.#at + length > this.#digits.length) this.#fill();
    const text = this.#digits.slice(this.#at, (this.#at += length));
    // All zero means "no id" (TRACE-09).
    return text.charCodeAt(0) === 48 && NONE.test(text) ? `${text.slice(1)}1` : text;
  }

  #fill(): void {
    const bytes = new Uint8Array(POOL);
    this.#random(bytes);
    const digits = new Uint8Array(2 * POOL);
    for (let at = 0; at < POOL; at++) {
      const byte = bytes[at] as number;
      digits[2 * at] = DIGITS[byte >> 4] as number;
      digits[2 * at + 1] = DIGITS[byte & 15] as number;
    }
    this.#digits = ascii.decode(digits);
    this.#at = 0;
  }
}
