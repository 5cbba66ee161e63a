/**
 * The meanings of a word in a phrase about time. One form may carry several senses ("second" is a unit and an ordinal, Italian "mar"
 * a Tuesday and a month): each rule of the parser asks for the sense it needs.
 */
import type { Joined } from './lexicon.js';
import type { DayUnit, Unit } from '../types.js';

export type Part = 'smallHours' | 'morning' | 'forenoon' | 'noonish' | 'afternoon' | 'evening' | 'night';

/** All senses, as a class: every word of a lexicon has its members, and objects of one shape are read fastest. */
export class Senses {
  /** A count. `article`: "a week" is one week, but "a" is never a date. */
  num?: number;
  article?: true;
  ord?: number;
  unit?: Unit;
  /** Needs a count: "last days" says nothing. */
  plural?: true;
  /** The number of units in the word: a fortnight is two weeks. */
  times?: number;
  /** this 0, last -1, next 1, before last -2; after the noun where `post`, on both sides where `post` and `pre`. */
  rel?: number;
  post?: true;
  pre?: true;
  /** "Coming Friday" is the nearest one, "next Friday" that of next week. */
  near?: true;
  /** With a count it looks this way: この7日間 are the last seven days, この日 is today. */
  rolls?: number;
  /** "In the last": the days before today, not the calendar unit. */
  window?: true;
  /** today 0, tomorrow 1 … */
  day?: number;
  /** The day beside another one, "the following day": where that one is said, it is no tomorrow. */
  follows?: true;
  /** "Week commencing" 1, "week ending" -1: the seven days from that day, or up to it. */
  weekOf?: 1 | -1;
  /** A unit and its distance in one word: 今週, `[week, 0]`. */
  span?: readonly [DayUnit, number];
  weekday?: number;
  month?: number;
  half?: number;
  quarter?: number;
  part?: Part;
  /** Behind a mere hour, "6 in the morning", it makes it a time. */
  hourly?: true;
  /** Also a part of the day, beside a day: "heute morgen", "esta mañana". */
  orPart?: Part;
  now?: true;
  /** Behind a length: "ago" -1, "from now" 1. */
  ago?: number;
  /** Before a length: "vor" -1, "in" 1. */
  lead?: number;
  /** Between a length and a date: "after" 1, "before" -1. With `day`: "avant-hier", which is also "before" and "yesterday". */
  off?: number;
  of?: true;
  and?: true;
  or?: true;
  /** An article that makes a bare weekday one of many: "le lundi", "il lunedì". */
  recurs?: true;
  /** May stand before a phrase or inside it and adds nothing: articles. */
  skip?: true;
  /** "Circa": before a count or a time, and only a time of the clock may be that vague. `of`: "about", which is also what something tells of. */
  about?: true | 'of';
  /** A preposition that makes a lone year or month a date: "in 2024". */
  prep?: true;
  from?: true;
  to?: true;
  between?: true;
  /**
   * since, until, before: in front, or behind where the language says it so. `onward` ends nowhere; `either` is that or since, whichever day is
   * nearer.
   */
  bound?: 'since' | 'until' | 'before' | 'after' | 'onward' | 'either';
  boundPost?: 'since' | 'until' | 'before' | 'after' | 'onward' | 'either';
  /** Only behind "from": Portuguese "às" is also "at". */
  upTo?: true;
  /** A thing that the number before it may count; the neutral nouns with an s are others (`isCounted`). */
  thing?: true;
  /** A thing that the number before it must count, so that the number is no hour, day or year: percent, euros, people. */
  sum?: true;
  /** A vague word only where it begins something: "pas hier", not "je ne peux pas demain". */
  lone?: true;
  /** The second half of "from yesterday on". */
  onward?: true;
  /** "so far", "to date". */
  soFar?: true;
  /** "Until now": by itself everything before now, behind a phrase "so far". */
  asOf?: true;
  /** "year to date" in one word. */
  toDate?: DayUnit;
  /** "the beginning of" behind "since", "the end of" behind "until". */
  edge?: 'start' | 'end';
  rest?: true;
  /** "late", "Easter", "fiscal": what follows is not the plain phrase. */
  vague?: true;
  /** "Inclusive": behind an end it says what is so already. */
  inclusive?: true;
  /** "every", "per": what follows recurs; the search goes on behind it. */
  each?: true;
  /** Not enough alone inside a sentence: "may", "sat", "so". */
  weak?: true;
  /** Written small it is an ordinary word as well, and weak: "august company", "dec to hex". */
  small?: true;
  /** A noun that a bare year is said of: "sales 2025". */
  dated?: true;
  at?: true;
  /** "o'clock", "Uhr", "時" behind the hour. */
  oclock?: true;
  meridiem?: 'am' | 'pm';
  /** "half past" 30, "halb" -30: before the hour. */
  before?: number;
  /** "et quart" 15, "menos cuarto" -15: behind the hour. */
  behind?: number;
  /** Between minutes and hour: "past" 1, "to" -1. */
  past?: number;
  /** noon, midnight. */
  hour?: number;
  /** Before a number: "le 17", "día quince"; before an ordinal only: "the 17th", "am 17.". */
  dayMark?: 'any' | 'ordinal';
  /** Behind a number, glued: "th", "日", "号". */
  daySuffix?: true;
  /** Glued to a number and an ordinal: "3rd", "3º". */
  ordSuffix?: true;
  ordMark?: true;
  monthSuffix?: true;
  yearSuffix?: true;
  /** Before a number: "Q" 3, "week" 27. */
  label?: 'quarter' | 'half' | 'week' | 'year';
  /** An ordinal before it is the number of a week of the year: "7. Kalenderwoche". */
  numbered?: true;
  /** First year of an era less one: 平成 1988. */
  era?: number;
  /** Behind a phrase it makes it another: a zone's name, "Good Friday" where the adjective follows, the end of a month in 月末
   * (`unit`: only behind a week or longer). */
  spoils?: true | 'unit';
  /** Before a length: "more than" two weeks ago, "less than" 3 days ago, "within" 3 days; behind it 以上, 以内. */
  age?: 'more' | 'less' | 'within';
  agePost?: 'more' | 'less' | 'within';
  /** "Older than": it needs no "ago". */
  ageAlone?: true;
  /** Behind a length, "more than two years old": it is an age. */
  old?: true;
  /** "From now": by itself everything from this moment on. */
  onset?: true;
  /** "Early", "mid", "late" before what they are a third of; behind it where `thirdPost`; with `thirdUnit` in one word: 月末. */
  third?: 'early' | 'mid' | 'late';
  thirdPost?: 'early' | 'mid' | 'late';
  thirdUnit?: 'week' | 'month' | 'quarter' | 'year';
  /** "EOD", "EOM": everything until the end of that unit. */
  deadline?: DayUnit;
  /** "Earlier" today: from its start until now. */
  earlier?: true;
  /** "Business day", "Werktage". */
  workday?: true;
  /** "Fiscal year", "FY": named by the year in which it ends, or starts. */
  fiscal?: 'end' | 'start';
  /** The name of a holiday: the caller's calendar has to know it. */
  feast?: true;
  /** "Compare": two times are meant; "versus", "up from": right before a phrase, the other one is not said. */
  compares?: true | 'with';
  /** "Never", "the eve of", "at the latest", "minus": next to a phrase, on either side, it makes it another; "but", "near" only right before it. */
  alters?: true | 'touching';
  /**
   * "Exclude": nothing behind it is meant, "yesterday's data" neither. `article`: only what an article names, "without the numbers of February", but
   * "excluding tax". `behind`: it goes behind, 昨日のデータを除く.
   */
  excludes?: true | 'article' | 'behind';
  /** "By region": behind a phrase it is no bound. */
  groups?: true;
  /** "TTM": the last twelve months. */
  twelve?: true;
  /** "Top": the number behind it counts. */
  top?: true;
  /** "Nights", "weekdays", "business hours": stretches that recur, so that the phrase beside them is only where they lie. */
  spell?: true;
  /** "Lunch", "dawn": a time of the day that no clock shows; behind a phrase it narrows it. */
  unclocked?: true;
  /** "Most of": the phrase behind it is not meant whole. */
  share?: true;
  /** "-ish": behind a time it blurs it. */
  ish?: true;
  /** "Same" before a unit, or "same period"; `lastYears`: with the year in one word, "Vorjahresquartal". */
  same?: 'unit' | 'period';
  lastYears?: DayUnit | 'period';
  /** "Full" between a count and its unit, or behind both: the calendar's months, not days counted back. */
  full?: true;
  /** Between a count and what is counted: 个. */
  measure?: true;
}

