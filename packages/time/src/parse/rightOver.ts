/** Words behind a phrase that were not read with it and make it another time: "tomorrow at lunch", "Monday after work". */
import type { Fields } from '../fields.js';
import { readMoment } from './moment.js';
import type { Found } from './outcome.js';
import { isNarrowed, isNoTime, isPlaceless, isRelation } from './narrowed.js';
import { isCount, isSum, isPossessive, isUnknown, isEnd, itemAt, markAt, readNumber, wordAt, type Reader } from './reader.js';
import { isAboutTime, isJoint, isLink } from './timeWords.js';

/** "bei", "zum" and the spaces around them. */
const LONGEST_LINK = 6;

export function rightOver(reader: Reader, { start, end, fields, kind }: Found): boolean {
  const { word, num, mark } = itemAt(reader, end);
  if (kind !== 'period') return false;
  if (wordAt(reader, end - 1).follows && (isJoint(word) || word.to)) return true;
  // 1日3回 is three times a day.
  if (num !== undefined && itemAt(reader, end).glued && fields?.day === 1 && fields.month === undefined) return true;
  if (num !== undefined) return endsCount(reader, end + 1);
  // "Friday for 3 nights"
  const { unit: counted, spell, part: night } = wordAt(reader, end + 2);
  if (word.prep && itemAt(reader, end + 1).num !== undefined && (counted ?? spell ?? night) !== undefined) return true;
  // "The Sunday before"
  if ((word.bound === 'before' || word.bound === 'after') && isEnd(reader, end + 1)) return true;
  // "Yesterday between meetings", but "between Anna and Bob"
  if (
    word.between &&
    itemAt(reader, end + 1).num === undefined &&
    !isAboutTime(wordAt(reader, end + 1)) &&
    !/^\s*\p{Lu}/u.test(reader.written.slice(itemAt(reader, end).end))
  )
    return true;
  // "Tomorrow lunch"
  if (word.unclocked && !fields?.clock) return true;
  if (word.soFar || word.ish || (word.about && wordAt(reader, end + 2).ish)) return true;
  // "The Wednesday following the audit"
  if (word.rel !== undefined && !word.post && isLink(wordAt(reader, end + 1)) && isUnknown(reader, end + 2)) return true;
  // 先週の2倍
  if (word.of && readNumber(reader, end + 1) !== undefined && isSum(reader, reader.end)) return true;
  if (isNarrowed(reader, end)) return true;
  const leads = (word.at ?? word.about ?? word.prep ?? word.bound ?? word.off) !== undefined;
  const isShort = isUnknown(reader, end) && itemAt(reader, end + 1).start - itemAt(reader, end - 1).end <= LONGEST_LINK;
  if (
    !fields?.clock &&
    (leads || isShort || word.to || word.skip || word.of) &&
    (wordAt(reader, end + 1).unclocked ?? wordAt(reader, end + 2).unclocked)
  )
    return true;
  if (word.at && isNoTime(reader, end + 1)) return true;
  // "Del 5 al 10 por ciento"
  if (word.to && wordAt(reader, start).from && itemAt(reader, end + 1).num !== undefined && isSum(reader, end + 2)) return true;
  if ((word.bound ?? word.off) !== undefined && !word.from && isRelation(reader, end) && isPlaceless(reader, end + 1)) return true;
  // Italian "lunedì dopo" is the next one, "lunedì dopo il lavoro" is not.
  const last = wordAt(reader, end - 1);
  // "Last day at work"
  if (fields?.shift?.loose && last.unit === 'day' && (leads || word.of)) return true;
  if (last.post && (last.bound ?? last.off) !== undefined && isPlaceless(reader, end)) return true;
  // "Sunday from last week"
  if (word.from && readMoment(reader, end + 1)) return true;
  // "May 3 of us come?"
  if (word.of && fields?.day !== undefined && reader.when.locale.language === 'en' && isUnknown(reader, end + 1))
    return !isPossessive(reader, end);
  // "APR of 4.9%"
  if (word.of && !reader.joined && itemAt(reader, end + 1).num !== undefined && itemAt(reader, end + 1).digits < 4) return true;
  // The first day of something that is not a month.
  const inside = wordAt(reader, isLink(wordAt(reader, end + 1)) ? end + 2 : end + 1);
  if (word.of && (inside.fiscal ?? inside.feast) !== undefined) return true;
  if (word.of && fields?.day !== undefined && last.unit === 'day' && !last.daySuffix && isPlaceless(reader, end + 1)) return true;
  // "The last Monday of the sprint"
  if (
    word.of &&
    (!word.skip || fields?.week !== undefined || (fields?.weekday !== undefined && fields.turn !== undefined)) &&
    !isPossessive(reader, end) &&
    inside.unit !== 'year' &&
    isCounted(reader, fields) &&
    isPlaceless(reader, end + 1)
  )
    return true;
  if (mark === ',' || mark === '(') return itemAt(reader, end + 1).num !== undefined && endsCount(reader, end + 2) && start >= 0;
  return isAboutTime(word) && !word.of && !word.to && !word.from && word.bound === undefined && !word.at;
}

/** The nth or last of something; の and 的 only say whose it is. */
function isCounted({ when, joined }: Reader, fields: Fields | undefined): boolean {
  const { language } = when.locale;
  if (!fields || joined) return false;
  if (
    (fields.nth ?? fields.week ?? fields.quarter ?? fields.half) !== undefined ||
    (fields.weekday !== undefined && fields.day === undefined && !fields.shift)
  )
    return true;
  return language === 'en' && fields.shift?.loose === true && fields.shift.unit !== 'month' && fields.shift.unit !== 'year';
}

/** A number at the end of what is said, not one of things. */
function endsCount(reader: Reader, at: number): boolean {
  // "Yesterday 5-10 orders"
  const isRange = (markAt(reader, at) === '-' || wordAt(reader, at).to) && itemAt(reader, at + 1).num !== undefined;
  if (isRange) return endsCount(reader, at + 2);
  return !isSum(reader, at) && !isCount(reader, at) && wordAt(reader, at).unit === undefined;
}
