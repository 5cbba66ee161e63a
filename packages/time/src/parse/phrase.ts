/** A whole phrase at one place: a moment, two of them as the ends of a range, or one of the other forms. */
import { isYearless, type Fields } from '../fields.js';
import { resolve, type Direction } from '../resolve.js';
import type { DayUnit, Unit } from '../calendar.js';
import { endOf, unitSpan } from '../span.js';
import { DAY_MS } from '../zone.js';
import { hasDate, resolveBetween } from './between.js';
import { readAge } from './age.js';
import { boundedBy, isFused, readAhead, readBound, readFused, readOnward, readRest, soFar, toDate } from './bounds.js';
import { areHours } from './clock.js';
import { readAnchored, readBehind, readWeekOf } from './counted.js';
import { readYear } from './dates.js';
import { readLength } from './length.js';
import { readMoment, readSide, skipLinks, type Moment } from './moment.js';
import { found, REFUSED, refuse, type Outcome } from './outcome.js';
import { readFiscal } from './fiscal.js';
import { readSame, readSameBehind } from './same.js';
import { cut, readThird, readThirdOf } from './third.js';
import { readWorkdays } from './workdays.js';
import { isCount, isSum, isUnknown, itemAt, markAt, wordAt, type Reader } from './reader.js';

export function readPhrase(reader: Reader, at: number, prefer: Direction['prefer']): Outcome {
  const word = wordAt(reader, at);
  const direction: Direction = { prefer, day: reader.when.today, inclusive: false };
  // "Last month to date" is nothing.
  if (word.toDate) {
    // "YTD 2025" is another year's.
    const isOther =
      (wordAt(reader, at - 1).rel ?? 0) !== 0 || itemAt(reader, at - 1).digits === 4 || readMoment(reader, skipLinks(reader, at + 1));
    return isOther ? REFUSED : toDate(reader, at, word.toDate);
  }
  // "Año hasta la fecha", "Jahr bis heute"
  if (isBareUnit(reader, at) && wordAt(reader, at + 1).soFar && isCalendarUnit(word.unit))
    return { ...toDate(reader, at, word.unit), end: at + 2 };
  const { num = word.num } = itemAt(reader, at);
  if ((num ?? word.rel ?? word.lead ?? word.age ?? word.ord ?? word.label ?? word.workday ?? word.fiscal) !== undefined) {
    const counted =
      readWorkdays(reader, at, direction) ?? readFiscal(reader, at) ?? readMonths(reader, at, direction) ?? readAge(reader, at);
    if (counted) return counted;
  }
  const same = (word.same ?? word.lastYears) ? readSame(reader, at) : undefined;
  if (same) return same;
  if (word.from ?? word.between) {
    const range = readRange(reader, at, at + 1, undefined, direction);
    if (range) return range;
    const onwards = word.from && readOnward(reader, at, prefer);
    if (onwards) return onwards;
    const ahead = word.from && !word.of ? readAhead(reader, at) : undefined;
    if (ahead) return ahead;
  }
  // "The week before 5 May" is not all that was before.
  if ((word.bound === 'before' || word.bound === 'after') && isBareUnit(reader, at - 1)) return REFUSED;
  // Dutch "voor" is also "for": "een tafel voor zaterdag".
  if (word.bound === 'before' && word.past !== undefined && isUnknown(reader, at - 1) && reader.when.locale.language === 'nl') {
    const moment = readMoment(reader, skipLinks(reader, at + 1));
    if (moment && !moment.clash && moment.fields.span === undefined) return REFUSED;
  }
  if (word.bound) {
    const outcome = readBound(reader, at, word.bound, prefer);
    if (outcome) return outcome;
  }
  // The noun before it may have been passed over already, or be read with it below.
  const fused = isFused(word) ? at : isFused(wordAt(reader, at + 1)) ? at + 1 : undefined;
  if (fused !== undefined) {
    const outcome = readFused(reader, fused);
    if (outcome && (fused === at || outcome === REFUSED)) return outcome;
  }
  const begun = word.ago === 1 ? readBegun(reader, at, direction) : undefined;
  if (begun) return begun;
  if (word.onset || (word.ago === 1 && word.day === 0)) return fromNow(reader, at);
  if (word.soFar) {
    const moment = readMoment(reader, skipLinks(reader, at + 1));
    if (moment) return soFar(reader, at, moment);
    const { now } = reader.when;
    if (word.asOf) return found(at, at + 1, { from: now, to: now, grain: 'second', exact: 3 }, 'until');
  }
  if (word.rest) {
    const rest = readRest(reader, at);
    if (rest) return rest;
  }
  if (word.thirdUnit) return readThirdOf(reader, at);
  if (word.deadline) return readDeadline(reader, at, word.deadline);
  if (word.earlier) {
    const moment = readMoment(reader, skipLinks(reader, at + 1));
    if (moment) return moment.fields.shift?.by === 0 ? soFar(reader, at, moment) : REFUSED;
  }
  const third = (word.third ?? word.edge) ? readThird(reader, at, direction) : undefined;
  if (third) return third;
  const isNamed = word.named && wordAt(reader, at + 1).weekday !== undefined;
  const isVague = isNamed || (word.vague && !(word.lone && at > 0 && markAt(reader, at - 1) === ''));
  if (isVague || word.edge) {
    const next = skipVague(reader, at);
    if (next === undefined) return undefined;
    // "The end of the month of March"
    const inner = wordAt(reader, next).unit !== undefined && wordAt(reader, next + 1).of ? skipLinks(reader, next + 1) : next;
    const isPhrase = readPhrase(reader, next, prefer) ?? (inner > next && readPhrase(reader, inner, prefer));
    return isPhrase ? refuse(reader, 'vague', at) : undefined;
  }
  // "Dans les 15 jours" is within them.
  if (word.lead === 1 && wordAt(reader, at + 1).skip && wordAt(reader, at + 1).num === undefined && readLength(reader, at + 2))
    return REFUSED;
  const week = word.unit === 'week' ? readWeekOf(reader, at, direction) : undefined;
  if (week) return week;
  return readAnchored(reader, at, direction) ?? readRange(reader, at, at, undefined, direction);
}

