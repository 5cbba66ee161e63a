/** Named styles: the meaning of `format.date(x, 'short')` and of `{x, date, short}` in a message. An author may add or replace styles. */
import { checkNames } from '../../../wire/check.js';

export interface FormatPresets {
  readonly date: Styles<Intl.DateTimeFormatOptions>;
  readonly time: Styles<Intl.DateTimeFormatOptions>;
  readonly dateTime: Styles<Intl.DateTimeFormatOptions>;
  readonly number: Styles<Intl.NumberFormatOptions>;
  readonly currency: Styles<Intl.NumberFormatOptions>;
  readonly unit: Styles<Intl.NumberFormatOptions>;
  readonly list: Styles<Intl.ListFormatOptions>;
  readonly relative: Styles<Intl.RelativeTimeFormatOptions>;
}
type Styles<T> = Readonly<Record<string, T>>;
export type FormatKind = keyof FormatPresets;

const LENGTHS = ['short', 'medium', 'long', 'full'] as const;
const each = <T>(style: (length: (typeof LENGTHS)[number]) => T): Record<(typeof LENGTHS)[number], T> => ({
  short: style('short'),
  medium: style('medium'),
  long: style('long'),
  full: style('full'),
});

const PRESETS: FormatPresets = {
  date: { default: { dateStyle: 'medium' }, ...each((dateStyle) => ({ dateStyle })) },
  time: { default: { timeStyle: 'short' }, ...each((timeStyle) => ({ timeStyle })) },
  dateTime: {
    default: { dateStyle: 'medium', timeStyle: 'short' },
    ...each((dateStyle) => ({ dateStyle, timeStyle: dateStyle === 'full' ? ('long' as const) : ('short' as const) })),
  },
  number: {
    default: {},
    integer: { maximumFractionDigits: 0 },
    percent: { style: 'percent', maximumFractionDigits: 1 },
    compact: { notation: 'compact' },
    signed: { signDisplay: 'exceptZero' },
  },
  currency: {
    default: {},
    whole: { maximumFractionDigits: 0 },
    accounting: { currencySign: 'accounting' },
    code: { currencyDisplay: 'code' },
    name: { currencyDisplay: 'name' },
    compact: { notation: 'compact' },
  },
  unit: {
    default: { unitDisplay: 'short' },
    short: { unitDisplay: 'short' },
    long: { unitDisplay: 'long' },
    narrow: { unitDisplay: 'narrow' },
  },
  list: {
    default: { type: 'conjunction' },
    and: { type: 'conjunction' },
    or: { type: 'disjunction' },
    unit: { type: 'unit', style: 'short' },
  },
  relative: { default: { numeric: 'auto' }, short: { numeric: 'auto', style: 'short' }, exact: { numeric: 'always' } },
};

export type GivenPresets = { readonly [Kind in FormatKind]?: FormatPresets[Kind] };

/**
 * Joins the author's styles with ours. Throws at once, naming the path, for a style that `Intl` refuses. Each style is copied: formatters are
 * kept by style object, and an author may use one object for two kinds.
 */
export function presetsOf(given: GivenPresets = {}, path = 'formats'): FormatPresets {
  const merged = {} as Record<FormatKind, Styles<object>>;
  checkNames(given, Object.keys(PRESETS), path);
  for (const kind of Object.keys(PRESETS) as FormatKind[]) {
    const copies = Object.entries(given[kind] ?? {}).map(
      ([name, style]) => [name, copyOf(kind, style, `${path}.${kind}.${name}`)] as const,
    );
    merged[kind] = { ...PRESETS[kind], ...Object.fromEntries(copies) };
  }
  return merged;
}

function copyOf(kind: FormatKind, style: unknown, path: string): object {
  if (typeof style !== 'object' || style === null) throw new TypeError(`${path}: expected an object of Intl options`);
  try {
    make(kind, 'en', style, 'UTC');
  } catch (error) {
    throw new RangeError(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  return { ...style };
}

/** Makes a formatter of one kind. The currency or unit comes with each call; any one serves to check a style. */
export function make(kind: FormatKind, locale: string | readonly string[], style: object, timeZone: string): object {
  if (kind === 'date' || kind === 'time' || kind === 'dateTime') return new Intl.DateTimeFormat(locale, { timeZone, ...style });
  if (kind === 'list') return new Intl.ListFormat(locale, style);
  if (kind === 'relative') return new Intl.RelativeTimeFormat(locale, style);
  if (kind === 'currency') return new Intl.NumberFormat(locale, { currency: 'EUR', ...style, style: 'currency' });
  if (kind === 'unit') return new Intl.NumberFormat(locale, { unit: 'meter', ...style, style: 'unit' });
  return new Intl.NumberFormat(locale, style);
}
