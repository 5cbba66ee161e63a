/** The parts of a phrase that were read so far, in any order of words. */
import type { Part } from './parse/word.js';
import type { Span } from './span.js';
import type { DayUnit } from './types.js';

export interface Clock {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly grain: 'hour' | 'minute' | 'second';
  /** Morning or afternoon was not said, and the hour could be either. */
  readonly open: boolean;
  /** Written with a colon, as clocks of 24 hours show it. */
  readonly digital?: boolean;
}

export interface Nth {
  readonly n: number;
  readonly unit?: DayUnit;
  readonly weekday?: number;
  /** "The last three weeks of": how many, from there towards the middle. */
  readonly count?: number;
}

export interface Fields {
  /** Already a stretch of time: "3 weeks ago". */
  readonly span?: Span;
  /**
   * Units from now: "next month". `loose`: two words, so "last week" can turn out to be the last week *of* something. `open`: "the weekend", which
   * is the last one where the sentence looks back.
   */
  readonly shift?: {
    readonly unit: DayUnit;
    readonly by: number;
    readonly loose: boolean;
    readonly behind?: boolean;
    readonly open?: boolean;
  };
  /** "next" in "next Friday", "last March". */
  readonly turn?: { readonly by: number; readonly near: boolean };
  readonly year?: number;
  readonly half?: number;
  readonly quarter?: number;
  readonly month?: number;
  readonly week?: number;
  readonly day?: number;
  readonly weekday?: number;
  /** "Third week", "first Monday"; -1 is the last. */
  readonly nth?: Nth;
  readonly part?: Part;
  readonly clock?: Clock;
  /** A number that only its surroundings make a day or an hour: "from 4 to 22 January". */
  readonly bare?: number;
  /** Not enough alone inside a sentence. */
  readonly weak?: boolean;
  /** The words that gave the span, such as "in the last week". Its other reading is the calendar's own week or month. */
  readonly window?: { readonly unit: DayUnit; readonly by: number; readonly count: number };
}

/** A month, a day of one, a quarter, half or numbered week of which the year was not said. */
export const isYearless = ({ month, quarter, half, week, year, shift, turn }: Fields): boolean =>
  (month ?? quarter ?? half ?? week) !== undefined && (year ?? shift ?? turn) === undefined;

const BIT = { year: 1, half: 2, quarter: 4, month: 8, week: 16, day: 32, weekday: 64, nth: 128, turn: 256, span: 512, bare: 1024 } as const;
const SHIFT: Readonly<Record<DayUnit, number>> = {
  day: 1 << 11,
  week: 1 << 12,
  weekend: 1 << 13,
  month: 1 << 14,
  quarter: 1 << 15,
  half: 1 << 16,
  year: 1 << 17,
};

function maskOf(fields: Fields): number {
  return (
    (fields.year === undefined ? 0 : BIT.year) |
    (fields.half === undefined ? 0 : BIT.half) |
    (fields.quarter === undefined ? 0 : BIT.quarter) |
    (fields.month === undefined ? 0 : BIT.month) |
    (fields.week === undefined ? 0 : BIT.week) |
    (fields.day === undefined ? 0 : BIT.day) |
    (fields.weekday === undefined ? 0 : BIT.weekday) |
    (fields.nth ? BIT.nth : 0) |
    (fields.turn ? BIT.turn : 0) |
    (fields.span ? BIT.span : 0) |
    (fields.bare === undefined ? 0 : BIT.bare) |
    (fields.shift ? SHIFT[fields.shift.unit] : 0)
  );
}

const { year: Y, half: H, quarter: Q, month: M, week: W, day: D, weekday: w, nth: N, turn: T, span: S, bare: B } = BIT;
/** The combinations that mean something, without and with a clock time or part of the day. */
const WHOLE: ReadonlySet<number> = new Set([
  ...[Y, M, M | Y, M | T, H, H | Y, Q, Q | Y, W, W | Y, N | Y, N | M, N | M | Y, N | Q, N | Q | Y],
  ...Object.values(SHIFT),
  ...[H, Q, M, W, N, N | M].map((bits) => SHIFT.year | bits),
  ...[SHIFT.month | N, SHIFT.quarter | N, N],
  ...[B | SHIFT.month, B | M, B | M | Y, H | SHIFT.month, H | M, H | M | Y],
]);
const DAYS: ReadonlySet<number> = new Set([
  ...[0, S, D, D | w, w, w | T, M | D, M | D | w, M | D | Y, M | D | Y | w, M | D | T, M | D | w | T],
  ...[SHIFT.day, SHIFT.week | w, SHIFT.month | D, SHIFT.month | D | w, SHIFT.year | M | D, SHIFT.year | M | D | w],
  ...[N | Y, N | M, N | M | Y, N | SHIFT.month, N | SHIFT.year, N | M | SHIFT.year],
  ...[B, B | SHIFT.day, B | w, B | w | T, B | SHIFT.week | w, B | M | D, B | M | D | Y, B | M | D | w, B | M | D | Y | w],
]);

function fits(fields: Fields): boolean {
  const mask = maskOf(fields);
  if (!fields.clock && !fields.part) return DAYS.has(mask) || WHOLE.has(mask);
  return DAYS.has(mask) && (!fields.span || fields.span.grain === 'day') && (!fields.nth || dayLike(fields.nth));
}

const dayLike = (nth: Nth): boolean => nth.weekday !== undefined || (nth.unit === 'day' && nth.count === undefined);

/** Both pieces as one, where they do not contradict each other. */
export function merge(a: Fields, b: Fields, linked: boolean): Fields | undefined {
  const weekend = weekendOf(a, b) ?? weekendOf(b, a);
  if (weekend) return weekend;
  const left = asNth(a, b, linked || b.shift === undefined);
  const right = left === a ? asNth(b, a, linked) : b;
  for (const key in left) if (key !== 'weak' && key in right) return undefined;
  const merged: Fields = { ...left, ...right, weak: a.weak === true && b.weak === true };
  return fits(merged) ? merged : undefined;
}

/** "The weekend of next week". */
function weekendOf({ shift: week, ...rest }: Fields, { shift, ...others }: Fields): Fields | undefined {
  if (week?.unit !== 'week' || shift?.unit !== 'weekend' || shift.by !== 0) return undefined;
  return Object.keys(rest).length + Object.keys(others).length === 0
    ? { shift: { unit: 'weekend', by: week.by, loose: false } }
    : undefined;
}

/** "Last week" is the week before this one, but "the last week of September" is counted from that month's end. */
function asNth(fields: Fields, other: Fields, linked: boolean): Fields {
  const container = other.month !== undefined || other.year !== undefined || other.quarter !== undefined || other.shift !== undefined;
  // "Office 2019 last month" has nothing to do with 2019.
  if (!container || !linked || other.day !== undefined) return fields;
  const { shift, turn, weekday, window } = fields;
  if (shift?.loose && !shift.behind && shift.by === -1 && shift.unit !== 'year') return { nth: { n: -1, unit: shift.unit } };
  if (window && window.unit !== 'year') return { nth: { n: window.by, unit: window.unit, count: window.count } };
  if (turn?.by === -1 && weekday !== undefined) return { nth: { n: -1, weekday } };
  return fields;
}

/** Any Monday, of which only `prefer` or a tense can say which. */
export const isBareWeekday = (fields: Fields | undefined): boolean =>
  fields?.weekday !== undefined && (fields.day ?? fields.month ?? fields.week ?? fields.nth ?? fields.turn ?? fields.shift) === undefined;
