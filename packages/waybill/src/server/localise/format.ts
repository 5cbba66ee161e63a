/**
 * Dates, numbers, money and lists as the user writes them (CTX-10, D-18, D-31), in the user's zone. `format/words.ts` decides what follows the
 * locale and what follows the language of the answer. Making an `Intl` formatter costs fifty times what using it does, so each is made once.
 */
import { intlTag } from '../../wire/language/tag.js';
import { keep } from '../../wire/memo.js';
import { make, type FormatKind, type FormatPresets } from './format/presets.js';
import { distance } from './format/relative.js';
import { hasWords, wordsLocale, type WordsLocale } from './format/words.js';
import { formatZone, withoutZoneName, type FormatZone } from './format/zone.js';

/** A moment: a `Date`, milliseconds since 1970, or an object with `epochMilliseconds`, such as `environment.now` and Temporal's types. */
export type Moment = Date | number | { readonly epochMilliseconds: number };

/** A range with a start and an exclusive end, such as those of `@waybill/time`, except the kind `until`. */
export interface Stretch {
  readonly start: Moment;
  readonly end: Moment;
  readonly grain?: string;
}

/** `style`: the name of a preset, or options of `Intl`. */
export interface Format {
  readonly locale: string;
  readonly timezone: string;
  date(moment: Moment, style?: string | Intl.DateTimeFormatOptions): string;
  time(moment: Moment, style?: string | Intl.DateTimeFormatOptions): string;
  dateTime(moment: Moment, style?: string | Intl.DateTimeFormatOptions): string;
  /** Names both ends: the first and the last day of a stay. */
  dateRange(first: Moment, last: Moment, style?: string | Intl.DateTimeFormatOptions): string;
  timeRange(first: Moment, last: Moment, style?: string | Intl.DateTimeFormatOptions): string;
  dateTimeRange(first: Moment, last: Moment, style?: string | Intl.DateTimeFormatOptions): string;
  /**
   * Formats a range of `@waybill/time`, whose end is exclusive: "1–31 October". A range without a start or an end throws: "until" and
   * "from" are words for a catalogue.
   */
  period(stretch: Stretch, style?: string | Intl.DateTimeFormatOptions): string;
  /** "Yesterday", "in 3 hours"; counted from the user's now unless `from` is given. */
  relative(moment: Moment, from?: Moment, style?: string | Intl.RelativeTimeFormatOptions): string;
  number(value: number | bigint, style?: string | Intl.NumberFormatOptions): string;
  percent(fraction: number): string;
  /** Money: `currency(9.5, 'EUR')`. */
  currency(value: number | bigint, code: string, style?: string | Intl.NumberFormatOptions): string;
  /** `unit(80, 'kilometer-per-hour')`: a unit of ECMA-402. */
  unit(value: number | bigint, unit: string, style?: string | Intl.NumberFormatOptions): string;
  list(items: Iterable<string>, style?: string | Intl.ListFormatOptions): string;
}

/** The number of formatters that one set keeps. Codes, units and styles mostly come from the author. */
const MAX_FORMATTERS = 256;

