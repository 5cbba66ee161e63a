/** Dates in figures, in the order of the locale. */
import { exists } from '../civil.js';
import type { Fields } from '../fields.js';
import { orderOf } from '../locale.js';
import { continues, fullYear, isSeparator } from './dates.js';
import { itemAt, markAt, wordAt, type Reader } from './reader.js';

/** 3/4/2026, 2026-03-04, 31.10.74, 3/2015, 10.10. in the order of the locale; another order where only that one exists. */
export function readNumericDate(reader: Reader, at: number): Fields | undefined {
  const [first, second] = [itemAt(reader, at), itemAt(reader, at + 2)];
  const mark = markAt(reader, at + 1);
  if (first.num === undefined || second.num === undefined || !isSeparator(mark) || first.digits > 4 || second.digits > 4) return undefined;
  const third = itemAt(reader, at + 4);
  const isTriple = third.num !== undefined && markAt(reader, at + 3) === mark && third.digits <= 4;
  const tight = second.glued && itemAt(reader, at + 1).glued;
  if (!isTriple) return readPair(reader, at, mark, tight);
  if (
    !tight ||
    !third.glued ||
    (markAt(reader, at + 5) === mark && itemAt(reader, at + 6).glued && itemAt(reader, at + 6).num !== undefined)
  )
    return undefined;
  reader.end = at + 5;
  return inOrder(reader, first.num, second.num, third.num, first.digits, third.digits);
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
  if (continues(reader, at + 3)) return undefined;
  reader.end = at + 3;
  if (second.digits === 4 && first.digits <= 2 && a >= 1 && a <= 12) return { month: a, year: b };
  if (first.digits === 4 && second.digits <= 2 && b >= 1 && b <= 12) return { month: b, year: a };
  if (!tight || first.digits > 2 || second.digits > 2) return undefined;
  // 10.12. ends with a point where dates are written so; that is no decimal.
  const pointed = mark === '.' && markAt(reader, at + 3) === '.' && itemAt(reader, at + 3).glued;
  if (pointed) reader.end = at + 4;
  const swap = orderOf(reader.when.locale) === 'dmy' ? exists(2000, b, a) : !exists(2000, a, b);
  const [month, day] = swap ? [b, a] : [a, b];
  if (!exists(2000, month, day)) return undefined;
  return pointed ? { month, day } : { month, day, weak: true };
}

function inOrder(reader: Reader, a: number, b: number, c: number, aDigits: number, cDigits: number): Fields | undefined {
  const order = orderOf(reader.when.locale);
  const short = (value: number): number => (value < 100 ? fullYear(reader, value) : value);
  const readings: (readonly [number, number, number])[] =
    aDigits > 2
      ? [[a, b, c]]
      : cDigits > 2 || order === 'dmy' || order === 'mdy'
        ? order === 'mdy'
          ? [
              [short(c), a, b],
              [short(c), b, a],
            ]
          : [
              [short(c), b, a],
              [short(c), a, b],
            ]
        : [
            [short(a), b, c],
            [short(c), b, a],
            [short(c), a, b],
          ];
  const found = readings.find(([year, month, day]) => year >= 1 && exists(year, month, day));
  return found && { year: found[0], month: found[1], day: found[2] };
}
