export { Temporal } from 'temporal-polyfill';
export { dates, day, halfYear, month, quarter, rolling, toDate, week, weekend, year } from './interval.js';
export { resolveRange, type Range, type RangeOptions } from './range.js';
export { supportedLanguages, type SupportedLanguages } from './supported.js';
export type { DayUnit, Unit } from './calendar.js';
export type { Interval, Kind, Period, Until } from './span.js';
export type { Now, WhenOptions } from './when.js';
