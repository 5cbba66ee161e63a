import type { MeterProvider, TextMapPropagator, TracerProvider } from '@opentelemetry/api';
import { type Report, setupWarnings } from '../wire/issue.js';
import {
  checkMembers,
  expectFlag,
  expectFunction,
  expectMethods,
  expectOneOf,
  expects,
  expectTexts,
  isTexts,
  type Check,
} from '../wire/check.js';
import { safeCallback } from '../wire/maybe.js';

export interface OpenTelemetryOptions {
  /**
   * `spans`: spans and metrics. `propagate`: only the context crosses the wire and is current while a request is served, for programs whose
   * spans another library makes. `off`: nothing.
   */
  readonly mode?: 'spans' | 'propagate' | 'off';
  /** Says whether the caller's trace is continued, only linked from a new one (for public servers), or ignored. */
  readonly incoming?: 'parent' | 'link' | 'ignore';
  /** The keys of baggage that may pass. Default: none goes out, and incoming baggage is kept only if the caller's trace is continued. */
  readonly baggage?: readonly string[];
  /**
   * Values that may carry personal data, and go on spans only if they are listed here. Default: `messages` of JSON-RPC errors, as the
   * conventions ask.
   */
  readonly capture?: readonly Capture[];
  /** Adds to the span of an agent that already traces this tool call, instead of making another. Default: true. */
  readonly joinToolSpan?: boolean;
  /**
   * Sends the propagator's keys as HTTP headers too, for proxies that read no bodies. If instrumentation of HTTP adds its own headers,
   * `true` adds none; `'always'` adds them anyway.
   */
  readonly mirror?: boolean | 'always';
  /** Default: the global one. */
  readonly tracerProvider?: TracerProvider;
  /** Default: the global one. */
  readonly meterProvider?: MeterProvider;
  /** Default: the global one. */
  readonly propagator?: TextMapPropagator;
  /** Called for each value of a peer that was dropped. */
  readonly onIssue?: Report;
  /** Called when an OpenTelemetry component throws; the call goes on. */
  readonly onFault?: (error: unknown) => void;
}

export type Capture = 'arguments' | 'results' | 'messages';

export interface Settings {
  readonly mode: 'spans' | 'propagate' | 'off';
  readonly incoming: 'parent' | 'link' | 'ignore';
  readonly outgoingBaggage: ReadonlySet<string>;
  /** `undefined`: all of it may pass. */
  readonly incomingBaggage: ReadonlySet<string> | undefined;
  readonly capture: ReadonlySet<Capture>;
  readonly joinToolSpan: boolean;
  readonly mirror: boolean | 'always';
  readonly report: Report;
  /** Runs foreign code. Reports what it throws, and never breaks a call. */
  readonly guard: <T>(run: () => T) => T | undefined;
  readonly fault: (error: unknown) => void;
}

const CAPTURES: readonly unknown[] = ['arguments', 'results', 'messages'] satisfies Capture[];
const CHECKS: Readonly<Record<keyof OpenTelemetryOptions, Check>> = {
  mode: expectOneOf('spans', 'propagate', 'off'),
  incoming: expectOneOf('parent', 'link', 'ignore'),
  baggage: expectTexts,
  capture: expects(`a list of ${CAPTURES.join(', ')}`, (value) => isTexts(value) && value.every((name) => CAPTURES.includes(name))),
  joinToolSpan: expectFlag,
  mirror: expects("true, false or 'always'", (value) => typeof value === 'boolean' || value === 'always'),
  tracerProvider: expectMethods('an object with getTracer', 'getTracer'),
  meterProvider: expectMethods('an object with getMeter', 'getMeter'),
  propagator: expectMethods('an object with inject, extract and fields', 'inject', 'extract', 'fields'),
  onIssue: expectFunction,
  onFault: expectFunction,
};

export function settle(options: OpenTelemetryOptions): Settings {
  checkMembers(options, CHECKS, 'openTelemetry');
  const { mode = 'spans', incoming = 'parent', baggage, capture = ['messages'], joinToolSpan = true, mirror = false } = options;
  const fault = safeCallback<unknown>(options.onFault);
  return {
    mode,
    incoming,
    outgoingBaggage: new Set(baggage),
    incomingBaggage: baggage === undefined && incoming === 'parent' ? undefined : new Set(baggage),
    capture: new Set(capture),
    joinToolSpan,
    mirror,
    // eslint-disable-next-line no-console -- D-33: only mistakes of the program itself, and never on stdout
    report: safeCallback(options.onIssue ?? setupWarnings((text) => console.warn(text)), fault),
    fault,
    guard(run) {
      try {
        return run();
      } catch (error) {
        fault(error);
        return undefined;
      }
    },
  };
}