/** The formatters for one locale, zone and language; kept from request to request. */
export class FormatSet {
  readonly locale: string;
  readonly timezone: string;
  readonly presets: FormatPresets;
  readonly #words: WordsLocale | undefined;
  readonly #zone: FormatZone;
  readonly #made = new Map<unknown, object>();
  /** Formatters whose style names a zone of its own. */
  readonly #zoned = new WeakSet<object>();
  /** By style, then by currency code or unit. */
  readonly #coded = {
    currency: new Map<string, Map<string, Intl.NumberFormat>>(),
    unit: new Map<string, Map<string, Intl.NumberFormat>>(),
  };

  constructor(locale: string, timezone: string, language: string, presets: FormatPresets) {
    this.locale = intlTag(locale) ?? 'en';
    this.timezone = timezone;
    this.presets = presets;
    this.#words = wordsLocale(this.locale, intlTag(language) ?? this.locale);
    this.#zone = formatZone(timezone);
  }

  /** The formatter for a style object that lives as long as the set: a preset, or a style inside a compiled message. */
  styled(kind: FormatKind, style: object): object {
    return this.#made.get(style) ?? keep(this.#made, style, this.#make(kind, style), MAX_FORMATTERS);
  }

  named(kind: FormatKind, style: string | object = 'default'): object {
    if (typeof style !== 'string') {
      const key = `${kind} ${JSON.stringify(style)}`;
      return this.#made.get(key) ?? keep(this.#made, key, this.#make(kind, style), MAX_FORMATTERS);
    }
    return this.styled(kind, this.#preset(kind, style));
  }

  #preset(kind: FormatKind, name: string): object {
    const styles: Readonly<Record<string, object>> = this.presets[kind];
    if (!Object.hasOwn(styles, name)) throw new RangeError(`format.${kind}: ${JSON.stringify(name)} is no named style`);
    return styles[name] as object;
  }

  /** `exact`: always with its count, even if the style would name the unit ("last month"). */
  relative(style: string | object = 'default', exact: boolean): Intl.RelativeTimeFormat {
    const counted = (): object => ({ ...(typeof style === 'string' ? this.#preset('relative', style) : style), numeric: 'always' });
    return this.named('relative', exact ? counted() : style) as Intl.RelativeTimeFormat;
  }

  /** Money and units: a formatter for each code. */
  coded(kind: 'currency' | 'unit', code: string, style: string | object = 'default'): Intl.NumberFormat {
    // Two lookups: a key made of all three names would cost more than the formatting.
    const known = typeof style === 'string' ? (this.#coded[kind].get(style)?.get(code) ?? this.#named(kind, code, style)) : undefined;
    if (known !== undefined) return known;
    const key = `${kind} ${code} ${JSON.stringify(style)}`;
    return (this.#made.get(key) ??
      keep(this.#made, key, this.#make(kind, { ...(style as object), [kind]: code }), MAX_FORMATTERS)) as Intl.NumberFormat;
  }

  #named(kind: 'currency' | 'unit', code: string, style: string): Intl.NumberFormat {
    const preset = this.#preset(kind, style);
    const codes = this.#coded[kind].get(style) ?? new Map<string, Intl.NumberFormat>();
    this.#coded[kind].set(style, codes);
    return keep(codes, code, this.#make(kind, { ...preset, [kind]: code }) as Intl.NumberFormat, MAX_FORMATTERS);
  }

  /** The instant to pass to a formatter of this set. */
  shifted(moment: unknown, formatter: object): number {
    const { shift } = this.#zone;
    return shift === 0 || this.#zoned.has(formatter) ? instantOf(moment) : instantOf(moment) + shift * 60_000;
  }

  #make(kind: FormatKind, style: object): object {
    const { timeZone, shift } = this.#zone;
    const isZoned = (style as Intl.DateTimeFormatOptions).timeZone !== undefined;
    const shown = shift === 0 || isZoned ? style : withoutZoneName(style);
    const words = this.#words !== undefined && hasWords(kind, shown, this.locale) ? this.#words : undefined;
    const made =
      words === undefined ? make(kind, this.locale, shown, timeZone) : make(kind, words.tags, { ...words.options, ...shown }, timeZone);
    if (isZoned) this.#zoned.add(made);
    return made;
  }
}

function instantOf(moment: unknown): number {
  const instant =
    typeof moment === 'number'
      ? moment
      : moment instanceof Date
        ? moment.getTime()
        : (moment as { epochMilliseconds?: unknown } | null | undefined)?.epochMilliseconds;
  if (typeof instant !== 'number' || !(Math.abs(instant) <= 8.64e15)) throw new TypeError('format: not a moment');
  return instant;
}

/** The number of sets that are kept. A peer chooses locale and zone, so it can replace sets but not add to the memory. */
const MAX_SETS = 64;

/** Returns a function that finds the set of a request. One for each server. */
export function formatSets(presets: FormatPresets): (locale: string, timezone: string, language: string) => FormatSet {
  const sets = new Map<string, FormatSet>();
  return (locale, timezone, language) => {
    const key = `${language} ${locale} ${timezone}`;
    return sets.get(key) ?? keep(sets, key, new FormatSet(locale, timezone, language, presets), MAX_SETS);
  };
}

/** The `format` that a handler sees. `now` is called only for relative times. */
export function formatWith(set: FormatSet, now: () => number): Format {
  type Dates = Intl.DateTimeFormat;
  const single =
    (kind: 'date' | 'time' | 'dateTime') =>
    (moment: Moment, style?: string | Intl.DateTimeFormatOptions): string => {
      const formatter = set.named(kind, style) as Dates;
      return formatter.format(set.shifted(moment, formatter));
    };
  const ranged =
    (kind: 'date' | 'time' | 'dateTime') =>
    (first: Moment, last: Moment, style?: string | Intl.DateTimeFormatOptions): string => {
      const formatter = set.named(kind, style) as Dates;
      return formatter.formatRange(set.shifted(first, formatter), set.shifted(last, formatter));
    };
  const [dateRange, dateTimeRange] = [ranged('date'), ranged('dateTime')];
  const number = (value: number | bigint, style?: string | Intl.NumberFormatOptions): string =>
    (set.named('number', style) as Intl.NumberFormat).format(value);
  return {
    locale: set.locale,
    timezone: set.timezone,
    date: single('date'),
    time: single('time'),
    dateTime: single('dateTime'),
    dateRange,
    timeRange: ranged('time'),
    dateTimeRange,
    period({ start, end, grain }, style) {
      const byTheClock = grain !== undefined && /^(?:hour|minute|second|millisecond)/.test(grain);
      // `Intl` has no word for "until", and the end alone would read as that one day.
      if ((start as unknown) === undefined)
        throw new TypeError(
          'format.period: the range has no start; write "until" in a message of your own, with the moment before its end',
        );
      if ((end as unknown) === undefined)
        throw new TypeError('format.period: the range has no end; write "from" in a message of your own, with its start');
      return byTheClock ? dateTimeRange(start, end, style) : dateRange(start, Math.max(instantOf(start), instantOf(end) - 1), style);
    },
    relative(moment, from, style) {
      const { count, unit, exact } = distance(instantOf(moment), from === undefined ? now() : instantOf(from), set.timezone);
      return set.relative(style, exact === true).format(count, unit);
    },
    number,
    percent: (fraction) => number(fraction, 'percent'),
    currency: (value, code, style) => set.coded('currency', code, style).format(value),
    unit: (value, unit, style) => set.coded('unit', unit, style).format(value),
    list: (items, style) => (set.named('list', style) as Intl.ListFormat).format(items),
  };
}
