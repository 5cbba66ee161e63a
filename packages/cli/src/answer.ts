/** The one JSON object that every command prints with `--json`. */
import type { Failure } from './failure.js';
import type { Run } from './run.js';

type About = Run['about'];

interface AnswerObject {
  readonly ok: boolean;
  readonly command: string | null;
  readonly target: string | null;
  readonly result?: unknown;
  readonly error?: { readonly kind: string; readonly message: string; readonly hint: string | null };
  readonly language: string | null;
  readonly issues: About['issues'];
}

const NO_DETAILS: About = { issues: [] };

export function answered(ok: boolean, command: string, result: unknown, { target, language, issues }: About = NO_DETAILS): AnswerObject {
  return { ok, command, target: target ?? null, result: result ?? null, language: language ?? null, issues };
}

export function failed({ kind, message, hint }: Failure, command: string | undefined, about: About = NO_DETAILS): AnswerObject {
  const { target, language, issues } = about;
  const error = { kind, message, hint: hint ?? null };
  return { ok: false, command: command ?? null, target: target ?? null, error, language: language ?? null, issues };
}
