/**
 * Language: SEP-2792 "Per-Request User Language Preference", a draft with a precise text. A request says which languages its user
 * prefers in the syntax of `Accept-Language` (LANG-02); the answer says which was used in the syntax of `Content-Language`
 * (LANG-20, LANG-21). `_meta` is canonical; on HTTP the header carries the same characters, or is left out (LANG-40…LANG-53).
 * A malformed value counts as absent and never fails a request by itself (LANG-11).
 */
import type { Concern, Facet } from './concern.js';
import type { Issue, Report } from './issue.js';
import { own, type Meta } from './json.js';
import { ACCEPT_LANGUAGE, CONTENT_LANGUAGE } from './keys.js';
import { formatAcceptLanguage, preferenceOf, tidy, type LanguagePreference } from './language/accept.js';
import { keep } from './memo.js';
import { MAX_VALUE_LENGTH, MAX_TAGS, parseContentLanguage } from './language/tag.js';

export { formatAcceptLanguage, languagePreference, parseAcceptLanguage } from './language/accept.js';
export type { LanguagePreference, LanguageRange } from './language/accept.js';
export { agreeOnRequest, agreeOnResponse, combineLines, type RequestAgreement, type ResponseAgreement } from './language/agree.js';
export {
  languageChooser,
  type ChooserOptions,
  type LanguageChoice,
  type LanguageChooser,
  type LanguageStrategy,
} from './language/choose.js';
export { diagnoseMismatch, type LanguageMismatch } from './language/diagnose.js';
export { translation, translationRule, type FieldRules, type TranslatedType, type TranslationRule } from './language/fields.js';
export { checkTag, isWellFormedTag, parseContentLanguage } from './language/tag.js';

/** The language an answer is in. */
export interface ContentLanguage {
  /** The value exactly as it travels. */
  readonly text: string;
  /** Its BCP 47 tags; never empty. */
  readonly tags: readonly string[];
}

/** A facet that also writes the simpler forms of a program: a text, or a list of tags with the best first. */
export interface LanguageFacet<T> extends Facet<T> {
  write(value: T | string | readonly string[], report: Report): Meta;
}

const acceptLanguage: LanguageFacet<LanguagePreference> = {
  read(meta, report) {
    const text = textOf(meta, ACCEPT_LANGUAGE, report);
    const preference = text === undefined ? 'none' : preferenceOf(text);
    if (preference === 'malformed') report(malformed(ACCEPT_LANGUAGE, text));
    return typeof preference === 'string' ? undefined : preference;
  },
  write(value, report) {
    const text = outgoing(value, formatAcceptLanguage);
    const preference = text === undefined ? 'malformed' : preferenceOf(text);
    if (preference === 'malformed') report(malformed(ACCEPT_LANGUAGE));
    return typeof preference === 'string' ? {} : { [ACCEPT_LANGUAGE]: preference.text };
  },
};

const contentLanguage: LanguageFacet<ContentLanguage> = {
  read(meta, report) {
    const text = textOf(meta, CONTENT_LANGUAGE, report);
    const content = text === undefined ? undefined : contentOf(text);
    if (text !== undefined && content === undefined) report(malformed(CONTENT_LANGUAGE, text));
    return content;
  },
  write(value, report) {
    const content = contentOf(outgoing(value, (tags) => tags.join(', ')) ?? '');
    if (content === undefined) report(malformed(CONTENT_LANGUAGE));
    return content === undefined ? {} : { [CONTENT_LANGUAGE]: content.text };
  },
};

/** LANG-16: a value that is not a string counts as absent. */
function textOf(meta: Meta, key: string, report: Report): string | undefined {
  const value = own(meta, key);
  if (value === undefined || typeof value === 'string') return value;
  report({ concern: 'language', key, problem: 'is not a string' });
  return undefined;
}

/** Describes a malformed value. A value that is too long is refused unread. */
function malformed(key: string, text = ''): Issue {
  if (text.length > MAX_VALUE_LENGTH || text.split(',', MAX_TAGS + 1).length > MAX_TAGS)
    return { concern: 'language', key, problem: `has more than ${MAX_TAGS} members or ${MAX_VALUE_LENGTH} characters` };
  return { concern: 'language', key, problem: `is not ${key === ACCEPT_LANGUAGE ? 'an Accept-Language' : 'a Content-Language'} value` };
}

/** A value that was read is passed on unchanged (LANG-52); a text of a program is tidied first. */
function outgoing(value: unknown, format: (tags: readonly string[]) => string): string | undefined {
  if (typeof value === 'string') return tidy(value);
  if (!Array.isArray(value)) {
    const text = typeof value === 'object' && value !== null ? (value as { text?: unknown }).text : undefined;
    return typeof text === 'string' ? text : undefined;
  }
  try {
    return format(value as readonly string[]);
  } catch {
    return undefined;
  }
}

const contents = new Map<string, ContentLanguage>();

function contentOf(text: string): ContentLanguage | undefined {
  if (text.length > MAX_VALUE_LENGTH) return undefined;
  const known = contents.get(text);
  if (known !== undefined) return known;
  const tags = parseContentLanguage(text);
  return tags && keep(contents, text, Object.freeze({ text, tags: Object.freeze(tags) }));
}

// LANG-22…LANG-24
/** Results of every type carry it, errors in `error.data._meta`, and notifications that belong to the request. */
export interface LanguageConcern extends Concern<LanguagePreference, ContentLanguage, ContentLanguage, ContentLanguage> {
  readonly request: LanguageFacet<LanguagePreference>;
  readonly result: LanguageFacet<ContentLanguage>;
  readonly error: LanguageFacet<ContentLanguage>;
  readonly notification: LanguageFacet<ContentLanguage>;
}

export const language: LanguageConcern = {
  name: 'language',
  keys: () => [ACCEPT_LANGUAGE, CONTENT_LANGUAGE],
  request: acceptLanguage,
  result: contentLanguage,
  error: contentLanguage,
  notification: contentLanguage,
};
