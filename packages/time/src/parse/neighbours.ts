/**
 * Every word that touches a phrase is accounted for, or the phrase is refused. A word of the grammar was judged by its sense already. An unknown
 * word may stand before a preposition ("kick-off in March"), in a sentence where it cannot modify the phrase ("who left the team last week"), and
 * anywhere if the grammar lists it as neutral. "Crack of yesterday", "Taco Tuesday", "tomorrow at kick-off" have no answer.
 */
import { sentenceAround } from '../tense.js';
import type { Found } from './outcome.js';
import { NOTHING, type Word } from './lexicon.js';
import { blames, isCapital, isPossessive, isUnknown, isEnd, itemAt, markAt, wordAt, type Reader } from './reader.js';
import { isAboutTime, isLink } from './timeWords.js';

type Link = 'none' | 'prep' | 'of';

const MOST_JOINTS = 4;
/** Characters looked at for the word next to a phrase. */
const REACH = 48;
const LAST_WORD = /([\p{L}\p{M}\p{N}'_-]+)[^\S\n]*$/u;
const ADVERB = /(?:ly|mente)$/u;
const FIRST_WORD = /^[^\S\n]*([\p{L}\p{M}\p{N}_]+'?)/u;

export function isAccounted(reader: Reader, found: Found): boolean {
  if (reader.joined) return reader.joined.touchesNothing(reader, found) || !blames(reader, 'beside', found.start - 1, found.end + 1);
  if (!allowsBefore(reader, found)) return !blames(reader, 'beside', found.start - 1);
  return allowsBehind(reader, found) || !blames(reader, 'beside', found.end);
}

function allowsBefore(reader: Reader, found: Found): boolean {
  let at = found.start - 1;
  let link: Link = opensItself(reader, found) ? 'prep' : wordAt(reader, found.start).of ? 'of' : 'none';
  for (let joints = 0; joints < MOST_JOINTS && isJoint(reader, at); joints++, at--) {
    // "What's on tomorrow?"
    if (isPossessive(reader, at)) return true;
    const { of, from } = wordAt(reader, at);
    if (of) link = 'of';
    else if (link === 'none' && (from || isPreposition(reader, at))) link = 'prep';
  }
  if (link === 'of' && isShare(reader, at)) return false;
  if (wordAt(reader, at).dated ?? wordAt(reader, found.start).numbered) return true;
  if (!isUnknown(reader, at)) return !isLeftOver(reader, at, found, link);
  const place = itemAt(reader, at + 1).start;
  const word = LAST_WORD.exec(reader.written.slice(Math.max(0, place - REACH), place))?.[1];
  // A full stop, a quotation mark or a new line is between.
  if (word === undefined) return true;
  if (link === 'of' ? reader.words.isNoun(word) : reader.words.isNeutral(word)) return true;
  // "An hour into tomorrow"
  if (reader.words.isPreposition(word)) return !isAboutTime(wordAt(reader, at - 1));
  const start = reader.written.lastIndexOf(word, place - 1);
  if (link === 'prep') return !isPartOf(reader, at - 1) && (!ADVERB.test(word) || isSentence(reader, found));
  if (link === 'of') return isPlural(reader, start) || isThing(reader, found, start);
  // "Question Q1: …"
  if (markAt(reader, found.end) === ':' && (isName(reader, found) || wordAt(reader, found.start).label !== undefined)) return false;
  // "USA Today"
  if (reader.when.locale.language === 'en' && isCapital(reader, start) && isCapital(reader, place) && !reader.words.isNeutral(word))
    return false;
  if (isFullDate(reader, found)) return true;
  // "Emails from Anna yesterday", "project milestones next month"
  const isAround = !isName(reader, found) && (isProper(reader, start) || reader.words.hasNoun(textAround(reader, found)));
  if (!isAround && !isSentence(reader, found)) return false;
  return !isName(reader, found) || !modifies(reader, at, start);
}

function allowsBehind(reader: Reader, found: Found): boolean {
  let at = found.end;
  let link: Link = 'none';
  let isPlace = false;
  for (let joints = 0; joints < MOST_JOINTS && isJoint(reader, at); joints++, at++) {
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
  const isEnded = found.kind === 'until' || reader.items.slice(found.start, found.end).some(({ word }) => word.to);
  if (at === found.end && wordAt(reader, at).inclusive && isEnded) return !isAboutTime(wordAt(reader, at + 1));
  // "Except spam", "ik werk morgen niet"
  if (wordAt(reader, at).vague ?? wordAt(reader, at).each)
    return (
      link === 'none' &&
      (isUnknown(reader, at + 1) ||
        (isSentence(reader, found) && found.start > 0 && isEnd(reader, at + 1) && markAt(reader, at + 1) !== ','))
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

/** "Sundown on Friday", "between lunch and 3pm", "version 2026.3", "9 on Monday". */
function isLeftOver(reader: Reader, at: number, found: Found, link: Link): boolean {
  const { word, num, digits } = itemAt(reader, at);
  if (word.unclocked && !word.thing) return true;
  if ((word.and ?? word.to) && wordAt(reader, at - 1).unclocked) return true;
  // "Ant and Dec"
  if (word.and && isName(reader, found) && /\p{Lu}\p{L}*\s$/u.test(reader.written.slice(0, itemAt(reader, at).start).slice(-REACH)))
    return true;
  if (word.to && isAboutTime(wordAt(reader, at - 1))) return true;
  // "Ten to tomorrow", "countdown to Friday"
  if (word.to && link === 'none' && !isSentence(reader, found)) return true;
  // "Pay-day Friday"
  if (word.unit !== undefined && markAt(reader, at - 1) === '-' && isUnknown(reader, at - 2)) return true;
  // "At the end of the day yesterday"
  if (word.unit !== undefined && isPartOf(reader, isLink(wordAt(reader, at - 1)) && !wordAt(reader, at - 2).edge ? at - 2 : at - 1))
    return true;
  if (word.top && itemAt(reader, found.start).num !== undefined) return true;
  return num !== undefined && digits <= 2 && num <= 24 && link === 'prep' && at === 0 && !isSentence(reader, found);
}

/** Words that make the phrase before them a part of something: "Friday close of play", "Monday's dawn". */
const narrows = ({ edge, unclocked, thing, share, third }: Word): boolean =>
  edge !== undefined || (unclocked === true && !thing) || share === true || third !== undefined;

/** "Agenda de hoy", "¿quién hizo el resumen de ayer?"; in "a raíz de ayer" the preposition before the noun makes both a preposition. */
function isThing(reader: Reader, found: Found, start: number): boolean {
  if (reader.when.locale.language === 'en' || isName(reader, found)) return false;
  const before = LAST_WORD.exec(reader.written.slice(Math.max(0, start - REACH), start))?.[1];
  if (before !== undefined && reader.words.isPreposition(before)) return false;
  return start === 0 || found.span.grain === 'day' || isSentence(reader, found);
}

/** "10 % of last month"; "the top 10 of last month" are things. */
function isShare(reader: Reader, at: number): boolean {
  const { top, ord } = wordAt(reader, at - 1);
  const { num, word } = itemAt(reader, at);
  const isCount = (num ?? (word.article ? undefined : word.num)) !== undefined;
  return markAt(reader, at) === '%' || (isCount && (top ?? ord) === undefined && !isUnknown(reader, at - 1));
}

/** "The end of play on Friday" */
function isPartOf(reader: Reader, at: number): boolean {
  const { of } = wordAt(reader, at);
  const { edge, share, third, rest } = wordAt(reader, at - 1);
  return of === true && (edge ?? share ?? third ?? rest) !== undefined;
}

/** "Since", "until", "in 2 weeks": the preposition is a part of the phrase. */
function opensItself(reader: Reader, { start, end, kind }: Found): boolean {
  const { lead, bound, from, of, between, window, age, prep } = wordAt(reader, start);
  // German "vom 3. bis 7. März", but "der Bericht vom 3. März"
  const opens = of && !reader.items.slice(start, end).some(({ word }) => word.to) ? undefined : from;
  return kind !== 'period' || (lead ?? bound ?? opens ?? between ?? window ?? age ?? prep) !== undefined;
}

function isJoint(reader: Reader, at: number): boolean {
  const word = wordAt(reader, at);
  return isLink(word) || word.article === true || isPreposition(reader, at) || (word.from ?? word.of) === true || leadsOn(reader, at);
}

/** The grammar knows it by another sense: French "au" is also "to". */
const leadsOn = (reader: Reader, at: number): boolean =>
  wordAt(reader, at).to !== undefined && reader.words.isPreposition(firstWord(reader, at));

function firstWord(reader: Reader, at: number): string {
  const { start, end } = itemAt(reader, at);
  return reader.text.slice(start, end).split(' ', 1)[0] ?? '';
}

function isPreposition(reader: Reader, at: number): boolean {
  const { prep, at: clock, lead, bound, off, groups } = wordAt(reader, at);
  return groups !== true && ((prep ?? clock ?? lead ?? bound ?? off) !== undefined || leadsOn(reader, at));
}

/** A weekday, month or number that a word before it could make another: "Plough Monday", "Python 3.12". */
export function isName(reader: Reader, { start, fields }: Found): boolean {
  if ((fields?.turn ?? fields?.shift ?? fields?.span) !== undefined) return false;
  const { word, num } = itemAt(reader, isJoint(reader, start) ? start + 1 : start);
  if (word.month !== undefined && fields?.year !== undefined) return false;
  return (num ?? word.weekday ?? word.month ?? word.unit ?? word.ord ?? word.half ?? word.quarter) !== undefined;
}

/** German and Dutch: nouns of German have capitals, and Dutch ones in -en are plurals. */
const INFINITIVE = /^\p{Ll}{3,}en$/u;
const VERBS_LAST: ReadonlySet<string> = new Set(['de', 'nl']);
const isLed = (reader: Reader, { start }: Found): boolean => isJoint(reader, start) || isJoint(reader, start - 1);

/** A preposition of an unknown language may turn even a full date: "до 15.03.2026". "Sort code 12-03-26" is no full one. */
export const isFullDate = ({ plain, items }: Reader, { start, end, fields }: Found): boolean =>
  !plain &&
  (fields?.year && fields.month && fields.day) !== undefined &&
  items.slice(start, end).some(({ digits, word }) => digits > 2 || word !== NOTHING);

/** A capital, or a preposition before it, makes a word a part of the name behind it: "on wacky Wednesday", "en plein mars". */
function modifies(reader: Reader, at: number, start: number): boolean {
  if (isProper(reader, start) || (start === 0 && reader.when.locale.language !== 'de' && isCapital(reader, start))) return true;
  const end = itemAt(reader, at - 1).end;
  const { prep, lead } = wordAt(reader, at - 1);
  return (prep ?? lead) !== undefined && reader.text.slice(end, start).trim() === '';
}

/** A name by its capital; at the start of a text every word has one, and in German every noun. */
const isProper = (reader: Reader, start: number): boolean => start > 0 && reader.when.locale.language !== 'de' && isCapital(reader, start);

/** "Les absences du mois dernier": things that are of that time, not a part of it. */
const isPlural = (reader: Reader, start: number): boolean =>
  reader.words.isPlural(reader.text.slice(Math.max(0, start - 5), start + REACH));

/** Tells whether somebody asks, tells or did something here: then a noun beside the phrase is a part of that. */
export const isSentence = (reader: Reader, found: Found): boolean => reader.words.isSentence(textAround(reader, found));

const textAround = (reader: Reader, { start, end }: Found): string =>
  sentenceAround(reader.written, itemAt(reader, start).start, itemAt(reader, end - 1).end).join(' | ');
