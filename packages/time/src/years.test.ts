import { describe, expect, it } from 'vitest';
import { range } from './index.js';

const now = '2026-11-16T12:00:00Z';
/** The first day, and where there are more the last. */
const days = (locale: string, text: string): string | undefined => {
  const found = range(text, { now, timezone: 'UTC', locale });
  if (found?.start === undefined || found.end === undefined) return undefined;
  const [first, last] = [found.start.epochMilliseconds, found.end.epochMilliseconds - 1].map((at) =>
    new Date(at).toISOString().slice(0, 10),
  );
  return first === last ? first : `${first as string}…${last as string}`;
};

describe('CTX-29: years of the calendar that a place counts by', () => {
  it.each([
    ['th-TH', '19/3/2569', '2026-03-19'],
    ['th-TH', '19/3/69', '2026-03-19'],
    ['th-TH', '19/3/2026', '2026-03-19'],
    ['th-TH', '19/3/26', '2026-03-19'],
    ['th-TH', '3/2569', '2026-03-01…2026-03-31'],
    ['th-TH', '19/3/2569 - 21/3/2569', '2026-03-19…2026-03-21'],
    ['en-TH', '19 March 2569', '2026-03-19'],
    ['en-TH', 'Q3 2569', '2026-07-01…2026-09-30'],
    ['en-TH', 'in 2026', '2026-01-01…2026-12-31'],
    ['zh-TW', '民國115年3月19日', '2026-03-19'],
    ['zh-TW', '115年3月', '2026-03-01…2026-03-31'],
    ['zh-TW', '115/3/19', '2026-03-19'],
    ['zh-TW', '15/3/19', '2015-03-19'],
    ['zh-TW', '2026/3/19', '2026-03-19'],
    ['zh-TW-u-ca-roc', '115/3/19', '2026-03-19'],
    ['ja-JP-u-ca-japanese', '8/3/19', '2026-03-19'],
  ])('%s: %s', (locale, text, expected) => {
    expect(days(locale, text)).toBe(expected);
  });

  it.each([
    ['fa-IR', '1405/1/1', '2026-03-21'],
    ['fa-IR', '۱۴۰۵/۷/۲', '2026-09-24'],
    ['fa-IR', '1403/12/30', '2025-03-20'], // a leap year
    ['fa-IR', '05/1/1', '2026-03-21'],
    ['en-IR', '7/1405', '2026-09-23…2026-10-22'],
    ['fa-IR', '2026/3/4', '2026-03-04'],
    ['ar-SA', '1/9/1447', '2026-02-18'],
    ['ar-SA', '1/9/2026', '2026-09-01'],
  ])('with months of its own, %s: %s', (locale, text, expected) => {
    expect(days(locale, text)).toBe(expected);
  });

  it.each([
    ['ja', 'R8.3.19', '2026-03-19'],
    ['ja', 'H30/4/1', '2018-04-01'],
    ['ja', 'S64/1/7から', '1989-01-07'],
  ])('the letter of an era, %s: %s', (locale, text, expected) => {
    expect(days(locale, text)?.slice(0, 10)).toBe(expected);
  });

  it.each([
    ['fa-IR', '1405/12/30', 'no leap year'],
    ['fa-IR', '1405/13/1', 'no such month'],
    ['fa-IR', '5/6', 'whose months'],
    ['fa-IR', '1405', 'a year with other months'],
    ['fa-IR', '1304/1/1', 'further back than is read'],
    ['th-TH', '19/3/90', 'of either calendar'],
    ['en-US', '3/4/115', 'no year of anybody'],
    ['he-IL', '1/9/5787', 'a calendar that is not read'],
    ['en', 'R8/3/19', 'the number of something'],
    ['en', 'B4/5', 'the number of something'],
    ['ja', 'R8/13/19', 'no such month'],
  ])('none, %s: %s (%s)', (locale, text) => {
    expect(days(locale, text)).toBeUndefined();
  });
});
