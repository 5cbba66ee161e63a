/** A phrase that is one of several: the others were passed over, and none of them alone was meant. */
import { readLength } from './length.js';
import { skipLinks } from './moment.js';
import { isCount, itemAt, markAt, wordAt, type Reader } from './reader.js';

export function isOneOfSeveral(reader: Reader, start: number, end: number): boolean {
  return isSecondCount(reader, start) || isSecond(reader, start) || hasSecond(reader, end);
}

/** "2 or 3 days ago", "2-3 days ago". */
function isSecondCount(reader: Reader, start: number): boolean {
  const { or, to, and } = wordAt(reader, start - 1);
  const sign = itemAt(reader, start - 1);
  // 1,5 years: the comma of a decimal, of thousands, or of 2、3.
  const inside = (sign.mark === ',' || sign.mark === '.') && sign.glued && itemAt(reader, start).glued;
  if (!(or ?? to ?? and) && !inside && sign.mark !== '-' && sign.mark !== '~') return false;
  const { num, word } = itemAt(reader, start - 2);
  return (num ?? word.num ?? word.unit) !== undefined && readLength(reader, start) !== undefined;
}

const joins = (reader: Reader, at: number): boolean =>
  (wordAt(reader, at).and ?? wordAt(reader, at).or) === true || /^[/&+・、]$/.test(markAt(reader, at));

/** "2 and 3 May", "May or June", "this and next week": the one before it was passed over. */
function isSecond(reader: Reader, start: number): boolean {
  const first = itemAt(reader, start);
  // "5/6 mai"
  if (first.word.month !== undefined && itemAt(reader, start - 1).num !== undefined && joins(reader, start - 2)) return true;
  // "Mondays in March"
  if (wordAt(reader, start - 1).prep && wordAt(reader, start - 2).weekday !== undefined && wordAt(reader, start - 2).plural) return true;
  const link = wordAt(reader, start - 1).skip ? start - 2 : start - 1;
  if (!joins(reader, link)) return false;
  const before = itemAt(reader, link - 1);
  if (before.num !== undefined || before.word.ordSuffix || markAt(reader, link - 1) === '.') return first.num !== undefined;
  const { month, weekday, rel, day, unit } = before.word;
  return (month ?? weekday ?? day) !== undefined || (rel !== undefined && unit === undefined);
}

/** "March 10 and 11", "KW 12 und 13", "this week and next". */
function hasSecond(reader: Reader, end: number): boolean {
  if (markAt(reader, end) !== ',' && !joins(reader, end)) return false;
  const next = skipLinks(reader, end + 1);
  const { num, digits, word } = itemAt(reader, next);
  const isNumbered = itemAt(reader, end - 1).num !== undefined || wordAt(reader, end - 1).ordSuffix || wordAt(reader, end - 1).daySuffix;
  if (num !== undefined && digits === 4 && wordAt(reader, end - 1).yearSuffix && wordAt(reader, next + 1).yearSuffix) return true;
  if (num !== undefined && digits <= 2 && isNumbered) return !isCount(reader, next + 1);
  if (markAt(reader, end) === ',') return false;
  return word.rel !== undefined && (wordAt(reader, next + 1).unit ?? wordAt(reader, next + 1).weekday) === undefined;
}
