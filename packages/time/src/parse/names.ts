/** Names of people and things that are also a month or a weekday: April O'Neil, Wednesday Addams, la planète Mars. Capitals tell. */
import type { Found } from './outcome.js';
import { isCapital, isUnknown, itemAt, wordAt, type Reader } from './reader.js';

/** Languages that write months and weekdays in small letters. */
const SMALL: ReadonlySet<string> = new Set(['fr', 'es', 'it', 'pt', 'nl']);

export function isName(reader: Reader, { start, end, fields }: Found): boolean {
  const { language } = reader.when.locale;
  if ((language !== 'en' && !SMALL.has(language)) || !fields || fields.turn || fields.shift || fields.year !== undefined) return false;
  if (fields.day !== undefined || fields.clock || (fields.month ?? fields.weekday) === undefined || isLed(reader, start)) return false;
  const [first, last] = [itemAt(reader, start), itemAt(reader, end - 1)];
  if (!isCapital(reader, first.start)) return false;
  // "April O'Neil", "Monday Night Football"
  const next =
    /^ \p{Lu}\p{Ll}/u.test(reader.written.slice(last.end, last.end + 3)) ||
    /^ \p{Lu}'\p{Lu}/u.test(reader.written.slice(last.end, last.end + 4));
  if (next && (isUnknown(reader, end) || wordAt(reader, end).thing)) return true;
  return SMALL.has(language) && fields.month !== undefined && isUnknown(reader, start - 1);
}

/** A preposition or article leads to it: "in April", "le lundi". */
function isLed(reader: Reader, start: number): boolean {
  const { prep, of, from, bound, skip, at, to, dayMark } = wordAt(reader, start - 1);
  // "The Wednesday Club"
  if (reader.when.locale.language === 'en' && dayMark) return false;
  return (prep ?? of ?? from ?? bound ?? skip ?? at ?? to) !== undefined;
}
