/** A stretch of time before it has a zone: ends on the local time line, or instants where they come from the clock itself. */
import { inReach, unitAround, type Days } from './calendar.js';
import type { When } from './when.js';
import { DAY_MS, firstInstant, instantOf } from './zone.js';
import { ZonedMoment } from './zoned.js';
import type { DayUnit, Interval, Kind, Period, Unit } from './types.js';

/** A stretch, and which of its ends are open. */
export interface Reading {
  readonly span: Span;
  readonly kind: Kind;
}

/** Half-open. `from` and `to` are local milliseconds, or instants where `exact` says so (1: from, 2: to, 3: both). */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly grain: Unit;
  readonly exact: 0 | 1 | 2 | 3;
}

export const daySpan = ({ from, to }: Days, grain: Unit): Span => ({ from: from * DAY_MS, to: to * DAY_MS, grain, exact: 0 });

/** Days as a span, if every party along the way can write them. */
export const spanOf = (days: Days | undefined, grain: Unit): Span | undefined => (inReach(days) ? daySpan(days, grain) : undefined);

/** "Last week", "this quarter": the `by`-th unit from now. */
export const unitSpan = (when: When, unit: DayUnit, by: number, day: number = when.today): Span | undefined =>
  spanOf(Math.abs(by) < 100_000 ? unitAround(when, unit, by, day) : undefined, unit);

export const startOf = (when: When, { from, exact }: Span): number => (exact & 1 ? from : toInstant(when, from));
export const endOf = (when: When, { to, exact }: Span): number => (exact & 2 ? to : toInstant(when, to));

function toInstant({ zone }: When, local: number): number {
  const day = Math.floor(local / DAY_MS);
  return day * DAY_MS === local ? firstInstant(zone, day) : instantOf(zone, local);
}

const zonedStartOf = (when: When, span: Span): ZonedMoment => new ZonedMoment(when.zone.id, startOf(when, span));
const zonedEndOf = (when: When, span: Span): ZonedMoment => new ZonedMoment(when.zone.id, endOf(when, span));

/** Nothing is left, as of minutes that the clock skipped. "This month so far" may have only just begun. */
function isEmpty(when: When, span: Span, kind: 'period' | 'since'): boolean {
  // Days apart, ends stay in order in any zone; closer than that, the clock may have jumped.
  if (span.exact === 0 && span.to - span.from > 2 * DAY_MS) return false;
  const left = endOf(when, span) - startOf(when, span);
  return left < 0 || (left === 0 && kind === 'period');
}

export function periodOf(when: When, span: Span, kind: 'period' | 'since' = 'period'): Period | undefined {
  if (isEmpty(when, span, kind)) return undefined;
  return { start: zonedStartOf(when, span), end: zonedEndOf(when, span), grain: span.grain, kind };
}

/** The interval of a reading; nothing if it is empty. */
export function intervalOf(when: When, { span, kind }: Reading): Interval | undefined {
  const { grain } = span;
  if (kind === 'until') return { start: undefined, end: zonedEndOf(when, span), grain, kind };
  if (kind === 'from') return { start: zonedStartOf(when, span), end: undefined, grain, kind };
  return periodOf(when, span, kind);
}
