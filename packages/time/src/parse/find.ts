/** The search for a phrase in a sentence: from left to right, each place once. */
import type { Direction } from '../resolve.js';
import { isOtherStatement, withOtherPart } from './apart.js';
import { isHalf } from './half.js';
import { readLength } from './length.js';
import { NOTHING } from './lexicon.js';
import { readMoment, skipLinks } from './moment.js';
import { REFUSED, refuse, type Found } from './outcome.js';
import { isLone } from './pieces.js';
import { readPhrase } from './phrase.js';
import { isCapital, isEnd, itemAt, markAt, nounAt, wordAt, type Reader } from './reader.js';

/** The start of the first phrase, and its answer or refusal. */
export interface Place {
  readonly at: number;
  readonly outcome: Found | typeof REFUSED;
}

/** The first phrase of the text; a weak one ("2024", "may") only where nothing else could be meant. */
export function findPhrase(reader: Reader, prefer: Direction['prefer']): Place | undefined {
  let at = 0;
  let feast: number | undefined;
  let recurring: number | undefined;
  while (at < reader.items.length) {
    if (wordAt(reader, at).feast) feast ??= at;
    // 春节前的那个星期一
    if (feast === at && wordAt(reader, at + 1).boundPost) break;
    const item = itemAt(reader, at);
    if (item.num === undefined ? item.word === NOTHING && item.mark !== '@' : isLone(reader, at) || isNumbered(reader, at)) at++;
    else if (wordAt(reader, at).each) {
      const next = skipRecurring(reader, at);
      if (next === REFUSED) return { at, outcome: refuse(reader, 'several', at) };
      if (next > skipLinks(reader, at + 1)) recurring ??= at;
      at = next;
    } else {
      const outcome = readPhrase(reader, at, prefer);
      if (outcome === REFUSED || (outcome && reader.joined?.afterYear(reader, at))) return { at, outcome: REFUSED };
      if (outcome && (!outcome.weak || standsAlone(reader, outcome))) return { at, outcome: whole(reader, outcome, prefer) };
      const other = outcome && isAttribute(reader, outcome) ? whole(reader, outcome, prefer) : undefined;
      if (outcome && other && other !== outcome && other !== REFUSED) return { at, outcome: other };
      at = outcome ? outcome.end : at + 1;
    }
  }
  if (feast !== undefined) return { at: feast, outcome: refuse(reader, 'calendar', feast) };
  return recurring === undefined ? undefined : { at: recurring, outcome: refuse(reader, 'several', recurring) };
}

/** "Version 2 on September 30" */
const isNumbered = (reader: Reader, at: number): boolean =>
  wordAt(reader, at - 1).top === true && itemAt(reader, at).digits <= 2 && wordAt(reader, at + 1).prep === true;

/** The same place, looked at in the other direction of time. */
export function readAgain(reader: Reader, at: number, prefer: Direction['prefer']): Found | undefined {
  const outcome = readPhrase(reader, at, prefer);
  if (!outcome || outcome === REFUSED) return undefined;
  const all = whole(reader, outcome, prefer);
  return all === REFUSED ? undefined : all;
}

/** The phrase with its other part, if nothing beside either makes it another time. */
function whole(reader: Reader, first: Found, prefer: Direction['prefer']): Found | typeof REFUSED {
  if (isHalf(reader, first)) return REFUSED;
  const all = withOtherPart(reader, first, prefer) ?? first;
  if (all !== REFUSED && hasSecond(reader, all.end)) return refuse(reader, 'several', all.start);
  return all === REFUSED || (all !== first && isHalf(reader, all)) ? REFUSED : all;
}

/** Items behind a phrase in which another time is looked for. */
const FAR = 12;

/** "If it rains on Saturday we meet on Sunday": nobody knows which of the two is asked for. */
function hasSecond(reader: Reader, end: number): boolean {
  for (let at = end; at < end + FAR && at < reader.items.length && !isStop(reader, at); at++) {
    const { word, num } = itemAt(reader, at);
    if (
      num === undefined &&
      (word.weekday ?? word.month ?? word.day ?? word.span ?? word.rel ?? word.at ?? word.hour ?? word.lead) === undefined
    )
      continue;
    const { fields } = readMoment(reader, at) ?? {};
    if (!fields || (num !== undefined && !fields.clock && !fields.span)) continue;
    // "The server crashed yesterday when it rebooted at 3pm"
    if (fields.clock && isOtherStatement(reader, end, at)) continue;
    // "Issued in March", "12 May"
    const isSaid = wordAt(reader, at - 1).prep ?? itemAt(reader, at - 1).num;
    if (!fields.weak || fields.clock || isSaid !== undefined) return true;
  }
  return false;
}

/** The end of a statement; in 9.30 the full stop is none. */
const isStop = (reader: Reader, at: number): boolean =>
  /^[.!?;]$/.test(markAt(reader, at)) && !itemAt(reader, at + 1).glued && markAt(reader, at - 1) !== '.';

/** "The 2025 numbers for March", but not "Office 2019 licences". */
function isAttribute(reader: Reader, { start, fields }: Found): boolean {
  const { skip, of, prep } = wordAt(reader, start - 1);
  return fields?.year !== undefined && (start === 0 || (skip ?? of ?? prep) !== undefined);
}

/** The place behind "every Monday"; "every Monday in March" is refused. */
function skipRecurring(reader: Reader, at: number): number | typeof REFUSED {
  let next = skipLinks(reader, at + 1);
  // "Every 2 weeks on Friday"
  const inner = readLength(reader, next) ? reader.end : next + 1;
  if (wordAt(reader, inner - 1).unit && wordAt(reader, skipLinks(reader, inner)).weekday) next = skipLinks(reader, inner);
  const { weekday, unit } = wordAt(reader, next);
  if (!readMoment(reader, next)) {
    if (weekday === undefined || unit !== undefined) return next;
    reader.end = next + 1;
  }
  const { end } = reader;
  const { of, prep } = wordAt(reader, end);
  return (of ?? prep) && weekday !== undefined && readMoment(reader, skipLinks(reader, end)) ? REFUSED : end;
}

/** A weak phrase counts when it is all there is, or a preposition leads to it. */
function standsAlone(reader: Reader, { start, end }: Found): boolean {
  const before = wordAt(reader, start - 1);
  if (
    before.prep ??
    (wordAt(reader, start).month !== undefined ? before.from : undefined) ??
    (before.skip && wordAt(reader, start - 2).prep)
  )
    return true;
  // "March sales"; "may sales go up" is a question.
  const { month, small } = wordAt(reader, start);
  if (
    month !== undefined &&
    end === start + 1 &&
    (wordAt(reader, end).dated ?? wordAt(reader, end).thing ?? nounAt(reader, end)) !== undefined &&
    (small || isCapital(reader, itemAt(reader, start).start))
  )
    return true;
  // "Sales 2025"
  if (before.dated && itemAt(reader, start).digits === 4 && isEnd(reader, end)) return true;
  if (before.of && wordAt(reader, start - 2).unit !== undefined) return true;
  const isFiller = (at: number): boolean => {
    const { word, num, mark } = itemAt(reader, at);
    return num === undefined && (mark !== '' || (word.skip ?? word.about ?? word.prep ?? word.of) !== undefined);
  };
  // "O mar" is the sea.
  if (wordAt(reader, start).month !== undefined && before.skip && end === start + 1) return false;
  for (let at = 0; at < start; at++) if (at > 4 || !isFiller(at)) return false;
  for (let at = end; at < reader.items.length; at++) if (at > end + 4 || !isFiller(at)) return false;
  return true;
}
