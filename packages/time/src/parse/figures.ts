/** Dates in figures, in the order of the locale. */
import { civilOf, dayOf, exists, weekdayOf, type Civil } from '../civil.js';
import type { Fields } from '../fields.js';
import { orderOf, ordersOf, type LocaleRules } from '../locale.js';
import { daySpan } from '../span.js';
import { civilDate, civilYear, foreignMonthOf } from '../years.js';
import { areHours } from './clock.js';
import { continues, isSeparator } from './dates.js';
import { NOTHING } from './lexicon.js';
import { isCounted, isSum, isUnknown, itemAt, markAt, wordAt, type Reader } from './reader.js';

/** 3/4/2026, 2026-03-04, 31.10.74, 3/2015, 10.10. in the order of the locale; another order where only that one exists. */
export function readNumericDate(reader: Reader, at: number): Fields | undefined {
  const [first, second] = [itemAt(reader, at), itemAt(reader, at + 2)];
  const mark = markAt(reader, at + 1);
  if (first.num === undefined || second.num === undefined || !isSeparator(mark) || first.digits > 4 || second.digits > 4) return undefined;
  const third = itemAt(reader, at + 4);
  const isTriple = third.num !== undefined && markAt(reader, at + 3) === mark && third.digits <= 4;
  const tight = (second.glued || isDotted(reader, at)) && itemAt(reader, at + 1).glued;
  const letter = letterBefore(reader, at);
  if (!isTriple) return letter === undefined ? readPair(reader, at, mark, tight) : undefined;
  if (
    !tight ||
    !(third.glued || isDotted(reader, at + 2)) ||
    (markAt(reader, at + 5) === mark && itemAt(reader, at + 6).glued && itemAt(reader, at + 6).num !== undefined)
  )
    return undefined;
  reader.end = at + 5;
  if (!reader.when.locale.ownYears && isOldInOtherDigits(reader, at)) return undefined;
  if (letter === undefined) return inOrder(reader, first.num, second.num, third.num, first.digits, third.digits);
  const era = reader.when.locale.language === 'ja' && first.digits <= 2 ? ERAS[letter] : undefined;
  return era !== undefined && exists(era + first.num, second.num, third.num)
    ? { year: era + first.num, month: second.num, day: third.num }
    : undefined;
}

/** ۱۴۰۴ is a year of another calendar, also where the locale is not said to use one. */
export function isOldInOtherDigits(reader: Reader, at: number): boolean {
  const { start, digits, num = 0 } = itemAt(reader, at);
  return digits === 4 && num < 1700 && !/[0-9]/.test(reader.written.charAt(start));
}

/** "24. 12. 2025": a point glued to its number, and one space behind it. */
function isDotted(reader: Reader, at: number): boolean {
  const point = itemAt(reader, at + 1);
  return point.mark === '.' && point.glued && itemAt(reader, at + 2).start === point.end + 1 && itemAt(reader, at).digits <= 4;
}

/** The year before the first of each, by the letter that stands for it in figures: R8.3.19. */
const ERAS: Readonly<Partial<Record<string, number>>> = { m: 1867, t: 1911, s: 1925, h: 1988, r: 2018 };

/** A letter that a number hangs on and that ends no word: that of an era, or else it is the number of something. */
function letterBefore(reader: Reader, at: number): string | undefined {
  const { start, glued } = itemAt(reader, at);
  const before = glued && wordAt(reader, at - 1) === NOTHING ? reader.text.charAt(start - 1) : '';
  return /[a-z]/.test(before) ? before : undefined;
}

/** The tail of something longer: 192.168.0.1, 2020/23/x. */
export function isJoined(reader: Reader, at: number): boolean {
  const before = itemAt(reader, at - 1);
  // An ISO interval has two dates.
  if (itemAt(reader, at).digits === 4 && markAt(reader, at + 1) === '-') return false;
  return (
    itemAt(reader, at).glued && before.glued && isSeparator(before.mark) && before.mark !== '-' && itemAt(reader, at - 2).num !== undefined
  );
}

