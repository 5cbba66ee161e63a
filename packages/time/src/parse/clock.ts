/** Clock times: 15:30, 3pm, half past 3, halb vier, 3 heures et quart, 三点半, 午後3時. */
import type { Clock, Fields } from '../fields.js';
import { isCounted, isSum, isUnknown, itemAt, markAt, readNumber, wordAt, type Reader } from './reader.js';

export function readClock(reader: Reader, at: number): Fields | undefined {
  let next = at;
  const saidAt = wordAt(reader, next).at === true || markAt(reader, next) === '@';
  if (saidAt) next++;
  if (wordAt(reader, next).about) next++;
  const clock = readPlainHour(reader, next) ?? readBefore(reader, next) ?? readHour(reader, next, saidAt);
  if (!clock) return undefined;
  return saidAt || clock.grain !== 'minute' ? { clock } : { clock, weak: true };
}

/** "9-12" where nothing but a clock could be meant: two hours, and then the end, a mark or a word of the clock. */
export function areHours(reader: Reader, at: number): boolean {
  const [first, last] = [itemAt(reader, at), itemAt(reader, at + 2)];
  const joins =
    markAt(reader, at + 1) === '-' || markAt(reader, at + 1) === '~' || (wordAt(reader, at + 1).to && !wordAt(reader, at + 1).at);
  if (!joins || first.digits > 2 || last.digits > 2 || !isHour(first.num) || !isHour(last.num)) return false;
  return endsNumber(reader, at + 3);
}

/** Nothing that the number before it could be a count of. */
function endsNumber(reader: Reader, at: number): boolean {
  const { mark, word } = itemAt(reader, at);
  if (at >= reader.items.length || word.meridiem !== undefined || word.oclock || word.hourly) return true;
  return mark !== '' && mark !== '.' && mark !== '%' && mark !== '-' && mark !== '/';
}

const isHour = (num: number | undefined): boolean => num !== undefined && num <= 24;

/** Noon, midnight. */
function readPlainHour(reader: Reader, at: number): Clock | undefined {
  const { hour } = wordAt(reader, at);
  if (hour === undefined) return undefined;
  reader.end = at + 1;
  return withMinutes(reader, hour, 0, false, false);
}

/** "Half past 3", "quarter to 4", "10 minutes to 4". */
function readBefore(reader: Reader, at: number): Clock | undefined {
  const { before } = wordAt(reader, at);
  let minutes = before;
  let next = at + 1;
  if (minutes === undefined) {
    const value = readNumber(reader, at);
    if (value === undefined || value > 59) return undefined;
    next = wordAt(reader, reader.end).unit === 'minute' ? reader.end + 1 : reader.end;
    const { past } = wordAt(reader, next);
    if (past === undefined) return undefined;
    minutes = value * past;
    next++;
  }
  const noon = wordAt(reader, next).hour;
  const hour = noon ?? readNumber(reader, next);
  if (hour === undefined || hour > 24) return undefined;
  // "4 past 24 hours"
  if (noon === undefined && wordAt(reader, reader.end).unit !== undefined && !wordAt(reader, reader.end).oclock) return undefined;
  if (noon !== undefined) reader.end = next + 1;
  if (wordAt(reader, reader.end).oclock) reader.end++;
  return withMinutes(reader, hour, minutes, noon === undefined && hour <= 12, true);
}

const FIRST_HOUR = 7;
const DIGITAL: ReadonlySet<string> = new Set(['de', 'fr', 'it', 'nl', 'pt', 'es']);

