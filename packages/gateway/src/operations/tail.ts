/** The last part of an answer, as far as it is kept: to see how it ended, and to show it under `feed: bodies`. */
import { Buffer } from 'node:buffer';

export class Tail {
  isStream = false;
  readonly #most: number;
  #kept: (string | Uint8Array)[] = [];
  #keptSize = 0;
  #size = 0;
  #isLost = false;

  constructor(most: number) {
    this.#most = most;
  }

  /** Bytes in all. */
  get size(): number {
    return this.#size;
  }

  add(chunk: string | Uint8Array): void {
    const size = typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.byteLength;
    this.#size += size;
    this.#keptSize += size;
    this.#kept.push(chunk);
    while (this.#keptSize > this.#most && this.#kept.length > 0) {
      this.#isLost = true;
      const gone = this.#kept.shift() as string | Uint8Array;
      this.#keptSize -= typeof gone === 'string' ? Buffer.byteLength(gone) : gone.byteLength;
    }
  }

  /** Starts again with one complete message and forgets what came before it. */
  begin(text: string): void {
    this.#kept = [];
    this.#keptSize = 0;
    this.add(text);
  }

  /** Undefined if a part of the answer was not kept, or if there is none. */
  get whole(): string | undefined {
    return this.#size === 0 || this.#isLost ? undefined : this.#text();
  }

  /** The JSON text of the last message; undefined if it is not known. */
  get lastMessage(): string | undefined {
    if (!this.isStream) return this.whole;
    const text = this.#text();
    const events = text.split(/\n\n|\r\n\r\n|\r\r/).filter((event) => /^data:/m.test(event));
    return events
      .at(-1)
      ?.split(/\r\n|\n|\r/)
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5))
      .join('\n');
  }

  #text(): string {
    const [only, ...more] = this.#kept;
    // Nearly every answer is one piece.
    if (typeof only === 'string' && more.length === 0) return only;
    return Buffer.concat(this.#kept.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk))).toString('utf8');
  }
}
