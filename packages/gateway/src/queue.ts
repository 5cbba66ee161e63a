/** A queue that one side fills and the other reads as an async iterable. It tells when it is full, so that the source can wait. */
export class Queue<T> implements AsyncIterable<T> {
  readonly #items: T[] = [];
  #wake: (() => void) | undefined;
  #isEnded = false;
  #error: unknown;
  #onDone: (() => void) | undefined;
  #onRoom: (() => void)[] = [];
  readonly #most: number;

  /** `most`: how many items make it full. */
  constructor(most = 64) {
    this.#most = most;
  }

  get isFull(): boolean {
    return this.#items.length >= this.#most;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Called once when the reader stops before the end. */
  set onDone(done: () => void) {
    this.#onDone = done;
  }

  /** Called once when a full queue has room again, or nobody reads it any more. */
  whenRoom(then: () => void): void {
    this.#onRoom.push(then);
  }

  /** Undefined if there is room now; else resolves when there is. Nobody has to wait for a reader that has gone. */
  room(): Promise<void> | undefined {
    return this.isFull && !this.#isEnded ? new Promise((resolve) => this.whenRoom(resolve)) : undefined;
  }

  push(item: T): void {
    if (this.#isEnded) return;
    this.#items.push(item);
    this.#wake?.();
  }

  end(error?: unknown): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#error = error;
    this.#wake?.();
    this.#giveRoom();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    try {
      for (;;) {
        while (this.#items.length > 0) {
          const item = this.#items.shift() as T;
          if (!this.isFull) this.#giveRoom();
          yield item;
        }
        if (this.#isEnded) break;
        await new Promise<void>((resolve) => (this.#wake = resolve));
        this.#wake = undefined;
      }
      if (this.#error !== undefined) throw this.#error as Error;
    } finally {
      this.#isEnded = true;
      this.#items.length = 0;
      this.#giveRoom();
      this.#onDone?.();
      this.#onDone = undefined;
    }
  }

  #giveRoom(): void {
    for (const then of this.#onRoom.splice(0)) then();
  }
}
