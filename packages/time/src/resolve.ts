/** From what was said to a span on the local time line, and to the other readings it could have. */
import { unitAround, weekIn, MONTHS_IN, type Days } from './calendar.js';
import { civilOf, dayOf, daysInMonth, exists, weekdayOf } from './civil.js';
import type { Clock, Fields, Nth } from './fields.js';
import { wholeUnits, windowSpan } from './parse/length.js';
import type { Part } from './parse/word.js';
import { spanOf, unitSpan, type Span } from './span.js';
import type { When } from './when.js';
import { DAY_MS } from './zone.js';
import type { DayUnit } from './types.js';

export interface Direction {
  /** Chooses between two equally near dates of a bare weekday, day or month. */
  readonly prefer: 'future' | 'past';
  /** The day to count from; a bare weekday is never this one unless `inclusive`. */
  readonly day: number;
  readonly inclusive: boolean;
}

export function resolve(when: When, fields: Fields, direction: Direction): Span | undefined {
  const { part, clock } = fields;
  if (!part && !clock) return resolveDate(when, fields, direction);
  if (isClockOnly(fields)) return clock ? nextClock(when, fields, direction) : undefined;
  const date = resolveDate(when, fields, direction);
  if (date?.grain !== 'day' || date.exact !== 0) return undefined;
  return onDay(direction.prefer === 'past' && isTonight(fields) ? date.from - DAY_MS : date.from, fields);
}

/** "Was ist heute Nacht passiert?" is about the last one. */
export const isTonight = ({ part, clock, shift }: Fields): boolean => part === 'night' && !clock && shift?.unit === 'day' && shift.by === 0;

const isClockOnly = (fields: Fields): boolean =>
  !(fields.span ?? fields.shift ?? fields.nth ?? fields.weekday ?? fields.day ?? fields.month ?? fields.year);

function resolveDate(when: When, fields: Fields, direction: Direction): Span | undefined {
  const { span, shift, nth, week, quarter, half, month, day, weekday, year } = fields;
  if (span) return span;
  if (nth) return resolveNth(when, fields, nth, direction);
  // Numbered weeks are those of ISO 8601, whatever day the locale's weeks start on.
  if (week !== undefined)
    return inYear(when, fields, direction, (at) => spanOf(weekIn({ ...when, weekStart: 1 }, yearDays(at), week), 'week'));
  if (quarter !== undefined) return inYear(when, fields, direction, (at) => months(at, quarter * 3 - 2, 'quarter'));
  if (half !== undefined && (month !== undefined || shift?.unit === 'month')) return halfMonth(when, fields, half, direction);
  if (half !== undefined) return inYear(when, fields, direction, (at) => months(at, half * 6 - 5, 'half'));
  if (month !== undefined) return resolveMonth(when, fields, month, direction);
  if (day !== undefined) return resolveDay(when, fields, day, direction);
  if (weekday !== undefined) return resolveWeekday(when, fields, weekday, direction);
  if (year !== undefined) return months(year, 1, 'year');
  const unit = shift && unitSpan(when, shift.unit, shift.by);
  return shift?.open && direction.prefer === 'past' && unit && unit.from > when.local ? unitSpan(when, shift.unit, -1) : unit;
}

const oneDay = (day: number): Span | undefined => spanOf({ from: day, to: day + 1 }, 'day');
const months = (year: number, first: number, grain: 'month' | 'quarter' | 'half' | 'year'): Span | undefined =>
  spanOf({ from: dayOf(year, first, 1), to: dayOf(year, first + (MONTHS_IN[grain] ?? 1), 1) }, grain);
const yearDays = (year: number): Days => ({ from: dayOf(year, 1, 1), to: dayOf(year + 1, 1, 1) });
const yearOf = (when: When, { year, shift }: Fields): number => year ?? civilOf(when.today).year + (shift?.unit === 'year' ? shift.by : 0);

/** A week, quarter or half of the year that is named, or of this one; looking back, the last that has begun, and behind another the next. */
function inYear(when: When, fields: Fields, { prefer, day }: Direction, of: (year: number) => Span | undefined): Span | undefined {
  if (fields.year !== undefined || fields.shift !== undefined) return of(yearOf(when, fields));
  const { year } = civilOf(day);
  const found = of(year);
  if (found === undefined) return undefined;
  if (prefer === 'past') return found.from > day * DAY_MS ? of(year - 1) : found;
  return day !== when.today && found.to <= day * DAY_MS ? of(year + 1) : found;
}

/** "The second half of February": of 31 days the first half has 15. */
function halfMonth(when: When, { half: _, ...rest }: Fields, half: number, direction: Direction): Span | undefined {
  const month = resolveDate(when, rest, direction);
  if (!month) return undefined;
  const [from, to] = [month.from / DAY_MS, month.to / DAY_MS];
  const middle = from + Math.floor((to - from) / 2);
  return spanOf(half === 1 ? { from, to: middle } : { from: middle, to }, 'day');
}

