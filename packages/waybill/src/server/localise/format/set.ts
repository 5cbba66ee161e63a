import { intlTag } from '../../../wire/language/tag.js';
import { keep } from '../../../wire/memo.js';
import { make, type FormatKind, type FormatPresets } from './presets.js';
import { hasWords, wordsLocale, type WordsLocale } from './words.js';
import { formatZone, withoutZoneName, type FormatZone } from './zone.js';

/** The number of formatters that one set keeps. Codes, units and styles mostly come from the author. */
const MAX_FORMATTERS = 256;

/**
 * The formatters for one locale, zone and language; kept from request to request. Making an `Intl` formatter costs fifty times what using it
 * does, so each is made once.
 */
export class FormatSet {
  readonly locale: string;
  readonly timezone: string;
  readonly presets: FormatPresets;
  readonly #words: WordsLocale | undefined;
  readonly #zone: FormatZone;
  readonly #made = new Map<unknown, object>();
  /** Formatters whose style names a zone of its own. */
  readonly #zoned = new WeakSet<object>();
  /** By preset, then by currency code or unit. */
  readonly #coded = new Map<object, Map<string, Intl.NumberFormat>>();

  constructor(locale: string, timezone: string, language: string, presets: FormatPresets) {
    this.locale = intlTag(locale) ?? 'en';
    this.timezone = timezone;
    this.presets = presets;
    this.#words = wordsLocale(this.locale, intlTag(language) ?? this.locale);
    this.#zone = formatZone(timezone);
  }

  /** The formatter for a style object that lives as long as the set: a preset, or a style inside a compiled message. */
  styled(kind: FormatKind, style: object): object {
    return this.#made.get(style) ?? keep(this.#made, style, this.#make(kind, style), MAX_FORMATTERS);
  }

  named(kind: FormatKind, style: string | object = 'default'): object {
    if (typeof style !== 'string') {
      const key = `${kind} ${JSON.stringify(style)}`;
      return this.#made.get(key) ?? keep(this.#made, key, this.#make(kind, style), MAX_FORMATTERS);
    }
    return this.styled(kind, this.#preset(kind, style));
  }

  #preset(kind: FormatKind, name: string): object {
    const styles: Readonly<Record<string, object>> = this.presets[kind];
    if (!Object.hasOwn(styles, name)) throw new RangeError(`format.${kind}: ${JSON.stringify(name)} is no named style`);
    return styles[name] as object;
  }

  /** `exact`: always with its count, even if the style would name the unit ("last month"). */
  relative(style: string | object = 'default', exact: boolean): Intl.RelativeTimeFormat {
    const counted = (): object => ({ ...(typeof style === 'string' ? this.#preset('relative', style) : style), numeric: 'always' });
    return this.named('relative', exact ? counted() : style) as Intl.RelativeTimeFormat;
  }

  /** Money and units: a formatter for each code. */
  coded(kind: 'currency' | 'unit', code: string, style: string | object = 'default'): Intl.NumberFormat {
    if (typeof style !== 'string') return this.named(kind, { ...style, [kind]: code }) as Intl.NumberFormat;
    const preset = this.#preset(kind, style);
    // Two lookups: a key made of all three names would cost a third of the formatting.
    let codes = this.#coded.get(preset);
    if (codes === undefined) this.#coded.set(preset, (codes = new Map<string, Intl.NumberFormat>()));
    return codes.get(code) ?? keep(codes, code, this.#make(kind, { ...preset, [kind]: code }) as Intl.NumberFormat, MAX_FORMATTERS);
  }

  /** The instant to pass to a formatter of this set. */
  shifted(moment: unknown, formatter: object): number {
    const { shift } = this.#zone;
    return shift === 0 || this.#zoned.has(formatter) ? instantOf(moment) : instantOf(moment) + shift * 60_000;
  }

  #make(kind: FormatKind, style: object): object {
    const { timeZone, shift } = this.#zone;
    const isZoned = (style as Intl.DateTimeFormatOptions).timeZone !== undefined;
    const shown = shift === 0 || isZoned ? style : withoutZoneName(style);
    const words = this.#words !== undefined && hasWords(kind, shown, this.locale) ? this.#words : undefined;
    const made =
      words === undefined ? make(kind, this.locale, shown, timeZone) : make(kind, words.tags, { ...words.options, ...shown }, timeZone);
    if (isZoned) this.#zoned.add(made);
    return made;
  }
}

export function instantOf(moment: unknown): number {
  const instant =
    typeof moment === 'number'
      ? moment
      : moment instanceof Date
        ? moment.getTime()
        : (moment as { epochMilliseconds?: unknown } | null | undefined)?.epochMilliseconds;
  if (typeof instant !== 'number' || !(Math.abs(instant) <= 8.64e15)) throw new TypeError('format: not a moment');
  return instant;
}