/** The senses of one form. */
export type Sense = Pick<Senses, keyof Senses>;

/** A row of a grammar: a sense and the forms that carry it, with commas between. `dies-` stands for every ending. */
export type Row = readonly [Sense, string];

/** Patterns of words that tell whether a sentence is about what was or what will be, in lower case with their accents. */
export interface Tense {
  readonly past: string;
  /** Goes before `past`: "will be shipped". */
  readonly future: string;
  /** Words that look like one of them and are not; cut out first. */
  readonly neither?: string;
  /** Without spaces between words: the patterns may match inside of one. */
  readonly joined?: true;
  /** Nouns are written with a capital: such a word inside a sentence is no verb. */
  readonly capitals?: true;
}

/** Words beside a phrase that leave it as it is, with spaces between. A dash stands for any ending. */
export interface Beside {
  /** Pronouns, question words, auxiliaries, verbs of asking: they show that the text is a sentence. */
  readonly asks: string;
  /** Those of them that lead to a place as often: a known noun may follow. */
  readonly places?: string;
  /** Prepositions that can lead to a time: behind a phrase they are judged by the word they lead to. */
  readonly prepositions?: string;
  /** A pattern of an article and a noun that are several things: they are of a time, not a part of it. */
  readonly plural?: string;
  /** Nouns, verbs, adverbs that may touch a phrase: "sales-", "only". */
  readonly neutral: string;
}

export interface Grammar {
  /** Set where words run together. */
  readonly joined?: Joined;
  /** The endings that `-` behind a stem stands for. */
  readonly endings?: string;
  /** Spellings to be taken as one, in the folded text: `['ae', 'a']`; single characters in the joined scripts. */
  readonly same?: readonly (readonly [string, string])[];
  readonly tense?: Tense;
  readonly beside?: Beside;
  readonly rows: readonly Row[];
}

/** A unit's names in the singular and in the plural. */
export function noun(unit: Unit, one: string, many: string, more: Sense = {}): Row[] {
  return [
    [{ ...more, unit }, one],
    [{ ...more, unit, plural: true }, many],
  ];
}

/** Every form of the first list before every one of the second: `pairs('just,well', 'before,after')`. */
export const pairs = (first: string, second: string): string =>
  first
    .split(',')
    .flatMap((one) => second.split(',').map((other) => `${one} ${other}`))
    .join();

/** Rows for consecutive values: `count('month', 1, 'january, jan | february, feb | …')`. */
export function count(
  sense: 'num' | 'ord' | 'weekday' | 'month' | 'half' | 'quarter',
  first: number,
  forms: string,
  more: Sense = {},
): Row[] {
  return forms.split('|').map((form, index): Row => [{ ...more, [sense]: first + index }, form]);
}