function readPair(reader: Reader, at: number, mark: string, tight: boolean): Fields | undefined {
  const [first, second] = [itemAt(reader, at), itemAt(reader, at + 2)];
  const [a, b] = [first.num ?? 0, second.num ?? 0];
  // In "3-7 January" the numbers are two days.
  if (wordAt(reader, at + 3).month !== undefined || (wordAt(reader, at + 3).of && wordAt(reader, at + 4).month !== undefined))
    return undefined;
  // "A las 1.30"
  if (continues(reader, at + 3) || wordAt(reader, at - 1).at) return undefined;
  reader.end = at + 3;
  // "On the 24. 2025 was": a space makes one date of figures only where a point ends it.
  if (isDotted(reader, at) && !second.glued && !(markAt(reader, at + 3) === '.' && itemAt(reader, at + 3).glued)) return undefined;
  // In a language without a grammar, a word beside the figures may be the name of the month.
  if (reader.plain && (isUnknown(reader, at - 1) || itemAt(reader, at - 1).num !== undefined || isUnknown(reader, at + 3)))
    return undefined;
  if (second.digits === 4 && first.digits <= 2 && a >= 1 && a <= 12) return monthOf(reader, b, a);
  if (first.digits === 4 && second.digits <= 2 && b >= 1 && b <= 12) return monthOf(reader, a, b);
  // "Monday 9-12" are hours, "Friday 11-20" is a date, if it is a Friday.
  if (mark === '-' && areHours(reader, at) && isAfterDay(reader, at, a, b)) return undefined;
  if (isSum(reader, at + 3) || (mark === '-' && isCounted(reader, at + 3)) || (a === 24 && b === 7)) return undefined;
  // Without a year nobody knows whose months they are.
  if (reader.when.locale.calendar !== undefined) return undefined;
  if (!tight || first.digits > 2 || second.digits > 2) return undefined;
  // 10.12. ends with a point where dates are written so; that is no decimal.
  const pointed = mark === '.' && markAt(reader, at + 3) === '.' && itemAt(reader, at + 3).glued;
  if (pointed) reader.end = at + 4;
  const swap = orderOf(reader.when.locale) === 'dmy' ? exists(2000, b, a) : !exists(2000, a, b);
  const [month, day] = swap ? [b, a] : [a, b];
  if (!exists(2000, month, day)) return undefined;
  return pointed ? { month, day } : { month, day, weak: true };
}

function isAfterDay(reader: Reader, at: number, a: number, b: number): boolean {
  const { weekday, day } = wordAt(reader, at - 1);
  if (weekday === undefined) return day !== undefined;
  const { year } = civilOf(reader.when.today);
  const [month, date] = orderOf(reader.when.locale) === 'dmy' ? [b, a] : [a, b];
  return !exists(year, month, date) || weekdayOf(dayOf(year, month, date)) !== weekday;
}

function monthOf({ when }: Reader, written: number, month: number): Fields | undefined {
  const days = foreignMonthOf(when, written, month);
  if (days !== undefined) return { span: daySpan(days, 'month') };
  const year = civilYear(when, written);
  return year === undefined ? undefined : { month, year };
}

/** No year has one digit: 1.2.3 is a version. */
function inOrder({ when }: Reader, a: number, b: number, c: number, aDigits: number, cDigits: number): Fields | undefined {
  const figures: Readonly<Record<string, number>> = { a, b, c };
  let found: Civil | undefined;
  for (const order of ordersFor(when.locale, aDigits, cDigits)) {
    const at = (part: string): string => 'abc'.charAt(order.indexOf(part));
    const digits = at('y') === 'a' ? aDigits : cDigits;
    if (!when.locale.ownYears && digits < 2) continue;
    const date = civilDate(when, figures[at('y')] ?? 0, figures[at('m')] ?? 0, figures[at('d')] ?? 0);
    if (date === undefined) continue;
    if (order.endsWith('?')) return found ?? date;
    // The locale prints both: which one this is nobody knows.
    if (found && (found.month !== date.month || found.day !== date.day || found.year !== date.year)) return undefined;
    found = date;
  }
  return found;
}

/** The orders to try: the locale's own, and with a question mark those that count only where none of them gives a date. */
function ordersFor(locale: LocaleRules, aDigits: number, cDigits: number): string[] {
  const { long, short } = ordersOf(locale);
  if (aDigits > 2) return [...new Set(['ymd', ...long.filter((order) => order.startsWith('y'))])];
  const yearLast = long.filter((order) => order.endsWith('y'));
  const others = ['dmy?', 'mdy?'];
  if (cDigits > 2) return [...(yearLast.length > 0 ? yearLast : short.filter((order) => order.endsWith('y'))), ...others];
  return [...(short.length > 0 ? short : long), ...others];
}