/** 1-3月, 2025年7-9月: the word for the month is said once. */
function readMonths(reader: Reader, at: number, direction: Direction): Outcome {
  const year = wordAt(reader, at + 1).yearSuffix ? readYear(reader, at) : undefined;
  const from = year === undefined ? at : reader.end;
  const [first, last] = [itemAt(reader, from).num, itemAt(reader, from + 2).num];
  const mark = markAt(reader, from + 1);
  if (first === undefined || last === undefined || !(mark === '-' || mark === '~' || wordAt(reader, from + 1).to)) return undefined;
  if (!wordAt(reader, from + 3).monthSuffix || itemAt(reader, from + 4).num !== undefined) return undefined;
  if (first < 1 || last < first || last > 12) return REFUSED;
  const dated = year === undefined ? {} : { year };
  const span = resolveBetween(reader.when, { month: first, ...dated }, { month: last, ...dated }, undefined, direction);
  return span ? { ...found(at, from + 4, span), yearless: year === undefined } : REFUSED;
}

/** "From today until Friday", "from now on until Friday": one word says both where it begins and that something does. */
function readBegun(reader: Reader, at: number, direction: Direction): Outcome {
  const last = readSecond(reader, at + 1, false, true);
  if (!last) return undefined;
  const { when, end } = reader;
  const until = last.clash ? undefined : resolve(when, last.fields, { ...direction, inclusive: true });
  if (!until || endOf(when, until) <= when.now) return REFUSED;
  const from = wordAt(reader, at).day === 0 ? when.today * DAY_MS : when.now;
  return found(at, end, { ...until, from, exact: wordAt(reader, at).day === 0 ? until.exact : until.exact === 0 ? 1 : until.exact });
}

/** "From today on", "from now on". */
function fromNow(reader: Reader, at: number): Outcome {
  const { when } = reader;
  const isToday = wordAt(reader, at).day === 0;
  const end = wordAt(reader, at + 1).onward || wordAt(reader, at + 1).boundPost === 'onward' ? at + 2 : at + 1;
  const from = isToday ? when.today * DAY_MS : when.now;
  return found(at, end, { from, to: from, grain: isToday ? 'day' : 'second', exact: isToday ? 0 : 3 }, 'from');
}

/** "By EOD": until the end of today. */
function readDeadline(reader: Reader, at: number, unit: DayUnit): Outcome {
  const moment = readMoment(reader, skipLinks(reader, at + 1));
  const stop = moment ? reader.end : at + 1;
  const direction: Direction = { prefer: 'future', day: reader.when.today, inclusive: true };
  const span = moment ? (moment.clash ? undefined : resolve(reader.when, moment.fields, direction)) : unitSpan(reader.when, unit, 0);
  if (span?.grain !== unit || span.exact !== 0) return REFUSED;
  const edge = endOf(reader.when, span);
  return found(at, stop, { from: edge, to: edge, grain: unit, exact: 3 }, 'until');
}

const isCalendarUnit = (unit: Unit | undefined): unit is DayUnit =>
  unit !== 'hour' && unit !== 'minute' && unit !== 'second' && unit !== undefined;

function isBareUnit(reader: Reader, at: number): boolean {
  const { unit, plural, label } = wordAt(reader, at);
  return (
    unit !== undefined &&
    !plural &&
    (unit === 'day' || unit === 'week' || unit === 'month' || unit === 'quarter' || (unit === 'year' && label !== undefined))
  );
}

