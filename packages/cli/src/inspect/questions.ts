/** Questions of the server that wait for an answer in the page. */
import type { PageEvent, Question } from './protocol.js';

type Answer = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, string | number | boolean | string[]> };

export class Questions {
  readonly #waiting = new Map<number, { readonly question: Question; readonly settle: (answer: Answer) => void }>();
  readonly #tell: (event: PageEvent) => void;
  #next = 1;

  constructor(tell: (event: PageEvent) => void) {
    this.#tell = tell;
  }

  ask(params: { message: string; requestedSchema?: unknown; url?: string }, language: string | undefined): Promise<Answer> {
    const { message, requestedSchema, url } = params;
    const question: Question = {
      question: this.#next++,
      message,
      ...(language !== undefined && { language }),
      ...(requestedSchema !== undefined && { schema: requestedSchema }),
      ...(url !== undefined && { url }),
    };
    return new Promise((settle) => {
      this.#waiting.set(question.question, { question, settle });
      this.#tell({ type: 'question', question });
    });
  }

  /** False if nobody waits for this answer any more. */
  answer(number: number, answer: Answer): boolean {
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
