/** Questions that wait for an answer in the page: of the server, and of the policy about the user's consent. */
import type { PageEvent, Question } from './protocol.js';

export interface Reply {
  readonly action: string;
  readonly content?: Record<string, string | number | boolean | string[]>;
}

export class Questions {
  readonly #waiting = new Map<number, { readonly question: Question; readonly settle: (answer: Reply) => void }>();
  readonly #tell: (event: PageEvent) => void;
  #next = 1;

  constructor(tell: (event: PageEvent) => void) {
    this.#tell = tell;
  }

  /** When the signal ends the call that asks, the question is taken back. */
  ask(question: Omit<Question, 'question'>, signal?: AbortSignal): Promise<Reply> {
    const numbered = { ...question, question: this.#next++ };
    signal?.addEventListener('abort', () => this.answer(numbered.question, { action: 'cancel' }), { once: true });
    return new Promise((settle) => {
      this.#waiting.set(numbered.question, { question: numbered, settle });
      this.#tell({ type: 'question', question: numbered });
    });
  }

  /** False if nobody waits for this answer any more. */
  answer(number: number, answer: Reply): boolean {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    waiting?.settle(answer);
    this.#tell({ type: 'answered', question: number });
    return waiting !== undefined;
  }

  /** For a page that is opened while a question waits. */
  open(): Question[] {
    return [...this.#waiting.values()].map(({ question }) => question);
  }

  cancelAll(): void {
    for (const number of [...this.#waiting.keys()]) this.answer(number, { action: 'cancel' });
  }
}