function resolveMonth(when: When, fields: Fields, month: number, direction: Direction): Span | undefined {
  const { day, weekday, turn, year, shift } = fields;
  const here = civilOf(direction.day);
  if (year !== undefined || shift) return dateOrMonth(yearOf(when, fields), month, day);
  if (turn && day === undefined) {
    const ahead = turn.by > 0 ? month <= here.month : turn.by < 0 ? month >= here.month : false;
    const nearest = here.year + (ahead ? Math.sign(turn.by) : 0);
    return Math.abs(turn.by) <= 1 ? months(nearest, month, 'month') : undefined;
  }
  if (day !== undefined && weekday !== undefined) return withWeekday(here.year, month, day, weekday);
  const passed = day === undefined ? month < here.month : dayOf(here.year, month, day) < direction.day;
  const ahead = day === undefined ? month > here.month : dayOf(here.year, month, day) > direction.day;
  const step = direction.prefer === 'future' ? (passed ? 1 : 0) : ahead ? -1 : 0;
  // 29 February waits for its year.
  for (let tries = 0; tries < 8; tries++) {
    const found = dateOrMonth(here.year + step + (direction.prefer === 'future' ? tries : -tries), month, day);
    if (found) return found;
  }
  return undefined;
}

function dateOrMonth(year: number, month: number, day: number | undefined): Span | undefined {
  if (day === undefined) return months(year, month, 'month');
  return exists(year, month, day) ? oneDay(dayOf(year, month, day)) : undefined;
}

/** "Friday, 18 July" without a year: the nearest year in which it is one, this one if it never is nearby. */
function withWeekday(year: number, month: number, day: number, weekday: number): Span | undefined {
  for (const near of [0, 1, -1, 2, -2, 3, -3])
    if (exists(year + near, month, day) && weekdayOf(dayOf(year + near, month, day)) === weekday)
      return oneDay(dayOf(year + near, month, day));
  return undefined;
}

function resolveDay(when: When, { shift, weekday }: Fields, day: number, direction: Direction): Span | undefined {
  const { year, month } = civilOf(shift ? unitAround(when, 'month', shift.by).from : direction.day);
  if (shift) return exists(year, month, day) ? oneDay(dayOf(year, month, day)) : undefined;
  const sign = direction.prefer === 'future' ? 1 : -1;
  for (let step = 0; step < 24; step++) {
    const first = dayOf(year, month + step * sign, 1);
    const found = first + day - 1;
    const { year: y, month: m } = civilOf(first);
    if (day > daysInMonth(y, m)) continue;
    if (weekday !== undefined ? weekdayOf(found) === weekday : beyond(found, direction)) return oneDay(found);
  }
  return undefined;
}

const beyond = (day: number, { day: from, prefer, inclusive }: Direction): boolean =>
  (inclusive && day === from) || (prefer === 'future' ? day > from : day < from);

function resolveWeekday(when: When, { shift, turn }: Fields, weekday: number, direction: Direction): Span | undefined {
  if (shift?.unit === 'week' || (turn && turn.by !== 0 && !turn.near)) {
    const { from } = unitAround(when, 'week', shift?.by ?? turn?.by ?? 0);
    return oneDay(from + ((weekday - when.weekStart + 7) % 7));
  }
  // 这周二 is of this week, also when it is over.
  if (turn?.by === 0 && when.locale.language === 'zh')
    return oneDay(unitAround(when, 'week', 0).from + ((weekday - when.weekStart + 7) % 7));
  if (turn?.by === 0) return oneDay(when.today + ((weekday - weekdayOf(when.today) + 7) % 7));
  return oneDay(nearestWeekday(weekday, turn ? { ...direction, prefer: turn.by < 0 ? 'past' : 'future' } : direction));
}

function nearestWeekday(weekday: number, { day, prefer, inclusive }: Direction): number {
  const ahead = (weekday - weekdayOf(day) + 7) % 7;
  if (ahead === 0) return inclusive ? day : prefer === 'future' ? day + 7 : day - 7;
  return prefer === 'future' ? day + ahead : day + ahead - 7;
}

function resolveNth(when: When, fields: Fields, { n, unit, weekday, count }: Nth, direction: Direction): Span | undefined {
  const { nth: _, part: _part, clock: _clock, ...rest } = fields;
  const container = Object.keys(rest).some((key) => key !== 'weak') ? resolveDate(when, rest, direction) : undefined;
  if (!container || n === 0) return undefined;
  const days = { from: container.from / DAY_MS, to: container.to / DAY_MS };
  let found: Days | undefined;
  if (weekday !== undefined) {
    const first = days.from + ((weekday - weekdayOf(days.from) + 7) % 7);
    const last = days.to - 1 - ((weekdayOf(days.to - 1) - weekday + 7) % 7);
    const from = n > 0 ? first + 7 * (n - 1) : last + 7 * (n + 1);
    found = { from, to: from + 1 };
  } else if (count !== undefined && unit !== undefined) {
    const first = n > 0 ? unitIn(when, unit, days, 1) : unitIn(when, unit, days, -count);
    const last = n > 0 ? unitIn(when, unit, days, count) : unitIn(when, unit, days, -1);
    return first && last ? spanOf({ from: first.from, to: last.to }, unit) : undefined;
  } else if (unit !== undefined) return spanOf(unitIn(when, unit, days, n), unit);
  return found && found.from >= days.from && found.to <= days.to ? spanOf(found, 'day') : undefined;
}

