/** A whole phrase at one place: a moment, two of them as the ends of a range, or one of the other forms. */
import type { Direction } from '../resolve.js';
import { isClockUnit } from '../calendar.js';
import { readAge } from './age.js';
import { isSentence } from './around.js';
import { isFused, readAhead, readBound, readFused, readOnward, readRest, soFar, toDate } from './bounds.js';
import { readAnchored, readWeekOf } from './counted.js';
import { readFiscal } from './fiscal.js';
import { fromNow, readBegun, readDeadline } from './fromNow.js';
import { readLength } from './length.js';
import { readMoment, skipLinks } from './moment.js';
import { found, REFUSED, refuse, type Outcome } from './outcome.js';
import { isUnknown, itemAt, markAt, wordAt, type Reader } from './reader.js';
import { readSame } from './same.js';
import { readThird } from './third.js';
import { readRange } from './twoEnds.js';
import { readWorkdays } from './workdays.js';
import type { DayUnit, Unit } from '../types.js';

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
      readWorkdays(reader, at, direction) ??
      readFiscal(reader, at) ??
      reader.joined?.readMonths(reader, at, direction) ??
      readAge(reader, at);
    if (counted) return counted;
  }
  // "The first working day of April"
  const worked = word.dayMark && wordAt(reader, at + 1).ord !== undefined ? readWorkdays(reader, at + 1, direction) : undefined;
  if (worked) return worked;
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
  if (word.bound === 'before' && word.past !== undefined && at > 0 && reader.when.locale.language === 'nl') {
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
  if (word.thirdUnit) return reader.joined?.readThirdOf(reader, at);
  if (word.deadline) return readDeadline(reader, at, word.deadline);
  if (word.earlier) {
    const moment = readMoment(reader, skipLinks(reader, at + 1));
    if (moment) return moment.fields.shift?.by === 0 ? soFar(reader, at, moment) : REFUSED;
  }
  if (isVerb(reader, at)) return undefined;
  const third = (word.third ?? word.edge) ? readThird(reader, at, direction) : undefined;
  if (third) return third;
  const isVague = word.vague && !(word.lone && at > 0 && markAt(reader, at - 1) === '');
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
  const week = word.unit === 'week' || word.weekOf ? readWeekOf(reader, at, direction) : undefined;
  if (week) return week;
  return readAnchored(reader, at, direction) ?? readRange(reader, at, at, undefined, direction);
}

/** "Which trials end next week", "those that start in May" */
function isVerb(reader: Reader, at: number): boolean {
  if (!wordAt(reader, at).edge || reader.when.locale.language !== 'en') return false;
  const isSaid = isUnknown(reader, at - 1) ? isSentence(reader, { start: at, end: at + 1 }) : wordAt(reader, at - 1).rel === 0;
  return isSaid && (wordAt(reader, at + 1).prep === true || readMoment(reader, at + 1)?.fields.shift !== undefined);
}

const isCalendarUnit = (unit: Unit | undefined): unit is DayUnit => unit !== undefined && !isClockUnit(unit);

function isBareUnit(reader: Reader, at: number): boolean {
  const { unit, plural, label } = wordAt(reader, at);
  return (
    unit !== undefined &&
    !plural &&
    (unit === 'day' || unit === 'week' || unit === 'month' || unit === 'quarter' || (unit === 'year' && label !== undefined))
  );
}

/** The place behind words like "late". Up to three may follow each other ("at the very end of mid-"). */
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
