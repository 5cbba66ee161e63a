/** SEP-2792 in the reference server: agreement of header and body, choosing a language, and the tool that speaks it. */
import { isObject, type Message } from '../../wire/json.js';
import { ACCEPT_LANGUAGE, CLIENT_CONTEXT, CONTENT_LANGUAGE, INVALID_PARAMS, SESSION_STATE } from '../../wire/keys.js';
import type { Faults, Lines } from '../reply.js';
import { Refusal, type Request } from './request.js';
import { choose, DEFAULT, type Range, ranges, WORDS } from './words.js';

/** LANG-42, LANG-46, LANG-47: agreement comes before everything else that is done with the language. */
export function agree(faults: Faults, meta: Message, lines: Lines, mismatch: number): void {
  const preference = meta[ACCEPT_LANGUAGE];
  const sent = lines('accept-language').filter((line) => line !== '' || !faults.has('language-empty-header-absent'));
  if (faults.has('language-needs-header') && typeof preference === 'string' && sent.length === 0)
    throw new Refusal(mismatch, 'no header', 400);
  if (typeof preference !== 'string' || sent.length === 0 || faults.has('language-unchecked')) return;
  const joined = faults.has('language-first-line') ? (sent[0] ?? '') : sent.join(', ');
  if (joined === (faults.has('language-trims-end') ? preference.trimEnd() : preference)) return;
  if (faults.has('language-lenient-agreement') && meaning(joined) !== undefined && meaning(joined) === meaning(preference)) return;
  if (faults.has('language-grammar-first') && ranges(preference) === undefined) return;
  const code = faults.has('language-mismatch-code') ? -32001 : mismatch;
  throw new Refusal(code, 'Accept-Language and _meta disagree', 400, { headerValue: joined, metaValue: preference });
}

/** A preference without its spelling: two of them with the same meaning do not agree, though. */
const meaning = (text: string): string | undefined =>
  ranges(text)
    ?.map(({ range, weight }) => `${range};${weight}`)
    .sort()
    .join();

export interface Chosen {
  readonly language: string | undefined;
  readonly fallback: boolean;
}
const NONE: Chosen = { language: undefined, fallback: false };

export class Chooser {
  readonly #faults: Faults;
  #last = NONE;

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  #has(fault: string): boolean {
    return this.#faults.has(fault);
  }

  choose(meta: Message, lines: Lines | undefined): Chosen {
    const found = this.#preference(meta, lines);
    if (found === undefined || found.length === 0) return this.#has('language-sticky') ? this.#last : NONE;
    if (this.#has('language-star-refused') && found.some(({ range }) => range === '*'))
      throw new Refusal(INVALID_PARAMS, 'no such language');
    const language = choose(found, this.#faults);
    if (language === undefined && this.#has('language-refuses-unmatched')) throw new Refusal(INVALID_PARAMS, 'no such language');
    return (this.#last = { language: language ?? DEFAULT, fallback: language === undefined });
  }

  #preference(meta: Message, lines: Lines | undefined): Range[] | undefined {
    let preference = meta[ACCEPT_LANGUAGE];
    if (preference === undefined && this.#has('language-header-alone')) preference = lines?.('accept-language')[0];
    const context = meta[CLIENT_CONTEXT];
    if (preference === undefined && this.#has('language-from-locale') && isObject(context)) preference = context['locale'];
    if (preference !== undefined && typeof preference !== 'string' && this.#has('language-breaks-on-number'))
      throw new TypeError('not a string');
    if (Array.isArray(preference) && this.#has('language-reads-lists')) preference = preference.join();
    const found = typeof preference === 'string' ? ranges(preference, this.#faults) : undefined;
    if (typeof preference === 'string' && found === undefined && this.#has('language-refuses-malformed'))
      throw new Refusal(INVALID_PARAMS, 'malformed preference', 400);
    return found;
  }
}

/** The tool check_language. */
export function speak(faults: Faults, request: Request, { fail, steps, language: argument }: Message): Message {
  const named = typeof argument === 'string' && argument in WORDS && !faults.has('language-ignores-argument') ? argument : undefined;
  const language = named ?? request.language;
  const words = WORDS[language ?? DEFAULT];
  if (fail === true) {
    const labelled = language !== undefined && !faults.has('language-error-unlabelled');
    const code = faults.has('language-error-code') ? -31_990 - Object.keys(WORDS).indexOf(language ?? DEFAULT) : -31_999;
    throw new Refusal(code, words?.failed ?? '', 200, labelled ? { _meta: { [CONTENT_LANGUAGE]: language } } : undefined);
  }
  const token = request.meta['progressToken'] ?? (faults.has('progress-unasked') ? 'progress' : undefined);
  for (let done = 1; typeof steps === 'number' && token !== undefined && done <= steps; done++) {
    const other = faults.has('language-progress-other') ? 'fr' : language;
    const label = language !== undefined && !faults.has('language-progress-unlabelled') && { [CONTENT_LANGUAGE]: other };
    const _meta = { ...label, ...(faults.has('state-in-progress') && { [SESSION_STATE]: { step: done } }) };
    const message = WORDS[faults.has('language-progress-untranslated') ? DEFAULT : (language ?? DEFAULT)]?.step;
    const progressToken = typeof token === 'number' && faults.has('progress-token-as-text') ? String(token) : token;
    const params = { progressToken, progress: faults.has('progress-stands') ? 1 : done, total: steps, message, _meta };
    request.reply.before.push({ jsonrpc: '2.0', method: 'notifications/progress', params });
  }
  const hello = WORDS[faults.has('language-mislabels') ? DEFAULT : (language ?? DEFAULT)]?.hello;
  return { content: [{ type: 'text', text: hello }], ...(language !== undefined && { _meta: { [CONTENT_LANGUAGE]: language } }) };
}

/** The label of a result, with the faults of reporting. */
export function label(faults: Faults, { meta, fallback }: Request, result: Message): void {
  const { [CONTENT_LANGUAGE]: language, ...rest } = isObject(result['_meta']) ? result['_meta'] : {};
  const preference = meta[ACCEPT_LANGUAGE];
  if (typeof language !== 'string' || typeof preference !== 'string') return;
  const found = ranges(preference) ?? [];
  if (faults.has('language-unreported') && found.length > 1) result['_meta'] = rest;
  if (faults.has('language-fallback-unreported') && fallback) result['_meta'] = rest;
  if (faults.has('language-underscore') && fallback) result['_meta'] = { ...rest, [CONTENT_LANGUAGE]: 'en_US' };
  const [first] = preference.split(/[,;]/);
  if (faults.has('language-echo') && found.length === 1) result['_meta'] = { ...rest, [CONTENT_LANGUAGE]: first };
}
