import { isLocale, isValidTimeZone } from '../wire/environment.js';

/** What a runtime knows of its user. */
export interface Platform {
  readonly timezone?: string | undefined;
  readonly locale?: string | undefined;
  /** Best first. */
  readonly languages?: readonly string[] | undefined;
}

/** Asking `Intl` costs a formatter, some 50 µs; a traveller's change may take this long to be noticed. */
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
    // Also when the clock was set back, and the first time, when the difference is no number.
    if (!(Math.abs(now - this.#at) < FRESH)) {
      this.#at = now;
      this.#value = usable(this.#read());
    }
    return this.#value;
  }
}

/** What `Intl` says may still be nothing of the wire's: `Etc/Unknown` is no zone. The last known set stays the same object. */
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
