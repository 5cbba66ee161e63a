/**
 * The stream of a 2025 session for messages that belong to no request. A session may have one, so its listeners and its calls share it. It is
 * opened when it is first needed, and closed some time after the last one has left.
 */
import { discard, statusOf, type Answer } from '../answer.js';
import { NO_SINGLE_CALL, readMessage, replyTo, type Message } from '../message.js';
import { messagesOf } from '../sse.js';

export interface StreamUser {
  /** The user may be asked. A question on this stream names no call, so it counts only if there is one to ask. */
  readonly ask?: (question: Message) => void;
  readonly notify?: (notification: Message) => void;
  /** The upstream has ended the stream. */
  readonly ended?: () => void;
}

export interface StreamOptions {
  readonly name: string;
  open(signal: AbortSignal): Promise<Answer>;
  send(message: Message): void;
}

interface Opening {
  readonly stop: AbortController;
  readonly head: Promise<unknown>;
}

const LINGER = 30_000;
/** Some servers send the head of a stream with its first message only. */
const MAX_WAIT = 1_000;

export class SessionStream {
  readonly #options: StreamOptions;
  readonly #users = new Set<StreamUser>();
  #open: Opening | undefined;
  #isRefused = false;
  #linger: NodeJS.Timeout | undefined;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  /** Resolves when the stream is open, or there is none. Returns how to leave. */
  async join(user: StreamUser): Promise<() => void> {
    this.#users.add(user);
    clearTimeout(this.#linger);
    if (!this.#isRefused) this.#open ??= this.#begin();
    if (this.#open !== undefined) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise((resolve) => (timer = setTimeout(resolve, MAX_WAIT)));
      await Promise.race([this.#open.head, late]);
      clearTimeout(timer);
    }
    return () => {
      this.#users.delete(user);
      if (this.#users.size === 0) this.#linger = setTimeout(() => this.close(), LINGER).unref();
    };
  }

  close(): void {
    clearTimeout(this.#linger);
    this.#open?.stop.abort();
  }

  #begin(): Opening {
    const stop = new AbortController();
    const answer = this.#options.open(stop.signal).catch(() => undefined);
    void this.#read(answer, stop.signal);
    return { stop, head: answer };
  }

  async #read(opening: Promise<Answer | undefined>, signal: AbortSignal): Promise<void> {
    const answer = await opening;
    try {
      if (answer === undefined) return;
      if (statusOf(answer) !== 200) {
        this.#isRefused = statusOf(answer) === 405;
        discard(answer);
        return;
      }
      for await (const { text } of messagesOf(answer, this.#options.name)) {
        const message = readMessage(text);
        if (message?.kind === 'request') this.#question(message);
        else if (message?.kind === 'notification') for (const user of this.#users) user.notify?.(message);
      }
    } catch {
      // The stream only carries hints and questions; the next one who needs it opens another.
    } finally {
      if (this.#open?.stop.signal === signal) this.#open = undefined;
      for (const user of this.#users) user.ended?.();
    }
  }

  #question(question: Message): void {
    const asked = [...this.#users].filter(({ ask }) => ask !== undefined);
    if (question.method === 'ping') this.#options.send(replyTo(question, { result: {} }));
    else if (asked.length === 1) asked[0]?.ask?.(question);
    else this.#options.send(replyTo(question, { error: NO_SINGLE_CALL }));
  }
}