/** The nth unit inside some days, counted from the end where below zero. */
function unitIn(when: When, unit: DayUnit, days: Days, n: number): Days | undefined {
  if (unit === 'week') return weekIn(when, days, n);
  let found: Days;
  if (unit === 'day') found = n > 0 ? { from: days.from + n - 1, to: days.from + n } : { from: days.to + n, to: days.to + n + 1 };
  else if (unit === 'weekend') found = unitAround(when, 'weekend', n > 0 ? n - 1 : n, n > 0 ? days.from : days.to);
  else found = n > 0 ? unitAround(when, unit, n - 1, days.from) : unitAround(when, unit, n + 1, days.to - 1);
  return found.from >= days.from && found.to <= days.to ? found : undefined;
}
const HOURS: Readonly<Record<Part, readonly [number, number]>> = {
  smallHours: [0, 6],
  morning: [6, 12],
  forenoon: [9, 12],
  noonish: [12, 14],
  afternoon: [12, 18],
  evening: [18, 24],
  night: [21, 30],
};
const SIZE = { hour: 3_600_000, minute: 60_000, second: 1000 } as const;

function msOf({ hour, minute, second, open }: Clock, part?: Part): number {
  const later =
    open &&
    hour < 12 &&
    (part === 'afternoon' || part === 'evening' || (part === 'night' && hour >= 6) || (part === 'noonish' && hour < 6));
  // Twelve at night is midnight.
  const twelve = open && hour === 12 ? (part === 'night' || part === 'evening' ? 24 : part === 'smallHours' ? 0 : 12) : hour;
  return (((later ? hour + 12 : twelve) * 60 + minute) * 60 + second) * 1000;
}

function onDay(midnight: number, { part, clock }: Fields): Span | undefined {
  if (clock) {
    const from = midnight + msOf(clock, part);
    return { from, to: from + SIZE[clock.grain], grain: clock.grain, exact: 0 };
  }
  if (!part) return undefined;
  const [from, to] = HOURS[part];
  return { from: midnight + from * SIZE.hour, to: midnight + to * SIZE.hour, grain: 'hour', exact: 0 };
}

/** A time without a day: the next one on the clock, or the last. */
function nextClock(when: When, fields: Fields, { prefer }: Direction): Span | undefined {
  const today = onDay(when.today * DAY_MS, fields);
  if (!today) return undefined;
  // "At three" said at four is this afternoon; 3:00 on the clock is tomorrow's.
  const period = fields.clock?.open && !fields.clock.digital && !fields.part ? DAY_MS / 2 : DAY_MS;
  const passed = prefer === 'future' ? today.to <= when.local : today.from > when.local;
  const step = passed ? (prefer === 'future' ? period : -period) : 0;
  const [from, to] = [today.from + step, today.to + step];
  const again = prefer === 'future' ? to <= when.local : from > when.local;
  return { ...today, from: again ? from + step : from, to: again ? to + step : to };
}

/** Lists other meanings of the words: calendar week or seven days, Friday of next week or the nearest, 3 or 15 o'clock. */
export function otherReadings(when: When, fields: Fields): Span[] {
  const { shift, window, turn, weekday, month, clock } = fields;
  const spans: (Span | undefined)[] = [];
  if (window) spans.push(calendarUnits(when, window));
  else if (shift?.loose && Math.abs(shift.by) === 1 && Object.keys(fields).length <= 2) spans.push(windowSpan(when, shift.unit, shift.by));
  if (turn && weekday !== undefined && month === undefined) {
    const nearest = nearestWeekday(weekday, { prefer: turn.by < 0 ? 'past' : 'future', day: when.today, inclusive: false });
    // "Friday after next" is one week behind the nearest.
    const near = oneDay(nearest + 7 * (turn.by - Math.sign(turn.by)));
    const inWeek = resolveWeekday(when, { shift: { unit: 'week', by: turn.by, loose: false } }, weekday, TODAY(when));
    const chosen = resolveWeekday(when, fields, weekday, TODAY(when));
    for (const other of [near, inWeek]) {
      const span = other && (fields.part || fields.clock ? onDay(other.from, fields) : other);
      if (other && other.from !== chosen?.from) spans.push(span);
    }
  }
  if (clock?.open && clock.hour < 12 && clock.hour > 0 && !fields.part) {
    const later: Fields = { ...fields, clock: { ...clock, hour: clock.hour + 12, open: false } };
    spans.push(resolve(when, later, TODAY(when)));
  }
  return spans.filter((span) => span !== undefined);
}

/** The calendar's weeks or months where days were counted, if they are others. */
const calendarUnits = (when: When, { unit, by, count }: NonNullable<Fields['window']>): Span | undefined =>
  unit === 'day' || unit === 'quarter' || unit === 'half' ? undefined : wholeUnits(when, unit, count, by);

const TODAY = (when: When): Direction => ({ prefer: 'future', day: when.today, inclusive: false });
