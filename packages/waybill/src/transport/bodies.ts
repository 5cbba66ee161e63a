import { ContextError } from '../wire/errors.js';
import { checkBodyLimits, Gathered, parseBody, unread, type BodyLimits } from './body.js';
import { startTimer, type StartTimer } from './timer.js';

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
        // Code in front may have set the stream to text. A text has another size than its bytes, which would make the count wrong for good.
        if (!ArrayBuffer.isView(chunk)) throw new TypeError('a piece of the body is not binary');
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
      throw unread(error);
    } finally {
      isOver = true;
      stopTimer?.();
      this.#held -= own;
    }
    return body.text();
  }
}
