/** Compares a language header with the value in `_meta`, on requests and on answers (LANG-42…LANG-50). */
import { trimBlanks } from '../blanks.js';

/** Combines the lines of a field in received order, without the blanks around each line. */
export function combineLines(lines: string | readonly string[]): string {
  return typeof lines === 'string' ? trimBlanks(lines) : lines.map(trimBlanks).join(', ');
}

// LANG-42, LANG-43
/**
 * Compares character by character. Nothing is parsed, reordered or normalised, and the `_meta` string is not trimmed. Pass
 * every line of the field, or the combined value.
 */
export function agreeOnField(metaValue: string, lines: string | readonly string[]): boolean {
  return combineLines(lines) === metaValue;
}

/** `absent`: one side has no value, so there is nothing to compare, and `_meta` alone decides. */
export type RequestAgreement = 'absent' | 'agree' | 'disagree';

// LANG-45, LANG-44, LANG-16, LANG-47
/**
 * Compares both sides of a request. A header alone creates no preference; `_meta` alone is enough. A value that is not a
 * string counts as absent, an empty header does not. The grammar is checked later, so two equal malformed values agree.
 */
export function agreeOnRequest(metaValue: unknown, lines: string | readonly string[] | undefined): RequestAgreement {
  const sent = lines !== undefined && (typeof lines === 'string' || lines.length > 0);
  if (typeof metaValue !== 'string' || !sent) return 'absent';
  return agreeOnField(metaValue, lines) ? 'agree' : 'disagree';
}

// LANG-48
/** `unmirrored`: the server left out the header. The body is accepted, with a warning. */
export type ResponseAgreement = 'ok' | 'unmirrored' | 'malformed';

// LANG-49, LANG-50
/**
 * Compares both sides of an answer, or of one message of a stream. `malformed` means that they differ: report an error and trust neither
 * side. A stream may leave the header out, and a header alone says nothing about the message.
 */
export function agreeOnResponse(
  metaValue: unknown,
  lines: string | readonly string[] | undefined,
  kind: 'json' | 'stream',
): ResponseAgreement {
  if (typeof metaValue !== 'string') return 'ok';
  const agreement = agreeOnRequest(metaValue, lines);
  if (agreement === 'absent') return kind === 'stream' ? 'ok' : 'unmirrored';
  return agreement === 'agree' ? 'ok' : 'malformed';
}
