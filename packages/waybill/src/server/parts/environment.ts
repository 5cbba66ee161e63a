/** Environment on the server (SEP-1809): clock, zone, format and location that a handler works with, and where each came from. */
import {
  fixedOffset,
  formatTimestamp,
  isLocale,
  isReckonable,
  offsetDisagrees,
  zoneOffset,
  type Environment as Given,
  type Timestamp,
} from '../../wire/environment.js';
import { atOnce } from '../../wire/maybe.js';
import type { RequestEnvironment } from '../context.js';
import { languagesOf, type ServerContextOptions } from '../options.js';
import { UNDETERMINED } from '../layer.js';
import type { ServerPart, ServerRequest } from '../part.js';
import type { TimeOptions, TimeRange, TimeSupport } from '../time.js';

const NOTHING_GIVEN: Given = Object.freeze({});
const MAX_WANTED = 4;
/** The last millisecond a `Date` can hold. */
const LAST_INSTANT = 8.64e15;

export function environment(options: ServerContextOptions): ServerPart {
  const languages = languagesOf(options) ?? [];
  const { time, clock = Date.now } = options;
  const { timezone: zone = 'UTC', locale = languages.find(isLocale) ?? 'en', maxSkew = Infinity, prefer } = options.environment ?? {};
  const defaults = { zone, locale, languages, maxSkew, clock, time, prefer };
  return { name: 'environment', provides: { environment: (request) => new LazyEnvironment(request, defaults) } };
}

interface Defaults {
  readonly zone: string;
  readonly locale: string;
  /** The languages the server offers. */
  readonly languages: readonly string[];
  readonly maxSkew: number;
  readonly clock: () => number;
  readonly time: TimeSupport | undefined;
  readonly prefer: 'future' | 'past' | undefined;
}

/**
 * The environment of one request. Values of the client are read at once, the rest when first read. The server's clock is read once: one
 * request has one now.
 */
class LazyEnvironment implements RequestEnvironment {
  readonly given: Given;
  readonly #request: ServerRequest;
  readonly #defaults: Defaults;
  #serverClock: number | undefined;
  #now: Timestamp | undefined;

  constructor(request: ServerRequest, defaults: Defaults) {
    this.#request = request;
    this.#defaults = defaults;
    request.answer.caching.noteCaller();
    this.given = request.received.environment ?? NOTHING_GIVEN;
  }

  get #clock(): number {
    return (this.#serverClock ??= this.#readClock());
  }

  /** Reads the author's clock, or the machine's if that fails. */
  #readClock(): number {
    try {
      const now: unknown = atOnce(this.#defaults.clock(), 'clock');
      if (typeof now === 'number' && Math.abs(now) <= LAST_INSTANT) return now;
      throw new TypeError('clock: returned something else than milliseconds since 1970');
    } catch (error) {
      this.#request.fault(error);
      return Date.now();
    }
  }

  get skew(): number | undefined {
    const { now } = this.given;
    return now === undefined ? undefined : now.epochMilliseconds - this.#clock;
  }

  get clock(): 'client' | 'server' {
    const { skew } = this;
    return skew === undefined || Math.abs(skew) > this.#defaults.maxSkew ? 'server' : 'client';
  }

  /** CTX-09: without a timestamp, or with one that is too far off, the server's clock is used (CTX-26, CTX-28). */
  get now(): Timestamp {
    const { now } = this.given;
    if (now !== undefined && (this.#defaults.maxSkew === Infinity || this.clock === 'client')) return now;
    return (this.#now ??= formatTimestamp(this.#clock, zoneOffset(this.timezone, this.#clock) || undefined));
  }

  /** CTX-08, CTX-26: a timestamp alone fixes an offset; `Z` is UTC, and `-00:00` means that the offset is unknown. */
  get timezone(): string {
    const { timezone, now } = this.given;
    if (timezone !== undefined) return timezone;
    if (now === undefined || now.text.endsWith('-00:00')) return this.#defaults.zone;
    return now.offsetMinutes === 0 ? 'UTC' : fixedOffset(now);
  }

  /** D-18: without a locale, the language chooses the format. */
  get locale(): string {
    const { locale } = this.given;
    if (locale !== undefined) return locale;
    const { received, choice } = this.#request;
    if (received.language === undefined) return this.#defaults.locale;
    // Some languages have no formats: `i-klingon`, `x-pirate`.
    if (choice.language !== UNDETERMINED && isLocale(choice.language)) return choice.language;
    return this.#wanted[0] ?? this.#defaults.locale;
  }

  /** Returns the languages that were asked for and can be read or formatted. A peer makes the list, so it is cut. */
  get #wanted(): string[] {
    const ranges = this.#request.received.language?.ranges ?? [];
    const usable = ranges.filter(({ range, q }) => q > 0 && isLocale(range));
    return usable.slice(0, MAX_WANTED).map(({ range }) => range);
  }

  get location(): Given['location'] {
    return this.given.location;
  }

  get disagrees(): boolean {
    const { now, timezone } = this.given;
    return now !== undefined && timezone !== undefined && offsetDisagrees(now, timezone);
  }

  /**
   * Reads the phrase in the user's locale, then in the language of the answer, then in those the user asked for: the argument is most
   * likely in one of these. After them it tries the languages the server offers, and English. Those count only if they cover the whole
   * text, since nothing says that the text is in them; if two of them differ, the answer is undefined. Nothing can be counted from a clock
   * outside the calendar.
   */
  range(text: string, options: Pick<TimeOptions, 'prefer' | 'weekStart'> = {}): TimeRange | undefined {
    const { time, prefer } = this.#defaults;
    if (time === undefined)
      throw new TypeError('environment.range: needs the option time: serverContext({ time }) with import * as time from "@waybill/time"');
    const { now, timezone, locale } = this;
    if (!isReckonable(now.epochMilliseconds)) return undefined;
    const read = (reading: string, whole = false): TimeRange | undefined =>
      time.range(text, { ...(prefer && { prefer }), ...options, now, timezone, locale: reading, whole });
    const seen = new Set<string>();
    for (const reading of readings(locale, [locale, this.#request.choice.language, ...this.#wanted], seen)) {
      const found = read(reading);
      if (found !== undefined) return found;
    }
    const isEnglishRead = seen.has('en');
    const others = readings(locale, ['en', ...this.#defaults.languages], seen);
    const [first, ...rest] = others.map((reading) => read(reading, true)).filter((found) => found !== undefined);
    if (first !== undefined) return rest.every((found) => isSameRange(found, first)) ? first : undefined;
    // Only English may also stand inside a longer text: programs and models write it for users of every language.
    return isEnglishRead ? undefined : read(others[0] ?? 'en');
  }
}

function isSameRange(a: TimeRange, b: TimeRange): boolean {
  return (
    a.kind === b.kind && a.start?.epochMilliseconds === b.start?.epochMilliseconds && a.end?.epochMilliseconds === b.end?.epochMilliseconds
  );
}

/** Returns the locale in each of these languages that was not tried yet: the same region, calendar and week, other words. */
function readings(locale: string, languages: readonly string[], seen: Set<string>): string[] {
  const { region } = new Intl.Locale(locale).maximize();
  const tags: string[] = [];
  for (const other of languages) {
    const words = other === UNDETERMINED || !isLocale(other) ? undefined : new Intl.Locale(other).language;
    if (words === undefined || seen.has(words)) continue;
    seen.add(words);
    tags.push(other === locale ? locale : region === undefined ? words : `${words}-${region}`);
  }
  return tags;
}
