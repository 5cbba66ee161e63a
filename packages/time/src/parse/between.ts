/** Ranges: what one end leaves out the other supplies. Dates include the last day, clock times do not. */
import { isClockUnit } from '../calendar.js';
import { merge, type Clock, type Fields } from '../fields.js';
import { civilOf } from '../civil.js';
import { resolve, type Direction } from '../resolve.js';
import { endOf, startOf, type Span } from '../span.js';
import type { When } from '../when.js';
import { DAY_MS } from '../zone.js';

type Mutable = { -readonly [Key in keyof Fields]: Fields[Key] };

const DATE_KEYS = ['span', 'shift', 'turn', 'year', 'half', 'quarter', 'month', 'week', 'day', 'weekday', 'nth'] as const;
export const hasDate = (fields: Fields): boolean => DATE_KEYS.some((key) => fields[key] !== undefined);

export function resolveBetween(when: When, from: Fields, to: Fields, around: Fields | undefined, direction: Direction): Span | undefined {
  const framed = around ? [merge(around, from, true), merge(around, to, true)] : [from, to];
  if (!framed[0] || !framed[1]) return undefined;
  const numbered = [asNumber(framed[0], framed[1]), asNumber(framed[1], framed[0])];
  if (!numbered[0] || !numbered[1]) return undefined;
  // "From tomorrow to the 2nd" could as well be two days.
  if (numbered[1].day !== undefined && numbered[1].month === undefined && !numbered[1].shift && numbered[0].day === undefined)
    return undefined;
  const first = fill(numbered[0], numbered[1]);
  const last = fill(numbered[1], numbered[0]);
  // "From 5 to 1 October" runs backwards: the month is one, said once.
  const oneMonth = (numbered[0].month === undefined) !== (numbered[1].month === undefined) && first.month === last.month;
  if (oneMonth && (first.day ?? 0) > (last.day ?? 31)) return undefined;
  const moves = isDated(numbered[0]) ? (isDated(numbered[1]) ? undefined : 'last') : 'first';
  // Without a year, choose the first range that is not over: "August to October" in September.
  const running = direction.prefer === 'future' && first.month !== undefined && first.year === undefined && !first.turn && !first.shift;
  const past = running ? ends(when, first, last, moves, { ...direction, prefer: 'past', inclusive: true }) : undefined;
  if (past && past.to - past.from < 366 * DAY_MS && endOf(when, past) >= when.now) return past;
  return ends(when, first, last, moves, direction);
}

const isDated = ({ year, shift }: Fields): boolean => year !== undefined || shift !== undefined;

/** `moves`: the end whose year was not said, and may be another than the other end's. */
function ends(when: When, first: Fields, last: Fields, moves: 'first' | 'last' | undefined, direction: Direction): Span | undefined {
  const start = resolve(when, meridiemOf(first, last), direction);
  if (!start) return undefined;
  const day = Math.floor((start.exact & 1 ? when.local : start.from) / DAY_MS);
  const end = resolve(when, last, { prefer: 'future', day, inclusive: true });
  if (!end) return undefined;
  const isReversed = !last.clock && start.from >= end.to && first.month !== undefined;
  if (isReversed && moves === 'first') return joined(when, inYear(when, first, -1) ?? start, end);
  if (isReversed && moves === 'last') return joined(when, start, inYear(when, last, 1) ?? end);
  const span = joined(when, start, later(start, end, last));
  // "What did we do between Monday and Friday", on a Wednesday: the last ones.
  const isAhead = direction.prefer === 'past' && isWeekdays(first) && isWeekdays(last) && span !== undefined && end.from > when.local;
  return isAhead ? { ...span, from: span.from - 7 * DAY_MS, to: span.to - 7 * DAY_MS } : span;
}

const isWeekdays = ({ weekday, day, month, shift, turn }: Fields): boolean =>
  weekday !== undefined && (day ?? month ?? shift ?? turn) === undefined;

