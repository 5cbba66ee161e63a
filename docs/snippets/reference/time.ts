import assert from 'node:assert/strict';
// #region range
import { range } from '@waybill/time';

const options = {
  now: '2026-03-18T10:00:00+01:00', // RFC 3339, milliseconds, a Date, or anything of Temporal that is an instant
  timezone: 'Europe/Vienna', // or an offset, '+01:00', where a timestamp is all there is
  locale: 'en-GB', // language of the phrase, order of dates, week, weekend, calendar
};
const found = range('what were sales in February?', options);
found?.start; // 2026-02-01T00:00:00+01:00[Europe/Vienna], an instant and its clock
found?.end; // 2026-03-01T00:00:00+01:00[Europe/Vienna], exclusive
found?.text; // 'February', at found.index
found?.alternatives; // February 2027
// #endregion
assert.deepEqual(
  [String(found?.start), String(found?.end), found?.text],
  ['2026-02-01T00:00:00+01:00[Europe/Vienna]', '2026-03-01T00:00:00+01:00[Europe/Vienna]', 'February'],
);

// #region explain
import { explain } from '@waybill/time';

const { understood, obstacle } = explain('tomorrow at lunch', options);
understood; // [{ text: 'tomorrow', index: 0 }]
obstacle; // { reason: 'beside', text: 'at lunch', index: 9 }
// #endregion
assert.deepEqual(understood, [{ text: 'tomorrow', index: 0 }]);
assert.deepEqual(obstacle, { reason: 'beside', text: 'at lunch', index: 9 });

// #region holidays
const holidays = [{ name: 'Ostermontag', date: '2026-04-06' }]; // from a package or a service of yours
const isHoliday = (day: { toString(): string }): boolean => holidays.some(({ date }) => date === day.toString());
range('next business day', { ...options, isHoliday });
range('Ostermontag', {
  ...options,
  locale: 'de-AT',
  holidays: (year: number) => holidays.filter(({ date }) => date.startsWith(String(year))),
});
range('last fiscal year', { ...options, fiscalYearStart: 4 });
// #endregion
assert.equal(String(range('next business day', { ...options, isHoliday })?.start).slice(0, 10), '2026-03-19');
assert.equal(String(range('Ostermontag', { ...options, locale: 'de-AT', holidays: () => holidays })?.start).slice(0, 10), '2026-04-06');
