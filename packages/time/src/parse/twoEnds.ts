/** A moment, or two of them as the ends of a range. */
import { isYearless, type Fields } from '../fields.js';
import { resolve, type Direction } from '../resolve.js';
import { DAY_MS } from '../zone.js';
import { hasDate, resolveBetween } from './between.js';
import { readBoth } from './both.js';
import { bounded, isFused, readBound, readFused, soFar } from './bounds.js';
import { areHours } from './clock.js';
import { readBehind } from './counted.js';
import { overflows, readEnd, readSecond, withYearBehind } from './ends.js';
import { readLength } from './length.js';
import { readMoment, readSide, skipLinks } from './moment.js';
import { found, REFUSED, type Outcome } from './outcome.js';
import { isCount, isSum, itemAt, markAt, wordAt, type Reader } from './reader.js';
import { readSameBehind } from './same.js';
import { cut } from './third.js';

/** A to B, from A to B, between A and B, A - B; or, where nothing was opened and no second end comes, just A. */
export function readRange(reader: Reader, start: number, at: number, around: Fields | undefined, direction: Direction): Outcome {
  const opened = at > start;
  const { between } = wordAt(reader, at - 1);
  const first = opened ? readEnd(reader, at) : readSide(reader, at, false);
  if (!first) return undefined;
  if (first.clash) return opened ? undefined : REFUSED;
  const firstEnd = reader.end;
  const second = readSecond(reader, firstEnd, opened && between === true, opened);
  const secondAt = skipLinks(reader, firstEnd + 1);
  const last = second && withYearBehind(reader, first.fields, second);
  if (!last) return opened || first.fields.bare !== undefined ? undefined : plain(reader, at, firstEnd, first.fields, direction);
  const end = wordAt(reader, reader.end).boundPost === 'until' ? reader.end + 1 : reader.end;
  // "From 5 to 10 percent", "the night from Friday to Saturday".
  if (
    opened &&
    ((isSum(reader, end) && last.fields.bare !== undefined) ||
      (around?.part !== undefined && hasDate(first.fields) && hasDate(last.fields)))
  )
    return REFUSED;
  // "La nuit de vendredi à samedi" is one night.
  if (first.fields.part === 'night' && hasDate(last.fields) && !last.fields.part && !last.fields.clock) return REFUSED;
  // "Friday-Jun-15" is one date.
  const isDashed = markAt(reader, firstEnd) === '-' && itemAt(reader, firstEnd).glued && itemAt(reader, firstEnd + 1).glued;
  if (isDashed && first.fields.weekday !== undefined && last.fields.month !== undefined && !hasDay(first.fields)) return REFUSED;
  // 23-2020-September; "from 2pm till tomorrow 4:30pm" has two days.
  const isMonth = last.fields.month !== undefined && last.fields.day === undefined && last.fields.bare === undefined;
  const isOtherDay = first.fields.clock && !hasDate(first.fields) && last.fields.clock && startsWithDay(reader, secondAt);
  // Italian "venerdì a marzo" is a Friday in March.
  const isWeekdayOf = first.fields.weekday !== undefined && !hasDay(first.fields) && isMonth;
  if ((first.fields.bare !== undefined && isMonth) || isOtherDay || isWeekdayOf) return REFUSED;
  // "15 to noon" are minutes, "today-7" is a sum.
  const isSumOf = last.fields.bare !== undefined && first.fields.shift?.unit === 'day' && !first.fields.clock;
  const isMinutes = first.fields.bare !== undefined && first.fields.bare % 5 === 0 && wordAt(reader, firstEnd + 1).hour !== undefined;
  if (!opened && (isSumOf || isMinutes)) return REFUSED;
  const span = last.clash ? undefined : resolveBetween(reader.when, first.fields, last.fields, around, direction);
  reader.end = end;
  if (span && overflows(reader, end)) return REFUSED;
  if (!span) return opened || first.fields.bare === undefined ? REFUSED : undefined;
  const weak = !opened && first.fields.weak === true && last.fields.weak === true;
  return {
    ...found(start, end, span),
    weak,
    yearless: isYearless({ ...first.fields, ...last.fields, ...(first.fields.year !== undefined && { year: first.fields.year }) }),
  };
}

/** A moment is the range that has no second end. */
function plain(reader: Reader, at: number, end: number, fields: Fields, direction: Direction): Outcome {
  const next = wordAt(reader, end);
  reader.end = end;
  if (next.thirdPost) {
    const whole = resolve(reader.when, fields, direction);
    const part = whole && cut(at, end + 1, whole, next.thirdPost, next.spoils === undefined);
    return part ? { ...part, yearless: isYearless(fields) } : REFUSED;
  }
  if (next.spoils === true || (markAt(reader, end) === '(' && wordAt(reader, end + 1).spoils)) return REFUSED;
  if (next.soFar) return soFar(reader, at, { fields, clash: false });
  const same = readSameBehind(reader, at, end, fields);
  if (same) return same;
  reader.end = end;
  const behind = next.of || next.boundPost || next.lead !== undefined ? readBehind(reader, at, end, fields, direction) : undefined;
  if (behind) return behind;
  if (next.boundPost) {
    if (readLength(reader, end + 1) || itemAt(reader, end + 1).num !== undefined || wordAt(reader, end + 1).quarter !== undefined)
      return REFUSED;
    reader.end = end + 1;
    return bounded(reader, at, next.boundPost, fields, direction.prefer);
  }
  if (isDay(fields) && areHours(reader, end)) {
    const hours = readRange(reader, at, end, fields, direction);
    if (hours) return hours;
    reader.end = end;
  }
  if (next.from ?? next.between) {
    const range = readRange(reader, at, end + 1, fields, direction);
    if (range) return range;
    if (itemAt(reader, end + 1).num !== undefined && !isCount(reader, end + 2)) return REFUSED;
  }
  // "Ayer después de las 18", "Freitag vor einer Woche".
  const bound = next.bound ? skipLinks(reader, end + 1) : undefined;
  if (bound !== undefined && itemAt(reader, bound).num !== undefined && !isCount(reader, bound + 1) && !wordAt(reader, bound + 1).unit)
    return REFUSED;
  // Dutch "voor" is also "for".
  if (next.lead !== undefined && reader.when.locale.language !== 'nl' && readLength(reader, end + 1)) return REFUSED;
  if ((next.bound && readBound(reader, end, next.bound, direction.prefer)) || (isFused(next) && readFused(reader, end))) return REFUSED;
  const both = next.and ? readBoth(reader, at, end, fields, direction) : undefined;
  if (both) return both;
  if (
    (next.and && readMoment(reader, skipLinks(reader, end + 1))) ||
    overflows(reader, end) ||
    readLength(reader, next.and ? end + 1 : skipLinks(reader, end))
  )
    return REFUSED;
  reader.end = end;
  const span = resolve(reader.when, fields, direction);
  if (!span) return fields.weak ? undefined : REFUSED;
  if (next.spoils && span.to - span.from > DAY_MS) return REFUSED;
  return { span, kind: 'period', fields, weak: fields.weak === true, yearless: isYearless(fields), start: at, end };
}

const isDay = ({ weekday, shift, clock, part }: Fields): boolean => (weekday ?? shift?.unit) !== undefined && !clock && !part;

const hasDay = ({ day, month, bare }: Fields): boolean => (day ?? month ?? bare) !== undefined;

const startsWithDay = (reader: Reader, at: number): boolean => (wordAt(reader, at).day ?? wordAt(reader, at).weekday) !== undefined;
