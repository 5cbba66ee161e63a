/** The names that every entry of the package exports. */
export { dates, day, halfYear, month, quarter, rolling, toDate, week, weekend, year } from './interval.js';
export type {
  DayUnit,
  ExplainFunction,
  Explanation,
  From,
  Holiday,
  Interval,
  Kind,
  Now,
  Obstacle,
  Period,
  Range,
  RangeFunction,
  RangeOptions,
  SupportedLanguages,
  Unit,
  Until,
  WhenOptions,
} from './types.js';
export type { CalendarDate, Instant, ZonedMoment } from './zoned.js';
