/** The face of a 2026 stdio server: no sessions, so one process serves everybody unless the configuration says otherwise. */
import { ACCEPTED, noSession, POST_ONLY, type Answer, type Event } from '../answer.js';
import type { Caller, Face, FaceRequest, Post } from '../face.js';
import { isAnswer } from '../message.js';
import type { Channel } from './channel.js';
import { SharedProcesses } from './sharedProcesses.js';
import type { Supervisor } from './supervisor.js';
import type { Share } from '../config/types.js';

export class ModernChild implements Face {
  readonly #supervisor: Supervisor;
  readonly #share: Share;
  readonly #shared = new SharedProcesses<{ readonly channel: Channel }>();
  /** Processes that nobody is using, for callers of whom nothing is known. */
  readonly #free: Channel[] = [];

  constructor(supervisor: Supervisor, share: Share) {
    this.#supervisor = supervisor;
    this.#share = share;
  }

  async post({ message, caller, signal }: Post): Promise<Answer> {
    // A 2026 client cancels by closing its request. An id in a message of its own could be that of another caller's call.
    if (isAnswer(message) || message.method === 'notifications/cancelled') return ACCEPTED;
    const key = this.#keyOf(caller);
    const channel = key === undefined ? await this.#lease(signal) : await this.#joined(key, signal);
    if (message.kind !== 'request') {
      channel.send(message);
      if (key === undefined) this.#free.push(channel);
      return ACCEPTED;
    }
    const messages = channel.request(message, signal, { cancels: true });
    return { kind: 'messages', messages: key === undefined ? this.#returning(messages, channel) : messages };
  }

  get(): Promise<Answer> {
    return Promise.resolve(POST_ONLY);
  }

  delete({ session }: FaceRequest): Promise<Answer> {
    return session === undefined ? this.get() : Promise.reject(noSession());
  }

  #keyOf({ principal, isPipe }: Caller): string | undefined {
    if (this.#share === 'one') return 'one';
    if (isPipe === true && this.#share === 'connection') return 'pipe';
    return principal === undefined ? undefined : `principal ${principal}`;
  }

  async #joined(key: string, signal: AbortSignal): Promise<Channel> {
    const start = async () => ({ channel: await this.#supervisor.start({ isShared: true, questions: 'refused' }, signal) });
    return (await this.#shared.of(key, start)).channel;
  }

  async #lease(signal: AbortSignal): Promise<Channel> {
    for (let free = this.#free.pop(); free !== undefined; free = this.#free.pop()) if (!free.isGone) return free;
    return this.#supervisor.start({ isShared: false, questions: 'refused' }, signal);
  }

  /** A process whose call has no answer may still be at work for its caller, so nobody else gets it. */
  async *#returning(messages: AsyncIterable<Event>, channel: Channel): AsyncGenerator<Event> {
    let isAnswered = false;
    try {
      for await (const event of messages) {
        isAnswered = event.message !== undefined && isAnswer(event.message);
        yield event;
      }
    } finally {
      if (isAnswered) this.#free.push(channel);
      else void channel.end();
    }
  }
}
