/**
 * Dates, numbers, money and lists as the user writes them (CTX-10, D-18, D-31), in the user's zone. `format/words.ts` decides what follows the
 * locale and what follows the language of the answer.
 */
import { keep } from '../../wire/memo.js';
import type { FormatPresets } from './format/presets.js';
import { distance } from './format/relative.js';
import { FormatSet, instantOf } from './format/set.js';

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
