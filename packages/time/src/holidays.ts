/** Holidays by the names that the caller's function knows: "Easter Monday", "Christmas 2025", "letzte Ostern". */
import { civilOf } from './civil.js';
import { readDate } from './date.js';
import { fold, type Folded } from './parse/fold.js';
import { daySpan, type Span } from './span.js';
import type { Prefer } from './tense.js';
import type { When } from './when.js';

export interface NamedDay {
  /** Place in the folded text. */
  readonly start: number;
  readonly end: number;
  /** The year, if one stands behind the name. */
  readonly year: number | undefined;
}

/** The longest name that stands in the text as words of its own. */
export function findHoliday({ text }: Folded, when: When): (NamedDay & { name: string }) | undefined {
  const { holidays } = when;
  if (!holidays) return undefined;
  const { year } = civilOf(when.today);
  const names = new Set([year - 1, year, year + 1].flatMap((each) => holidays(each).map(({ name }) => fold(name).text)));
  let best: (NamedDay & { name: string }) | undefined;
  for (const name of names) {
    const start = name.length > 1 ? text.indexOf(name) : -1;
    const end = start + name.length;
    if (start < 0 || isLetter(text, start - 1, name) || isLetter(text, end, name) || (best && best.name.length >= name.length)) continue;
    const written = /^(?:,? (?:of |von |de |di |del )?)([12]\d{3})(?!\d)/.exec(text.slice(end));
    best = { name, start, end: written ? end + written[0].length : end, year: written ? Number(written[1]) : undefined };
  }
  return best;
}

/** Names in Han and kana stand in a sentence without spaces. */
const isLetter = (text: string, at: number, name: string): boolean =>
  /[\p{L}\p{N}]/u.test(text.charAt(at)) && !/[\u2e80-\uffff]/u.test(name);

/** The days the name falls on: in the year that is written, or before and after now. */
export function holidaySpans(
  when: When,
  { name, year }: NamedDay & { name: string },
): { past: Span | undefined; future: Span | undefined } {
  const today = civilOf(when.today).year;
  const years = year === undefined ? [today - 1, today, today + 1] : [year];
  const days = years.flatMap((each) =>
    (when.holidays?.(each) ?? []).filter((holiday) => fold(holiday.name).text === name).map(({ date }) => readDate(date)),
  );
  const sorted = days.filter((day) => day !== undefined).sort((a, b) => a - b);
  const span = (day: number | undefined): Span | undefined => (day === undefined ? undefined : daySpan({ from: day, to: day + 1 }, 'day'));
  if (year !== undefined) return { past: span(sorted[0]), future: span(sorted[0]) };
  return { past: span(sorted.filter((day) => day <= when.today).at(-1)), future: span(sorted.find((day) => day >= when.today)) };
}

export function chooseHoliday(when: When, { past, future }: ReturnType<typeof holidaySpans>, prefer: Prefer | undefined): Span[] {
  const isPast = prefer === undefined ? past && future && when.local - past.from < future.from - when.local : prefer === 'past';
  return (isPast ? [past, future] : [future, past]).filter((span) => span !== undefined);
}
