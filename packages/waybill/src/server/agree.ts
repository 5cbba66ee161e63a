import { ContextError } from '../wire/errors.js';
import { ACCEPT_LANGUAGE_HEADER, fieldValue, mirroredLanguage, type HeaderSource } from '../wire/headers.js';
import { agreeOnRequest, combineLines, diagnoseMismatch } from '../wire/language.js';
import type { ServerCall } from './call.js';
import type { Room } from './room.js';

/**
 * LANG-42…47: header and body say the same, or one of them says nothing. Checked always, even where no handler cares, and refused
 * with what an operator needs to find who rewrote the header (D-12).
 */
export function agree(call: ServerCall, room: Room): void {
  call.agreed = true;
  // D-32, LANG-63: private whatever the body says, because every cache sees the same `*`.
  if (room.ignoresStar && isStar(call.headers)) {
    call.stripped = true;
    return;
  }
  const language = call.headers && mirroredLanguage(call.message);
  if (language === undefined) return;
  const header = fieldValue(call.headers, ACCEPT_LANGUAGE_HEADER);
  if (header === undefined) call.stripped = true;
  else if (agreeOnRequest(language, header) === 'disagree')
    throw new ContextError('language-mismatch', { ...diagnoseMismatch(ACCEPT_LANGUAGE_HEADER, header, language) }, room.wire);
}

function isStar(headers: HeaderSource | undefined): boolean {
  const header = fieldValue(headers, ACCEPT_LANGUAGE_HEADER);
  return header !== undefined && combineLines(header) === '*';
}

/** D-13, `strict: true`: the first value that is not usable, by its path. Never the language (LANG-11). */
export function requireWellFormed(call: ServerCall): void {
  const issue = call.asked.issues.find(({ concern }) => concern !== 'language');
  if (issue === undefined) return;
  const { key: path, problem } = issue;
  throw new ContextError('invalid-context', { path, problem }, { message: `Invalid request context: ${path} ${problem}` });
}