/** What a word like "late" is said of; a few of them may follow each other ("at the very end of mid-"). */
function skipVague(reader: Reader, at: number): number | undefined {
  let next = at;
  for (let words = 0; words < 3; words++) {
    next = skipLinks(reader, markAt(reader, next + 1) === '-' ? next + 2 : next + 1);
    // Italian "non a marzo"
    if (
      (wordAt(reader, next).at ?? wordAt(reader, next).to) &&
      !readPhrase(reader, next, 'future') &&
      wordAt(reader, next).weekday === undefined
    )
      next++;
    if (!(wordAt(reader, next).vague ?? wordAt(reader, next).edge)) return next;
  }
  return undefined;
}

/** A to B, from A to B, between A and B, A - B; or, where nothing was opened and no second end comes, just A. */
function readRange(reader: Reader, start: number, at: number, around: Fields | undefined, direction: Direction): Outcome {
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
  const isSumOf =
    last.fields.bare !== undefined && first.fields.shift?.unit === 'day' && !first.fields.clock && markAt(reader, firstEnd) === '-';
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

const hasDay = ({ day, month, bare }: Fields): boolean => (day ?? month ?? bare) !== undefined;
const startsWithDay = (reader: Reader, at: number): boolean => (wordAt(reader, at).day ?? wordAt(reader, at).weekday) !== undefined;

/** "March 3 to 5, 2025": the year stands behind both days. */
function withYearBehind(reader: Reader, { month, day, year }: Fields, second: Moment): Moment {
  const { end } = reader;
  if (
    second.fields.bare === undefined ||
    second.fields.year !== undefined ||
    month === undefined ||
    day === undefined ||
    year !== undefined
  )
    return second;
  const found = readYear(reader, skipLinks(reader, end));
  if (found === undefined) reader.end = end;
  return found === undefined ? second : { ...second, fields: { ...second.fields, year: found } };
}

function readSecond(reader: Reader, at: number, between: boolean, opened: boolean): Moment | undefined {
  const link = markAt(reader, at) === ',' ? at + 1 : at;
  const { and, boundPost, upTo } = wordAt(reader, link);
  const to = wordAt(reader, link).to ?? (opened && upTo);
  // 今日から2日後 is two days after today.
  if (boundPost && readLength(reader, link + 1) && wordAt(reader, reader.end).ago !== undefined) return undefined;
  const mark = markAt(reader, link);
  const isDash =
    mark === '-' ||
    mark === '~' ||
    mark === '..' ||
    (mark === '/' && itemAt(reader, link).glued && itemAt(reader, link + 1).glued && itemAt(reader, link + 1).digits === 4);
  if (!isDash && !to && !(between && and)) return undefined;
  return readEnd(reader, isDash && wordAt(reader, link + 1).to ? link + 2 : link + 1);
}

/** An end of a range, with or without the articles before it: whichever reads further. */
function readEnd(reader: Reader, at: number): Moment | undefined {
  let best: Moment | undefined;
  let reached = at;
  for (let next = at; next <= at + 2; next++) {
    const side = readSide(reader, next, true);
    if (side && (reader.end > reached || (best?.fields.bare !== undefined && side.fields.bare === undefined))) {
      best = side;
      reached = reader.end;
    }
    const { skip, prep, dayMark } = wordAt(reader, next);
    if (!(skip ?? prep ?? dayMark)) break;
  }
  reader.end = reached;
  return best;
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
    return boundedBy(reader, at, next.boundPost, fields, direction.prefer);
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

/** "July and August 2025", "yesterday and today": one stretch where the two touch. */
function readBoth(reader: Reader, at: number, end: number, fields: Fields, direction: Direction): Outcome {
  const second = readMoment(reader, skipLinks(reader, end + 1));
  if (!second || second.clash || fields.clock || second.fields.clock || fields.part || second.fields.part || wordAt(reader, reader.end).and)
    return undefined;
  const stop = reader.end;
  const { year } = second.fields;
  const isPart =
    (fields.month ?? fields.quarter ?? fields.half) !== undefined && (fields.year ?? fields.shift ?? fields.turn) === undefined;
  const first: Fields = year !== undefined && isPart ? { ...fields, year } : fields;
  const a = resolve(reader.when, first, direction);
  const b =
    a &&
    resolve(
      reader.when,
      second.fields,
      isYearless(second.fields) ? { prefer: 'future', day: a.from / DAY_MS, inclusive: true } : direction,
    );
  if (!b || a.exact !== 0 || b.exact !== 0 || a.grain !== b.grain || a.to !== b.from || overflows(reader, stop)) return undefined;
  return { ...found(at, stop, { ...b, from: a.from }), yearless: isYearless(first) };
}

const isDay = ({ weekday, shift, clock, part }: Fields): boolean => (weekday ?? shift?.unit) !== undefined && !clock && !part;

/** "January first two thousand": more than was understood. */
function overflows(reader: Reader, end: number): boolean {
  const { num, article } = wordAt(reader, skipLinks(reader, end));
  return num !== undefined && !article && num !== 1;
}
