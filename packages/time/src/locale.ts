/**
 * Reads from a locale its language, the first day of the week, the weekend, the calendar of months and years,
 * and the order of 3/4/2026. `-u-fw-` and `-u-ca-` are honoured (CTX-29).
 */
export type DateOrder = 'dmy' | 'mdy' | 'ymd';

export interface Orders {
  readonly long: readonly string[];
  readonly short: readonly string[];
}

export interface LocaleRules {
  readonly tag: string;
  readonly language: string;
  /** Monday 1 to Sunday 7. */
  readonly weekStart: number;
  readonly weekend: readonly number[];
  /** A calendar whose months are not the Gregorian ones, or none. */
  readonly calendar: string | undefined;
  /** Other calendars that years are written in: the locale's own, and the official one of a place. */
  readonly calendars: readonly string[];
  /** The first of them goes before the Gregorian one. */
  readonly ownYears: boolean;
  /** Looked up when the first date in figures asks: it costs formatters. */
  orders: Orders | undefined;
}

interface WeekInfo {
  readonly firstDay: number;
  readonly weekend: readonly number[];
}
/** Node 20 has properties where the standard now has methods, and some runtimes have neither. */
interface LocaleInfo {
  readonly weekInfo?: WeekInfo;
  readonly getWeekInfo?: () => WeekInfo;
  readonly calendars?: readonly string[];
  readonly getCalendars?: () => readonly string[];
}

const GREGORIAN: ReadonlySet<string> = new Set(['gregory', 'iso8601']);
const OUR_MONTHS: ReadonlySet<string> = new Set([...GREGORIAN, 'buddhist', 'japanese', 'roc']);
/** Written beside the Gregorian one, in years that nobody takes for Gregorian. */
const OFFICIAL: ReadonlySet<string> = new Set(['roc', 'islamic-umalqura']);
const MONDAY_FIRST: WeekInfo = { firstDay: 1, weekend: [6, 7] };
const MAX_LOCALES = 256;
const known = new Map<string, LocaleRules>();

/** The same months and days as the Gregorian calendar, whatever they call the year. */
export const hasOurMonths = (calendar: string): boolean => OUR_MONTHS.has(calendar);

/** The rules of a locale; `undefined` where the tag is none. */
export function findLocale(tag: string): LocaleRules | undefined {
  const remembered = known.get(tag);
  if (remembered) return remembered;
  const rules = readLocale(tag);
  if (!rules) return undefined;
  if (known.size >= MAX_LOCALES) known.clear();
  known.set(tag, rules);
  return rules;
}

function readLocale(tag: string): LocaleRules | undefined {
  let locale: Intl.Locale & LocaleInfo;
  try {
    locale = new Intl.Locale(tag);
  } catch {
    return undefined;
  }
  const { firstDay, weekend } = locale.getWeekInfo?.() ?? locale.weekInfo ?? MONDAY_FIRST;
  const inUse = [...(locale.calendar ? [locale.calendar] : []), ...(locale.getCalendars?.() ?? locale.calendars ?? [])];
  const [first = 'gregory', ...others] = inUse.filter((calendar) => GREGORIAN.has(calendar) || isKnown(calendar));
  const ownYears = !GREGORIAN.has(first);
  return {
    tag,
    language: locale.language,
    weekStart: firstDay,
    weekend,
    calendar: hasOurMonths(first) ? undefined : first,
    calendars: [...(ownYears ? [first] : []), ...others.filter((calendar) => OFFICIAL.has(calendar))],
    ownYears,
    orders: undefined,
  };
}

const isKnown = (calendar: string): boolean => Intl.supportedValuesOf('calendar').includes(calendar);

/** The order of day, month and year in figures. */
export function orderOf(rules: LocaleRules): DateOrder {
  const [first] = ordersOf(rules).long;
  return first === 'mdy' || first === 'ymd' ? first : 'dmy';
}

const FIGURES: readonly Intl.DateTimeFormatOptions[] = [
  { year: 'numeric', month: 'numeric', day: 'numeric' },
  { year: 'numeric', month: '2-digit', day: '2-digit' },
  { dateStyle: 'short' },
];

/** Every order in which the locale prints figures; a few print several, and then 5/3 is open. `short`: with two digits for the year. */
export function ordersOf(rules: LocaleRules): Orders {
  if (rules.orders) return rules.orders;
  const [long, short] = [new Set<string>(), new Set<string>()];
  for (const options of FIGURES) {
    const parts = new Intl.DateTimeFormat(rules.tag, { ...options, calendar: 'gregory' }).formatToParts(0);
    const order = parts.map(({ type }) => (type === 'year' || type === 'month' || type === 'day' ? type.charAt(0) : '')).join('');
    const isShort = parts.some(({ type, value }) => type === 'year' && value.length === 2);
    (isShort ? short : long).add(order);
  }
  return (rules.orders = { long: [...long], short: [...short] });
}
