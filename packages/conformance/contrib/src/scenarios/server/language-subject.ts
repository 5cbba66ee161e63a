/** A server that honours a language preference: which two languages it has, and how it is asked. */
import { type Declared, NotApplicable } from '../declared.js';
import { at, isObject, type Json } from '../json.js';
import { ACCEPT, CONTENT } from '../language-keys.js';
import { type Answer, send } from './raw-exchange.js';

/** A valid tag that no server is expected to have. */
export const UNSUPPORTED = 'tlh';
const CANDIDATES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'ja', 'zh', 'ko', 'ar', 'ru', 'pl', 'sv', 'tr', 'hi'];

export const reported = ({ message }: Answer): unknown =>
  at(message, 'result', '_meta', CONTENT) ?? at(message, 'error', 'data', '_meta', CONTENT);
export const resultOf = ({ message }: Answer): Json | undefined => {
  const result = at(message, 'result');
  return isObject(result) ? result : undefined;
};
export const codeOf = ({ message }: Answer): unknown => at(message, 'error', 'code');

export type LanguageCheck = Declared<LanguageSubject, Promise<string | undefined>>;

export class LanguageSubject {
  readonly #url: string;
  #languages: [string, string] | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  /** `lines`: Accept-Language lines instead of the one that mirrors the preference. */
  call(args: Json, language?: unknown, lines = typeof language === 'string' ? [language] : [], meta: Json = {}): Promise<Answer> {
    return this.#send('tools/call', { name: 'check_language', arguments: args }, language, lines, meta);
  }

  ask(language: string): Promise<Answer> {
    return this.#send('tools/call', { name: 'check_ask', arguments: {} }, language, [language]);
  }

  list(language?: unknown, lines = typeof language === 'string' ? [language] : []): Promise<Answer> {
    return this.#send('tools/list', {}, language, lines);
  }

  #send(method: string, params: Json, language: unknown, lines: string[], meta: Json = {}): Promise<Answer> {
    const preference = language === undefined ? {} : { [ACCEPT]: language };
    return send(
      this.#url,
      method,
      params,
      { ...preference, ...meta },
      lines.flatMap((line) => ['Accept-Language', line]),
    );
  }

  /** Two languages that the server reports when it is asked for them. A server that reports none ignores the preference, which it may. */
  async languages(): Promise<[string, string]> {
    if (this.#languages !== undefined) return this.#languages;
    const found = new Set<string>();
    for (const language of CANDIDATES) {
      const tag = reported(await this.call({}, language));
      if (typeof tag === 'string') found.add(tag);
    }
    const [first, second] = found;
    if (first === undefined) throw new NotApplicable('no answer reports a language: the server ignores the preference');
    if (second === undefined) throw new Error(`the check needs a server with two languages; only ${first} was reported`);
    return (this.#languages = [first, second]);
  }
}
