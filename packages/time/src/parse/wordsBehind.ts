/** The words behind a phrase: "how did Q4 turn out?" leaves it as it is, "3pm in Tokyo", "Sunday Times" do not. */
import {
  firstWord,
  isFullDate,
  isJoint,
  isName,
  isPreposition,
  isProper,
  isSentence,
  LAST_WORD,
  MAX_JOINTS,
  REACH,
  type Link,
} from './around.js';
import { NOTHING, type Word } from './lexicon.js';
import type { Found } from './outcome.js';
import { findItem, isEnd, isPossessive, isUnknown, itemAt, markAt, wordAt, type Reader } from './reader.js';
import { isAboutTime, isLink } from './timeWords.js';

const FIRST_WORD = /^[^\S\n]*([\p{L}\p{M}\p{N}_]+'?)/u;

/** German and Dutch: nouns of German have capitals, and Dutch ones in -en are plurals. */
const INFINITIVE = /^\p{Ll}{3,}en$/u;
const VERBS_LAST: ReadonlySet<string> = new Set(['de', 'nl']);
const isLed = (reader: Reader, { start }: Found): boolean => isJoint(reader, start) || isJoint(reader, start - 1);

export function allowsBehind(reader: Reader, found: Found): boolean {
  let at = found.end;
  let link: Link = 'none';
  let isPlace = false;
  for (let joints = 0; joints < MAX_JOINTS && isJoint(reader, at); joints++, at++) {
    // "Sunday's Child"
    if (isPossessive(reader, at))
      return !narrows(wordAt(reader, at + 1)) && !(isName(reader, found) && isUnknown(reader, at + 1) && isNameBehind(reader, at));
    // "Per region"
    if (
      link === 'none' &&
      !wordAt(reader, at).of &&
      reader.words.isNeutral(reader.written.slice(itemAt(reader, at).start, itemAt(reader, at).end))
    )
      return true;
    const { of, from } = wordAt(reader, at);
    if (of && !from) link = 'of';
    else if (link === 'none' && isPreposition(reader, at)) {
      link = 'prep';
      isPlace = reader.words.isPlace(firstWord(reader, at));
    }
  }
  // "Yesterday by the Beatles"
  if (wordAt(reader, at).groups && found.start === 0) {
    const name = wordBehind(reader, itemAt(reader, wordAt(reader, at + 1).skip ? at + 1 : at).end);
    if (name && isProper(reader, name.start)) return false;
  }
  // "Monday or thereabouts", "il y a trois semaines environ"
  const { or, about } = wordAt(reader, found.end);
  if (or || (about && isEnd(reader, found.end + 1))) return false;
  // "Through to August"
  if (wordAt(reader, at).to && isAboutTime(wordAt(reader, at + 1))) return false;
  // "Hasta mañana inclusive"
  const isEnded = found.kind === 'until' || findItem(reader, found.start, found.end, ({ word }) => word.to) !== undefined;
  if (at === found.end && wordAt(reader, at).inclusive && isEnded) return !isAboutTime(wordAt(reader, at + 1));
  // "Except spam", "ik werk morgen niet"
  if (wordAt(reader, at).vague ?? wordAt(reader, at).each)
    return (
      link === 'none' &&
      (isUnknown(reader, at + 1) ||
        (isSentence(reader, found) && hasOwnWords(reader, found) && isEnd(reader, at + 1) && markAt(reader, at + 1) !== ','))
    );
  // "Sunday Times"
  if (wordAt(reader, at).thing && link === 'none' && isName(reader, found) && isProper(reader, itemAt(reader, at).start)) return false;
  if (wordAt(reader, at).dated) return true;
  if (!isUnknown(reader, at)) return !(narrows(wordAt(reader, at)) || (link === 'prep' && isAboutTime(wordAt(reader, at))));
  let place = itemAt(reader, at - 1).end;
  let word = wordBehind(reader, place);
  if (word && reader.words.isPreposition(word.text)) {
    link = 'prep';
    isPlace = reader.words.isPlace(word.text);
    place = word.end;
    word = wordBehind(reader, place);
    const [next, last] = reader.items.slice(at, at + 3).filter((item) => item.start >= place);
    let known = next;
    // "Auf der Seite"
    if (word && next?.start === word.start && isLink(next.word)) {
      word = wordBehind(reader, next.end);
      known = last;
    }
    if (word && known?.start === word.start && known.end > known.start)
      return (known.word.thing ?? known.word.dated ?? known.word.sum) !== undefined;
  }
  if (word === undefined) return true;
  // "3pm in Tokyo" is on another clock.
  if (link === 'prep' && found.fields?.clock && wordAt(reader, found.end).lead && isProper(reader, word.start)) return false;
  if (link === 'prep')
    // "In the eastern region", "at Acme"
    return (
      isProper(reader, word.start) ||
      isCity(reader, place, word.text) ||
      (isPlace && [word.text, wordBehind(reader, word.end)?.text ?? ''].some(reader.words.isNoun))
    );
  if (reader.words.isNeutral(word.text)) return true;
  if (link === 'of' || isFullDate(reader, found)) return link !== 'of';
  // "Ab 1. Mai gültig", "Termine von morgen auflisten"
  if (found.kind !== 'period' || (VERBS_LAST.has(reader.when.locale.language) && INFINITIVE.test(word.text) && isEnd(reader, at + 1)))
    return true;
  if (!isSentence(reader, found)) return false;
  // "How did Q4 turn out?"
  const before = LAST_WORD.exec(reader.written.slice(0, itemAt(reader, found.start).start).slice(-REACH))?.[1];
  if (before !== undefined && reader.words.hasVerb(before.toLowerCase())) return true;
  // Verbs end a sentence: "wurden am Freitag bezahlt".
  if (VERBS_LAST.has(reader.when.locale.language)) return !isName(reader, found) || isLed(reader, found);
  return !isName(reader, found) && (isProper(reader, word.start) || found.start === 0);
}

/** "Tomorrow I don't", but not "el lunes no". */
const hasOwnWords = (reader: Reader, { start }: Found): boolean =>
  findItem(reader, 0, start, ({ word, num }) => word === NOTHING && num === undefined) !== undefined;

/** German "in Graz": without an article. */
const isCity = ({ when, written }: Reader, place: number, name: string): boolean =>
  when.locale.language === 'de' && /^\p{Lu}/u.test(name) && /\bin$/.test(written.slice(Math.max(0, place - 3), place));

/** A capital, and no noun that is known. */
function isNameBehind(reader: Reader, at: number): boolean {
  const word = wordBehind(reader, itemAt(reader, at).end);
  return word !== undefined && isProper(reader, word.start) && !reader.words.isNeutral(word.text);
}

/** The word behind a place, if no mark and no new line is between. */
function wordBehind(reader: Reader, place: number): { readonly text: string; readonly start: number; readonly end: number } | undefined {
  const found = FIRST_WORD.exec(reader.written.slice(place, place + REACH));
  const text = found?.[1];
  if (!found || text === undefined) return undefined;
  const end = place + found[0].length;
  return { text, start: end - text.length, end };
}

/** Words that make the phrase before them a part of something: "Friday close of play", "Monday's dawn". */
const narrows = ({ edge, unclocked, thing, share, third }: Word): boolean =>
  edge !== undefined || (unclocked === true && !thing) || share === true || third !== undefined;
