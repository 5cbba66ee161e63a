/** The types that users of the package see. They stand apart from the code, which uses types of its own. */
import type { CalendarDate, ZonedMoment } from './zoned.js';

export type DayUnit = 'day' | 'week' | 'weekend' | 'month' | 'quarter' | 'half' | 'year';

export type Unit = 'second' | 'minute' | 'hour' | DayUnit;

/** RFC 3339 text, milliseconds since 1970, a `Date`, or anything that knows its milliseconds, as Temporal's instants do. */
export type Now = string | number | { readonly epochMilliseconds: number } | Date;

/** 2026-05-03, with or without a time behind it, or an object with these members, as `Temporal.PlainDate` is. */
export type DateLike = string | { readonly year: number; readonly month: number; readonly day: number };

export interface Holiday {
  readonly name: string;
  readonly date: DateLike;
}

export interface WhenOptions {
  /** The user's now: an instant or its text. */
  readonly now: Now;
  /** An IANA name, or an offset such as `+02:00` where only a timestamp is known. */
  readonly timezone: string;
  readonly locale?: string;
  /** Monday 1 to Sunday 7; the locale's own unless given. */
  readonly weekStart?: number;
  /** Tells whether a date is a holiday: needed for "next business day". The weekend is the locale's. */
  readonly isHoliday?: (date: CalendarDate) => boolean;
  /** The holidays of a year by name: needed for "Easter Monday". */
  readonly holidays?: (year: number) => readonly Holiday[];
  /** The month in which the fiscal year starts, 1 to 12: needed for "last fiscal year" and "FY25". */
  readonly fiscalYearStart?: number;
}

export interface RangeOptions extends WhenOptions {
  /** The language of the phrase, the order of dates, week and weekend, and the calendar. */
  readonly locale: string;
  /**
   * Chooses the year of "March" and the week of "Monday" if the tense of the sentence does not. Without either, a weekday is the
   * next one, and a month or date without a year the nearest.
   */
  readonly prefer?: 'future' | 'past';
  /** Answers only if the phrase is the whole text: nothing beside it but punctuation and words such as "the" and "in". */
  readonly whole?: boolean;
}

export type Kind = 'period' | 'since' | 'until' | 'from';

export interface Period {
  readonly start: ZonedMoment;
  /** Exclusive. */
  readonly end: ZonedMoment;
  readonly grain: Unit;
  /** `since` ends now. */
  readonly kind: 'period' | 'since';
}

/** "As of now", "until Friday": everything before `end`. */
export interface Until {
  readonly start?: undefined;
  readonly end: ZonedMoment;
  readonly grain: Unit;
  readonly kind: 'until';
}

/** "From Monday on", "starting 1 April": everything from `start`. */
export interface From {
  readonly start: ZonedMoment;
  readonly end?: undefined;
  readonly grain: Unit;
  readonly kind: 'from';
}

export type Interval = Period | Until | From;

export type Range = Interval & {
  /** The phrase as it stands in the text, and where. */
  readonly text: string;
  readonly index: number;
  /** The other meanings of the phrase, the likeliest first. */
  readonly alternatives?: readonly Interval[];
};

export type RangeFunction = (text: string, options: RangeOptions) => Range | undefined;

export interface Obstacle {
  /**
   * `nothing`: no word about time. `beside`: a word next to the phrase changes it. `vague`: "late", "most of". `several`: more than one time.
   * `impossible`: a date or time that does not exist, or words that do not go together. `calendar`: holidays, working days or a fiscal year are needed.
   */
  readonly reason: 'nothing' | 'beside' | 'vague' | 'several' | 'impossible' | 'calendar';
  readonly text: string;
  readonly index: number;
}

export interface Explanation {
  /** The shortest part of the text that has the same answer, or the same refusal. */
  readonly text: string;
  readonly index: number;
  /** The words that were understood. */
  readonly understood: readonly { readonly text: string; readonly index: number }[];
  /** Only where there is no answer. */
  readonly obstacle?: Obstacle;
  /** The answer, and what else the phrase can mean. */
  readonly readings: readonly Interval[];
}

export type ExplainFunction = (text: string, options: RangeOptions) => Explanation;

export interface SupportedLanguages {
  /** A grammar of their own: everything in the documents. */
  readonly grammar: readonly string[];
  /** Languages in which `Intl.RelativeTimeFormat` can say something; none in an entry for one language. */
  readonly relative: readonly string[];
}
