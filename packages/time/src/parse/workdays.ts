/** Working days, by the weekend of the locale and the caller's `isHoliday`: "next business day", "last 5 working days", "in 3 Werktagen". */
import { weekdayOf } from '../civil.js';
import { resolve, type Direction } from '../resolve.js';
import { daySpan, endOf } from '../span.js';
import type { When } from '../when.js';
import { DAY_MS } from '../zone.js';
import { calendarDate } from '../zoned.js';
import { readMoment, skipLinks } from './moment.js';
import { found, foundDay, foundDays, REFUSED, refuse, type Outcome } from './outcome.js';
import { readNumber, readOrdinal, wordAt, type Reader } from './reader.js';

const MAX_WORKDAYS = 400;
/** Days looked at for one working day: a country that has none for a month is a mistake of the function. */
const LONGEST_BREAK = 31;

/** `undefined` where the phrase at this place is about no working days. */
export function readWorkdays(reader: Reader, at: number, direction: Direction): Outcome {
  const { rel, lead, age, post, pre } = wordAt(reader, at);
  const isRel = rel !== undefined && (!post || pre);
  let next = isRel || lead !== undefined || age === 'within' ? at + 1 : at;
  const ordinal = next === at ? readOrdinal(reader, at) : undefined;
  const count = ordinal === undefined ? readNumber(reader, next) : undefined;
  if (ordinal !== undefined || count !== undefined) next = reader.end;
  if (wordAt(reader, next).measure) next++;
  // "Les 5 derniers jours ouvrés"
  const turned = count !== undefined && !isRel ? wordAt(reader, next) : undefined;
  const middle = turned?.rel !== undefined && turned.pre ? turned.rel : undefined;
  if (middle !== undefined) next++;
  if (!wordAt(reader, next).workday) return undefined;
  const { ago, rel: behind, post: isPost, agePost } = wordAt(reader, next + 1);
  const end = next + 1;
  const { isHoliday } = reader.when;
  if (!isHoliday) return refuse(reader, 'calendar', next);
  if (ordinal !== undefined || (isRel && count === undefined && wordAt(reader, end).of))
    return readNth(reader, at, end, ordinal ?? rel ?? 1, direction);
  const days = new Workdays(reader.when, isHoliday);
  const many = count ?? 1;
  if (!Number.isInteger(many) || many < 1 || many > MAX_WORKDAYS) return REFUSED;
  // "3 Werktage" alone looks back, as "30d" does.
  const isAlone = count !== undefined && (lead ?? age) === undefined && at === 0 && end === reader.items.length;
  const sign = rel ?? middle ?? (isPost ? behind : isAlone ? -1 : undefined);
  if (sign !== undefined && Math.abs(sign) === 1) {
    const stop = isPost && (rel ?? middle) === undefined ? end + 1 : end;
    if (count === undefined) return foundDay(at, stop, days.step(sign));
    const [near, far] = [days.step(sign), days.step(sign * many)];
    const stretch = sign < 0 ? { from: far, to: near + 1 } : { from: near, to: far + 1 };
    return foundDays(at, stop, stretch);
  }
  if (age === 'within' || agePost === 'within') {
    const last = daySpan({ from: days.step(many), to: days.step(many) + 1 }, 'day');
    return found(at, agePost ? end + 1 : end, { from: reader.when.now, to: endOf(reader.when, last), grain: 'day', exact: 3 });
  }
  const away = lead ?? ago;
  return away === undefined ? REFUSED : foundDay(at, ago === undefined ? end : end + 1, days.step(Math.sign(away) * many));
}

/** "The first business day of April": -1 is the last. */
function readNth(reader: Reader, at: number, end: number, n: number, direction: Direction): Outcome {
  const place = skipLinks(reader, end);
  const { unit } = wordAt(reader, place);
  const moment = readMoment(reader, place);
  const { when } = reader;
  const fields =
    moment?.fields ??
    (unit === 'month' || unit === 'quarter' || unit === 'year' || unit === 'week' ? { shift: { unit, by: 0, loose: false } } : undefined);
  const stop = moment ? reader.end : place + 1;
  const span = fields && !moment?.clash ? resolve(when, fields, direction) : undefined;
  if (!span || span.exact !== 0 || !when.isHoliday || n === 0) return REFUSED;
  const [from, to] = [span.from / DAY_MS, span.to / DAY_MS];
  const day = new Workdays(when, when.isHoliday).step(n, n > 0 ? from - 1 : to);
  return day >= from && day < to ? foundDay(at, stop, day) : REFUSED;
}

class Workdays {
  readonly #when: When;
  readonly #isHoliday: NonNullable<When['isHoliday']>;

  constructor(when: When, isHoliday: NonNullable<When['isHoliday']>) {
    this.#when = when;
    this.#isHoliday = isHoliday;
  }

  /** The nth working day after a day, or before it. */
  step(n: number, day: number = this.#when.today): number {
    let at = day;
    for (let left = Math.abs(n); left > 0; left--) {
      let tries = 0;
      do at += Math.sign(n);
      while (!this.#isWorkday(at) && ++tries < LONGEST_BREAK);
      if (tries >= LONGEST_BREAK) return Number.NaN;
    }
    return at;
  }

  #isWorkday(day: number): boolean {
    if (this.#when.locale.weekend.includes(weekdayOf(day))) return false;
    return !this.#isHoliday(calendarDate(day));
  }
}
