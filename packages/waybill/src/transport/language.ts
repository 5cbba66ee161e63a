import { ACCEPT_LANGUAGE_HEADER, isFieldValue, mirroredLanguage } from '../wire/headers.js';
import type { Report } from '../wire/issue.js';
import { ACCEPT_LANGUAGE } from '../wire/keys.js';
import { strip } from '../wire/write.js';
import type { Message } from './types.js';

/**
 * LANG-40, LANG-41: returns the request as it can be sent over HTTP, and the header line that must go with it. A preference that no header
 * can hold is left out and reported. If it were sent in the body alone, a server would have to refuse the call (LANG-46), because Node's
 * `fetch` adds a header `*` by default.
 */
export function mirrorLanguage(message: Message, report: Report): { message: Message; header?: string } {
  const language = mirroredLanguage(message);
  if (language === undefined) return { message };
  if (!isFieldValue(language)) return { message: withoutLanguage(message, 'cannot stand in a header', report) };
  return { message, header: language };
}

/** Removes the preference of a request, for a way that cannot carry it in both places. */
export function withoutLanguage(message: Message, problem: string, report: Report): Message {
  if (mirroredLanguage(message) === undefined) return message;
  report({ concern: 'language', key: ACCEPT_LANGUAGE, problem });
  return strip(message, ['language']);
}

/** Sets `Accept-Language` in header fields and replaces every other spelling of it. */
export function withLanguageHeader(headers: Readonly<Record<string, string>> | undefined, language: string): Record<string, string> {
  // Most calls have no headers of their own, and then nothing has to be searched.
  if (headers === undefined) return { [ACCEPT_LANGUAGE_HEADER]: language };
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== ACCEPT_LANGUAGE_HEADER.toLowerCase());
  return { ...Object.fromEntries(others), [ACCEPT_LANGUAGE_HEADER]: language };
}
