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

/** Names the place that an option came from, if nobody typed it. `sources` are by the name of the option: `tz` from `WAYBILL_TZ`. */
export function named(failure: Failure, sources: Readonly<Record<string, string>>): Failure {
  const { kind, message, hint, cause } = failure;
  const text = message.replace(/^--(\w+)\b/, (flag, name: string) => sources[name] ?? flag);
  return text === message ? failure : new Failure(kind, text, hint, cause);
}

export const usage = (message: string, hint?: string): Failure => new Failure('usage', message, hint);
