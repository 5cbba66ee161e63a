/** ISO 8601 as machines write it, in every language: dates, months, weeks, quarters and instants. */
import { dayOf, exists } from '../civil.js';
import type { Clock, Fields } from '../fields.js';
import { daySpan } from '../span.js';
import { DAY_MS } from '../zone.js';
import { ordersOf } from '../locale.js';
import { isOldInOtherDigits } from './figures.js';
import { GAP } from './lex.js';
import { itemAt, type Reader } from './reader.js';

/** On folded text, anchored, without choices that could overlap: linear. */
const FORM =
  /(\d{4})-(?:w(\d\d)(?:-([1-7]))?|q([1-4])|(\d\d)(?:-(\d\d)(?:t(\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?(?:(z)|([+-])(\d\d):?(\d\d))?)?)?)(?![\d:])/y;

export function readIso(reader: Reader, at: number): Fields | undefined {
  const { digits, start } = itemAt(reader, at);
  if (digits !== 4 || isOldInOtherDigits(reader, at) || !ordersOf(reader.when.locale).long.every((order) => order !== 'ydm'))
    return undefined;
  FORM.lastIndex = start;
  const found = FORM.exec(reader.text);
  const fields = found && isoFields(found);
  if (!fields) return undefined;
  let end = at + 1;
  while (itemAt(reader, end) !== GAP && itemAt(reader, end).start < FORM.lastIndex) end++;
  reader.end = end;
  return fields;
}

function isoFields(found: RegExpExecArray): Fields | undefined {
  const number = (group: number): number | undefined => (found[group] === undefined ? undefined : Number(found[group]));
  const year = number(1) ?? 0;
  const [week, weekday, quarter, month, day] = [number(2), number(3), number(4), number(5), number(6)];
  if (year < 1) return undefined;
  if (week !== undefined) return isoWeek(year, week, weekday);
  if (quarter !== undefined) return { year, quarter };
  if (month === undefined || !exists(year, month, day ?? 1)) return undefined;
  if (day === undefined) return { year, month };
  const [hour, minute, second] = [number(7), number(8), number(9)];
  if (hour === undefined || minute === undefined) return { year, month, day };
  if (hour > 24 || minute > 59 || (second ?? 0) > 59 || (hour === 24 && minute > 0)) return undefined;
  const grain = second === undefined ? 'minute' : 'second';
  const clock: Clock = { hour, minute, second: second ?? 0, grain, open: false };
  if (found[10] === undefined && found[11] === undefined) return { year, month, day, clock };
  const offset = ((number(12) ?? 0) * 60 + (number(13) ?? 0)) * (found[11] === '-' ? -60_000 : 60_000);
  const from = dayOf(year, month, day) * DAY_MS + ((hour * 60 + minute) * 60 + (second ?? 0)) * 1000 - offset;
  return { span: { from, to: from + (grain === 'minute' ? 60_000 : 1000), grain, exact: 3 } };
}

/** Week 1 has the year's first Thursday and every week starts on Monday, whatever the locale: the notation says so. */
function isoWeek(year: number, week: number, weekday: number | undefined): Fields | undefined {
  const fourth = dayOf(year, 1, 4);
  const monday = fourth - ((((fourth + 3) % 7) + 7) % 7) + (week - 1) * 7;
  if (week < 1 || monday + 3 >= dayOf(year + 1, 1, 1)) return undefined;
  const from = monday + (weekday ?? 1) - 1;
  return { span: daySpan({ from, to: from + (weekday ? 1 : 7) }, weekday ? 'day' : 'week') };
}
