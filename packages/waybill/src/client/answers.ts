import type { Message } from '../transport/index.js';
import { ignore } from '../wire/issue.js';
import { isObject, own, type Meta } from '../wire/json.js';
import { language, type ContentLanguage } from '../wire/language.js';
import { keep } from '../wire/memo.js';

/**
 * Returns the language of an answer that the application holds. A result, a progress report and the question of an elicitation carry it in
 * their `_meta`. The SDKs rebuild some errors and drop members they do not know, so `languages` remembers the objects that they reuse.
 */
export function languageOf(answer: unknown): string | undefined {
  if (!isObject(answer)) return undefined;
  const kept = languages.get(answer);
  if (kept !== undefined) return kept;
  const data = own(answer, 'data');
  for (const holder of [answer, own(answer, 'params'), data]) {
    const meta = isObject(holder) ? own(holder, '_meta') : undefined;
    const found = isObject(meta) ? language.result.read(meta, ignore, {}) : undefined;
    if (found !== undefined) return found.text;
  }
  return isObject(data) ? ofData(data, answer) : undefined;
}

/** Maps objects that survive the rebuilding of an error to the language of that error. */
const languages = new WeakMap<object, string>();

export function keepLanguage(object: object, { text }: ContentLanguage): void {
  languages.set(object, text);
}

function ofData(data: Meta, error: Meta): string | undefined {
  for (const part of [data, ...Object.values(data)]) {
    const kept = typeof part === 'object' && part !== null ? languages.get(part) : undefined;
    if (kept !== undefined) return kept;
  }
  return notFound.get(missingKey(data, own(error, 'message')));
}

/**
 * The SDKs rebuild a "resource not found" error from texts only, so it is found again by its texts. The same text in two languages is very
 * unlikely.
 */
const notFound = new Map<string, string>();

function missingKey(data: Meta, message: unknown): string {
  return JSON.stringify([own(data, 'uri'), message]);
}

/**
 * Removes the language from the data of an error that the SDK would otherwise not recognise: it reads an Invalid Params error as "resource not
 * found" only if `data` is exactly `{ uri }`. All other data stays as it came.
 */
export function restoreData(message: Message, found: ContentLanguage): Message {
  const error = message['error'] as Meta;
  const data = error['data'] as Meta;
  for (const part of Object.values(data)) if (typeof part === 'object' && part !== null) keepLanguage(part, found);
  const { _meta: _, ...rest } = data;
  if (typeof own(rest, 'uri') !== 'string' || Object.keys(rest).length !== 1) return message;
  keep(notFound, missingKey(rest, error['message']), found.text);
  return { ...message, error: { ...error, data: rest } };
}
