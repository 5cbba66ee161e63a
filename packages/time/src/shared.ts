/** The names that every entry of the package exports. */
export { dates, day, halfYear, month, quarter, rolling, toDate, week, weekend, year } from './interval.js';
export type { Explanation, ExplainFunction, Obstacle } from './explain.js';
export type { Range, RangeFunction, RangeOptions } from './range.js';
export type { SupportedLanguages } from './supported.js';
export type { DayUnit, Unit } from './calendar.js';
export type { Holiday } from './holidays.js';
export type { Now } from './instant.js';
export type { From, Interval, Kind, Period, Until } from './span.js';
export type { WhenOptions } from './when.js';
export type { CalendarDate, Instant, ZonedMoment } from './zoned.js';