function readHour(reader: Reader, at: number, saidAt: boolean): Clock | undefined {
  const hour = readNumber(reader, at);
  if (hour === undefined || !Number.isInteger(hour) || hour > 24 || itemAt(reader, at).digits > 2 || wordAt(reader, at).article)
    return undefined;
  let next = reader.end;
  const behind = wordAt(reader, next);
  if (
    (saidAt ? isSum(reader, next) : isCounted(reader, next)) ||
    isDecimal(reader, next) ||
    (!saidAt && hour <= 12 && isLength(reader, at, next))
  )
    return undefined;
  // "Las 24 horas"
  if (hour === 24 && !saidAt && behind.unit === 'hour') return undefined;
  let certain = saidAt && behind.rel === undefined && (behind.unit === undefined || behind.oclock === true);
  let minute = 0;
  let second = 0;
  let grain: Clock['grain'] = 'hour';
  const { mark, word } = itemAt(reader, next);
  const minutes = itemAt(reader, next + 1);
  if (
    (mark === ':' || (mark === '.' && (saidAt || wordAt(reader, next + 2).oclock || wordAt(reader, next + 2).meridiem))) &&
    minutes.glued &&
    minutes.digits === 2 &&
    (minutes.num ?? 60) < 60
  ) {
    minute = minutes.num ?? 0;
    grain = 'minute';
    certain = true;
    next += 2;
    const seconds = itemAt(reader, next + 1);
    if (markAt(reader, next) === ':' && seconds.digits === 2 && (seconds.num ?? 60) < 60) {
      second = seconds.num ?? 0;
      grain = 'second';
      next += 2;
    }
    if (wordAt(reader, next).oclock) next++;
  } else if (word.oclock) {
    certain = true;
    next++;
    const value = wordAt(reader, next).article || wordAt(reader, next).behind !== undefined ? undefined : readNumber(reader, next);
    const minuteWord = wordAt(reader, reader.end).unit === 'minute';
    if (value !== undefined && value < 60 && (minuteWord || itemAt(reader, next).digits === 2 || itemAt(reader, next).num === undefined)) {
      minute = value;
      grain = 'minute';
      next = minuteWord ? reader.end + 1 : reader.end;
    }
  } else if (word.behind !== undefined || (hour >= 1 && hour <= 12 && leadsToPart(reader, next, at === 0))) certain = true;
  else if (saidAt && word.and) {
    const value = readNumber(reader, next + 1);
    if (value !== undefined && value < 60 && !wordAt(reader, reader.end).unit) {
      minute = value;
      grain = 'minute';
      next = reader.end;
    }
  }
  reader.end = next;
  const clock = withMinutes(reader, hour, minute, hour >= 1 && hour <= 12, grain !== 'hour', grain === 'second' ? second : undefined);
  if (!clock || !(certain || reader.end > next)) return undefined;
  // In places with a 24-hour clock "9 o'clock" is in the morning, and "3 o'clock" more likely in the afternoon.
  const isDigital =
    mark === ':' ||
    (mark === '.' && grain !== 'hour' && DIGITAL.has(reader.when.locale.language)) ||
    (word.oclock === true && hour >= FIRST_HOUR && DIGITAL.has(reader.when.locale.language));
  return isDigital ? { ...clock, digital: true } : clock;
}

/** "At 3.5 percent", "à 12,50 €". */
function isDecimal(reader: Reader, at: number): boolean {
  const [point, digits] = [itemAt(reader, at), itemAt(reader, at + 1)];
  return (point.mark === ',' || point.mark === '.') && point.glued && digits.glued && digits.num !== undefined && isCounted(reader, at + 2);
}

/** "A meeting of 2 hours", "2h meeting": the word for the hour is that of the clock, too. */
function isLength(reader: Reader, at: number, behind: number): boolean {
  const { unit, oclock, plural } = wordAt(reader, behind);
  if (unit !== 'hour' || !oclock || itemAt(reader, behind + 1).num !== undefined) return false;
  if (reader.when.locale.language === 'en') return true;
  const { day = 0, weekday, part, month } = wordAt(reader, at - 1);
  // "Morgen 9 uur vergadering" is a time, "gisteren 3 uur gewerkt" a length.
  if (day > 0 || (weekday ?? part ?? month) !== undefined) return false;
  const isRange = (wordAt(reader, behind + 1).to ?? wordAt(reader, behind + 1).upTo) !== undefined;
  return (
    (wordAt(reader, at - 1).of === true && !isRange) ||
    ((plural === true || reader.when.locale.language === 'nl') && (isUnknown(reader, behind + 1) || isUnknown(reader, at - 1)))
  );
}

/** "6 in the morning", "8 tonight", "9 tomorrow morning". "8 this evening" where it begins the text: "we sold 8 this evening". */
function leadsToPart(reader: Reader, at: number, begins: boolean): boolean {
  const { hourly, day, rel, part } = wordAt(reader, at);
  return hourly === true || ((day !== undefined || (begins && rel === 0)) && (part ?? wordAt(reader, at + 1).part) !== undefined);
}

/** Reads what follows the hour: "and a half", am or pm. */
function withMinutes(reader: Reader, hour: number, minutes: number, open: boolean, precise: boolean, second?: number): Clock | undefined {
  let total = hour * 60 + minutes;
  let fine = precise;
  const { behind } = wordAt(reader, reader.end);
  if (behind !== undefined) {
    total += behind;
    fine ||= behind !== 0;
    reader.end++;
  }
  const { meridiem } = wordAt(reader, reader.end);
  if (meridiem !== undefined) {
    if (hour > 12) return undefined;
    reader.end++;
    total = (total % 720) + (meridiem === 'pm' ? 720 : 0);
  }
  // Half past midnight
  if (hour === 24 && total > 1440) total -= 1440;
  if (total < 0 || total > 1440) return undefined;
  const grain = second !== undefined ? 'second' : fine ? 'minute' : 'hour';
  return { hour: Math.floor(total / 60), minute: total % 60, second: second ?? 0, grain, open: open && meridiem === undefined };
}
