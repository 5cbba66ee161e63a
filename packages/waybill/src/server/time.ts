/**
 * The part of `@waybill/time` that `environment.range` needs. The package is handed in as `serverContext({ time })`, so that a server
 * without it loads no calendar; `waybill` itself does not depend on it.
 */
export interface TimeSupport {
  range(text: string, options: TimeOptions): TimeRange | undefined;
}

export interface TimeOptions {
  readonly now: { readonly epochMilliseconds: number };
  readonly timezone: string;
  readonly locale: string;
  /** Decides which Monday "Monday" means, if the sentence does not say it. */
  readonly prefer?: 'future' | 'past';
  /** Answers only if the phrase is the whole text. */
  readonly whole?: boolean;
  /** Monday 1 to Sunday 7. Default: that of the locale. */
  readonly weekStart?: number;
}

/** A moment in a zone. The members are named as in `Temporal.ZonedDateTime`. */
export interface ZonedMoment {
  readonly epochMilliseconds: number;
  readonly epochNanoseconds: bigint;
  readonly timeZoneId: string;
  toInstant(): { readonly epochMilliseconds: number; toString(): string };
  toString(): string;
}

/** Half-open: `end` is exclusive. The kind `until` has no start, the kind `from` no end. */
export interface TimeInterval {
  readonly start?: ZonedMoment | undefined;
  readonly end?: ZonedMoment | undefined;
  readonly grain: string;
  readonly kind: string;
}

export interface TimeRange extends TimeInterval {
  /** The phrase as it stands in the text, and its position. */
  readonly text: string;
  readonly index: number;
  /** Other meanings of the phrase, the likeliest first. */
  readonly alternatives?: readonly TimeInterval[];
}
