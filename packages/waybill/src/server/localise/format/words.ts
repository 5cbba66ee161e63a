/**
 * Formatting for a user whose locale and language differ (D-31): French answers for `en-US`. Output without words (numbers, percent, money,
 * all-numeric dates) follows the locale alone. Output with words, and clock times, is in the language of the answer; the locale adds its
 * region, hour cycle, calendar and digits.
 */
import type { FormatKind } from './presets.js';

/** The locale for output with words, and the options that keep the user's habits in it. */
export interface WordsLocale {
  /** The second one is for a language that `Intl` does not know: without it `Intl` would use the language of the machine. */
  readonly tags: readonly string[];
  readonly options: { readonly hourCycle?: string; readonly calendar: string; readonly numberingSystem: string };
}

/** Returns undefined if the locale is in that language and script already: then it serves for everything. */
export function wordsLocale(locale: string, language: string): WordsLocale | undefined {
  const [own, words] = [new Intl.Locale(locale).maximize(), new Intl.Locale(language).maximize()];
  if (own.language === words.language && own.script === words.script) return undefined;
  const { hourCycle, calendar, numberingSystem } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions();
  return {
    tags: [tagOf(words, own.region), locale],
    options: { ...(hourCycle !== undefined && { hourCycle }), calendar, numberingSystem },
  };
}

/**
 * Returns the language in the region of the locale. The script is named only if the region suggests another one: `zh-Hans-HK`, but `en-AT`,
 * since `Intl` has formats for `en-AT` and would use those of `en-US` for `en-Latn-AT`.
 */
function tagOf({ language, script }: Intl.Locale, region: string | undefined): string {
  if (region === undefined) return script === undefined ? language : `${language}-${script}`;
  const short = `${language}-${region}`;
  return script === undefined || new Intl.Locale(short).maximize().script === script ? short : `${language}-${script}-${region}`;
}

/** True if a style gives words or a clock time in this locale. */
export function hasWords(kind: FormatKind, style: object, locale: string): boolean {
  if (kind === 'list' || kind === 'relative' || kind === 'unit') return true;
  if (kind === 'number' || kind === 'currency') {
    const { notation, style: type, currencyDisplay } = style as Intl.NumberFormatOptions;
    return notation === 'compact' || type === 'unit' || currencyDisplay === 'name';
  }
  // Only the output tells: `dateStyle: 'medium'` is all-numeric in German and has a month name in English. Some digits count as letters.
  const sample = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...style, numberingSystem: 'latn' });
  return sample.formatToParts(0).some(({ type, value }) => CLOCK.has(type) || /\p{L}/u.test(value));
}

const CLOCK: ReadonlySet<string> = new Set(['hour', 'minute', 'second', 'fractionalSecond']);
