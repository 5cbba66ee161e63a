/** Words before a phrase that were not read with it and make it another time: "9 tomorrow", "most of last week". */
import { isClockUnit } from '../calendar.js';
import { isBareWeekday } from '../fields.js';
import { DAY_MS } from '../zone.js';
import type { Word } from './lexicon.js';
import type { Found } from './outcome.js';
import { isUnknown, itemAt, markAt, wordAt, type Reader } from './reader.js';
import { isAboutTime, isLink } from './timeWords.js';

const HOURS = 24;

export function leftOver(reader: Reader, found: Found): boolean {
  const { start, end, fields, span, kind, isCut } = found;
  // "On a Friday", "le lundi"
  if (kind === 'period' && (wordAt(reader, start - 1).recurs ?? wordAt(reader, start - 1).article) && isBareWeekday(fields)) return true;
  let at = start - 1;
  for (let links = 0; links < 2 && isLink(wordAt(reader, at)); links++) at--;
  const { num, word, digits } = itemAt(reader, at);
  const closes = word.to && (isAboutTime(wordAt(reader, at - 1)) || itemAt(reader, at - 1).num !== undefined);
  if (isCut && ((closes ?? word.between ?? word.and) === true || markAt(reader, at) === '-')) return true;
  // "How many days are in a week"
  if (wordAt(reader, start).lead && wordAt(reader, start + 1).article && isUnknown(reader, at) && wordAt(reader, at - 1).plural)
    return true;
  // "The days following 5 March"
  if (word.rel && (!word.post || word.pre) && at === start - 1) return true;
  // "2 weeks starting May 20th"
  if (kind !== 'period' && wordAt(reader, markAt(reader, at) === ',' ? at - 1 : at).unit !== undefined) return true;
  // "Most of last week", but "most of last week's orders".
  if (word.share && !wordAt(reader, end).of && !isUnknown(reader, end)) return true;
  if ((word.ish ?? word.meridiem) !== undefined || (halves(word) && at === start - 1)) return true;
  // "Seis cero dos pm", "quinze para meio-dia"
  if (fields?.clock && word.num !== undefined && !word.article && !isUnknown(reader, start - 1)) return true;
  if (reader.joined?.leavesOver(reader, found, at)) return true;
  // "Il giorno migliore del mese scorso"
  if (isUnknown(reader, at) && wordAt(reader, start - 1).of && wordAt(reader, at - 1).unit === 'day' && isOneWord(reader, at)) return true;
  const isFine = span.grain === 'day' || span.grain === 'hour' || span.grain === 'minute';
  if (num !== undefined && at === start - 1) {
    // "Meet me 9 tomorrow"; in "top 5 today" something is counted, in "page 12 of last month" numbered.
    const before = itemAt(reader, at - 1);
    if (before.word.at && !before.word.to) return true;
    // "Pages 3 à 5"
    if (fields?.clock && wordAt(reader, start).to) return true;
    return isFine && num <= HOURS && digits <= 2 && !fields?.clock && !before.word.top && before.mark !== '#' && before.num === undefined;
  }
  // "Half seven tomorrow"
  if (word.num !== undefined && !word.article && at === start - 1 && isFine && word.num <= HOURS && !fields?.clock && word.num >= 1)
    return true;
  // "Tous les jours sauf deux la semaine dernière"
  if ((num ?? word.num) !== undefined && !word.article && wordAt(reader, at - 1).vague) return true;
  // "Since early March": the word before it was not read with it.
  if (at === start - 1 && word.bound !== undefined && !word.from && !word.of && kind === 'period') return true;
  // "3º cuarto de este año"
  if (word.ord !== undefined && at < start - 1 && (wordAt(reader, at - 1).ordSuffix ?? wordAt(reader, at - 1).ord) !== undefined)
    return true;
  if (!isAboutTime(word)) return false;
  const { unit } = word;
  // "The month of May", "the year 2025", "per day last week"
  // "The week of 16 to 22 March"
  if (unit === 'week' && fields === undefined && span.exact === 0 && span.to - span.from === 7 * DAY_MS) return false;
  if (unit !== undefined && (unit === span.grain || (unit === 'day' && span.grain === 'day') || wordAt(reader, at - 1).each)) return false;
  // "Worked 3 hours yesterday"
  const { num: count, word: before } = itemAt(reader, at - 1);
  const isLength = isClockUnit(word.unit) || word.spell === true;
  return !(isLength && (count ?? before.num) !== undefined);
}

/** Tells whether the unknown item at this place is a single word. */
const isOneWord = (reader: Reader, at: number): boolean =>
  /^\s*[^\s]+\s*$/.test(reader.text.slice(itemAt(reader, at - 1).end, itemAt(reader, at + 1).start));

/** Words that make the phrase behind them a part of itself: "half March". */
const halves = ({ num, before }: Word): boolean => num === 0.5 || before !== undefined;