/** A bare number is an hour beside an hour or a day, and a day beside a day or a month. */
function asNumber(fields: Fields, other: Fields): Fields | undefined {
  const { bare, ...rest } = fields;
  if (bare === undefined) return fields;
  const own = fields.day !== undefined || (other.bare !== undefined && other.day !== undefined);
  const isDay = [fields, other].some(({ day, month, shift }) => day !== undefined || month !== undefined || shift?.unit === 'month');
  const isHour =
    other.clock ??
    (fields.weekday !== undefined || fields.shift?.unit === 'day' || other.weekday !== undefined || other.shift?.unit === 'day');
  if (own || (isHour && (other.clock !== undefined || !isDay))) {
    if (bare > 24) return undefined;
    const digital = other.clock?.digital === true && { digital: true };
    const clock: Clock = { hour: bare, minute: 0, second: 0, grain: 'hour', open: bare >= 1 && bare <= 12, ...digital };
    return { ...rest, clock };
  }
  return isDay && bare >= 1 ? { ...rest, day: bare } : undefined;
}

function fill(fields: Fields, other: Fields): Fields {
  const filled: Mutable = { ...fields };
  const take = (...keys: (keyof Fields)[]): void => {
    for (const key of keys) if (filled[key] === undefined && other[key] !== undefined) Object.assign(filled, { [key]: other[key] });
  };
  if (fields.clock && !isBefore(fields.clock, other)) take('part');
  if (!hasDate(fields)) take(...DATE_KEYS);
  else if (fields.day !== undefined && fields.month === undefined && !fields.shift) take('month', 'year', 'shift');
  else if (fields.weekday !== undefined && !fields.turn && !fields.shift && fields.day === undefined && other.shift?.unit === 'week')
    take('shift');
  else if ((fields.month ?? fields.quarter ?? fields.half ?? fields.week) !== undefined && fields.year === undefined && !fields.turn) {
    if (other.year !== undefined) take('year');
    else if (other.shift?.unit === 'year') take('shift');
  }
  return filled;
}

/** "From 7:30 to 4 in the afternoon": only the second is in the afternoon. */
const isBefore = ({ hour }: Clock, { clock, part }: Fields): boolean =>
  part !== undefined && part !== 'morning' && clock !== undefined && hour < 12 && clock.hour < 12 && hour > clock.hour;

/** "3:30 to 6:00 pm" starts in the afternoon too. */
function meridiemOf(first: Fields, last: Fields): Fields {
  const [a, b] = [first.clock, last.clock];
  if (!a?.open || !b || b.open || a.hour >= 12) return first;
  if (a.hour + 12 > b.hour) return a.hour < b.hour ? { ...first, clock: { ...a, open: false } } : first;
  return { ...first, clock: { ...a, hour: a.hour + 12, open: false } };
}

/** "November to February 2017" begins a year before, "November 2017 to February" ends a year later. */
function inYear(when: When, fields: Fields, by: number): Span | undefined {
  const { year, shift, month } = fields;
  const direction: Direction = { prefer: 'past', day: when.today, inclusive: true };
  if (year !== undefined) return resolve(when, { ...fields, year: year + by }, direction);
  return shift && month !== undefined ? resolve(when, { ...fields, shift: { ...shift, by: shift.by + by } }, direction) : undefined;
}

/** An end that would come first is meant later: "May to March", "10:30 to 3", "22:00 to 6:00". */
function later(start: Span, end: Span, last: Fields): Span {
  if (end.exact !== 0 || start.exact !== 0 || end.from > start.from) return end;
  const { clock } = last;
  if (clock) {
    const step = clock.open && end.from + DAY_MS / 2 > start.from ? DAY_MS / 2 : DAY_MS;
    return { ...end, from: end.from + step, to: end.to + step };
  }
  return end;
}

const isDayGrain = ({ grain }: Span): boolean => !isClockUnit(grain);

function joined(when: When, start: Span, end: Span): Span | undefined {
  const inclusive = isDayGrain(end);
  const exact = ((start.exact & 1) | (inclusive ? end.exact & 2 : end.exact & 1 ? 2 : 0)) as Span['exact'];
  const span: Span = { from: start.from, to: inclusive ? end.to : end.from, grain: end.grain, exact };
  if (startOf(when, span) >= endOf(when, span)) return undefined;
  return civilOf(Math.floor(start.from / DAY_MS)).year >= 1 ? span : undefined;
}
