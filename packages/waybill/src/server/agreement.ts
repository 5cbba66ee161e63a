import type { Message } from '../transport/index.js';
import { ContextError } from '../wire/errors.js';
import { ACCEPT_LANGUAGE_HEADER, fieldValue, mirroredLanguage, type HeaderSource } from '../wire/headers.js';
import { agreeOnRequest, combineLines, diagnoseMismatch } from '../wire/language.js';
import type { Layer } from './layer.js';

/** Tells whether header and body name the same language. */
export type Agreement =
  | { readonly kind: 'agree' }
  /** LANG-63: the body has a preference and no header shows it to a cache on the way; `*` shows nothing either. */
  | { readonly kind: 'no-header' }
  | { readonly kind: 'disagree'; readonly error: ContextError };

const AGREE: Agreement = { kind: 'agree' };
const NO_HEADER: Agreement = { kind: 'no-header' };

/** LANG-42…47: compares header and body. The error helps an operator to find out who changed the header (D-12). */
export function agreementOf(message: Message, headers: HeaderSource | undefined, { wire, ignoresStar }: Layer): Agreement {
  // D-32: private for any body, because every cache sees the same `*`.
  if (ignoresStar && isStar(headers)) return NO_HEADER;
  const language = headers && mirroredLanguage(message);
  if (language === undefined) return AGREE;
  const header = fieldValue(headers, ACCEPT_LANGUAGE_HEADER);
  if (header === undefined) return NO_HEADER;
  if (agreeOnRequest(language, header) !== 'disagree') return AGREE;
  const diagnosis = { ...diagnoseMismatch(ACCEPT_LANGUAGE_HEADER, header, language) };
  return { kind: 'disagree', error: new ContextError('language-mismatch', diagnosis, wire) };
}

function isStar(headers: HeaderSource | undefined): boolean {
  const header = fieldValue(headers, ACCEPT_LANGUAGE_HEADER);
  return header !== undefined && combineLines(header) === '*';
}
