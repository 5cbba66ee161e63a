/**
 * The same unit of another time: "same quarter last year", 去年同月. "The same period" is as much of the year, month or week as has
 * passed of the current one, which is what a report compares with; the whole quarter, month and day there are other readings.
 */
import { addUnits, inReach, unitAround } from '../calendar.js';
import type { Fields } from '../fields.js';
import { daySpan, unitSpan, type Span } from '../span.js';
import type { When } from '../when.js';
import { DAY_MS } from '../zone.js';
import { readMoment, skipLinks } from './moment.js';
import { found, REFUSED, type Outcome } from './outcome.js';
import { wordAt, type Reader } from './reader.js';
import type { DayUnit } from '../types.js';

type Same = DayUnit | 'period';
/** From the finest to the coarsest. */
const SIZES: readonly DayUnit[] = ['day', 'week', 'month', 'quarter', 'half', 'year'];
const LAST_YEAR: Fields = { shift: { unit: 'year', by: -1, loose: false } };

/** "Same quarter last year", "Vorjahresquartal". */
export function readSame(reader: Reader, at: number): Outcome {
  const { lastYears } = wordAt(reader, at);
  if (lastYears !== undefined) return sameIn(reader, at, at + 1, lastYears, LAST_YEAR);
  const unit = readUnit(reader, at);
  const { end } = reader;
  const moment = unit && readMoment(reader, skipLinks(reader, end));
  // "The same day": as which?
  if (unit === 'day' && !moment) return REFUSED;
  if (!unit || !moment || moment.clash || !isOtherUnit(moment.fields)) return undefined;
  return sameIn(reader, at, reader.end, unit, moment.fields);
}

/** "Last year, same quarter", 去年同期: `fields` is what stands before it. */
export function readSameBehind(reader: Reader, at: number, end: number, fields: Fields): Outcome {
  const place = skipLinks(reader, end);
  const unit = isOtherUnit(fields) ? readUnit(reader, place) : undefined;
  return unit && sameIn(reader, at, reader.end, unit, fields);
}

function readUnit(reader: Reader, at: number): Same | undefined {
  const { same } = wordAt(reader, at);
  if (!same) return undefined;
  reader.end = at + 1;
  if (same === 'period') return 'period';
  const place = wordAt(reader, at + 1).measure ? at + 2 : at + 1;
  const { unit, plural } = wordAt(reader, place);
  reader.end = place + 1;
  return plural || !SIZES.includes(unit as DayUnit) ? undefined : (unit as DayUnit);
}

const isOtherUnit = ({ shift, ...rest }: Fields): boolean => shift !== undefined && shift.by !== 0 && Object.keys(rest).length === 0;

function sameIn({ when }: Reader, start: number, end: number, unit: Same, { shift }: Fields): Outcome {
  if (!shift || !SIZES.includes(shift.unit)) return REFUSED;
  const day = addUnits(when.today, shift.unit, shift.by);
  const whole = (size: DayUnit): Span | undefined =>
    SIZES.indexOf(size) < SIZES.indexOf(shift.unit) ? unitSpan(when, size, 0, day) : undefined;
  const span = unit === 'period' ? soFarThere(when, shift.unit, day) : whole(unit);
  if (!span) return REFUSED;
  if (unit !== 'period') return found(start, end, span);
  const more = (['quarter', 'month', 'day'] as const).map(whole).filter((other) => other !== undefined);
  return { ...found(start, end, span), more };
}

/** From the start of that unit to the day and the time of the day that it is now. */
function soFarThere(when: When, unit: DayUnit, day: number): Span | undefined {
  const days = { from: unitAround(when, unit, 0, day).from, to: day + 1 };
  return inReach(days) ? { ...daySpan(days, unit), to: day * DAY_MS + (when.local - when.today * DAY_MS) } : undefined;
}
