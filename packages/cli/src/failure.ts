import type { FailureKind } from './exit.js';

/** Ends a command with one message, what to do about it, and the exit code of its kind. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly kind: FailureKind;
  readonly hint: string | undefined;

  constructor(kind: FailureKind, message: string, hint?: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.hint = hint;
  }
}

export const usage = (message: string, hint?: string): Failure => new Failure('usage', message, hint);
