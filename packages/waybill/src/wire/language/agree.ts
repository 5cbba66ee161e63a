import { trimBlanks } from './tag.js';

/** Whether a language header and its `_meta` twin say the same, on requests and on answers (LANG-42…LANG-50). */

/** The field value: blanks around a line are no part of it, and repeated lines are one list in received order. */
export function combineLines(lines: string | readonly string[]): string {
  return typeof lines === 'string' ? trimBlanks(lines) : lines.map(trimBlanks).join(', ');
}

/**
 * LANG-42: character for character; nothing is parsed, folded, reordered or normalised, and the `_meta` string is not trimmed.
 * LANG-43: give it every line, or the value the API combined.
 */
export function agreeOnField(metaValue: string, lines: string | readonly string[]): boolean {
  return combineLines(lines) === metaValue;
}

/** `absent`: one side says nothing, so there is nothing to compare, and `_meta` alone decides. */
export type RequestAgreement = 'absent' | 'agree' | 'disagree';

/**
 * The request matrix. A header alone creates no preference (LANG-45); `_meta` alone stands (LANG-44); a value that is no string is
 * absent (LANG-16); grammar is asked afterwards (LANG-47), so two equal malformed values agree. An empty header is present.
 */
export function agreeOnRequest(metaValue: unknown, lines: string | readonly string[] | undefined): RequestAgreement {
  const sent = lines !== undefined && (typeof lines === 'string' || lines.length > 0);
  if (typeof metaValue !== 'string' || !sent) return 'absent';
  return agreeOnField(metaValue, lines) ? 'agree' : 'disagree';
}

/** `unmirrored`: the server left out the header that LANG-48 asks for; the body is accepted, and worth a warning. */
export type ResponseAgreement = 'ok' | 'unmirrored' | 'malformed';

/**
 * The response matrix, for the whole answer or for one message of a stream. `malformed` means: surface an error and pick no side
 * (LANG-49). A stream may leave the header out (LANG-50), and a header alone claims nothing about the message.
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
