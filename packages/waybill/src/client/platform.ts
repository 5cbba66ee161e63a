import { isLocale, isValidTimeZone } from '../wire/environment.js';

/** Facts that the runtime knows about its user. */
export interface Platform {
  readonly timezone?: string | undefined;
  readonly locale?: string | undefined;
  /** Best first. */
  readonly languages?: readonly string[] | undefined;
}

/** Milliseconds. Asking `Intl` costs a formatter, about 50 µs, so a change of the platform may go unnoticed for this long. */
const FRESH = 1000;

/** The platform, read again at most once a second of `clock`, and after `refresh()`. */
export class PlatformReader {
  readonly #clock: () => number;
  readonly #read: () => Platform;
  #value: Platform = {};
  #at = NaN;

  constructor(clock: () => number, read: () => Platform = readPlatform) {
    this.#clock = clock;
    this.#read = read;
  }

  refresh(): void {
    this.#at = NaN;
  }

  get current(): Platform {
    const now = this.#clock();
    // This also covers a clock that was set back, and the first call, when the difference is not a number.
    if (!(Math.abs(now - this.#at) < FRESH)) {
      this.#at = now;
      this.#value = usable(this.#read());
    }
    return this.#value;
  }
}

/** `Intl` may return values that the wire does not allow: `Etc/Unknown` is not a zone. */
function usable({ timezone, locale, languages }: Platform): Platform {
  return {
    timezone: timezone !== undefined && isValidTimeZone(timezone) ? timezone : undefined,
    locale: locale !== undefined && isLocale(locale) ? locale : undefined,
    languages: languages?.filter(isLocale),
  };
}

function readPlatform(): Platform {
  const { timeZone, locale } = new Intl.DateTimeFormat().resolvedOptions();
  const { navigator } = globalThis as { navigator?: { languages?: unknown } };
  const languages = Array.isArray(navigator?.languages) ? navigator.languages.filter((tag) => typeof tag === 'string') : [locale];
  return { timezone: timeZone, locale, languages };
}
