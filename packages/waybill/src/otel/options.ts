import type { MeterProvider, TextMapPropagator, TracerProvider } from '@opentelemetry/api';
import type { Report } from '../wire/issue.js';
import { checkMembers, hasFunctions, isFlag, isFunction, isTexts, type Check } from '../wire/check.js';
import { isObject } from '../wire/json.js';
import { safeCallback } from '../wire/callbacks.js';

export interface OpenTelemetryOptions {
  /**
   * `spans`: spans and metrics. `propagate`: only the context crosses the wire and is current while a request is served, for those whose
   * spans somebody else makes. `off`: nothing.
   */
  readonly mode?: 'spans' | 'propagate' | 'off';
  /** D-25: whether the caller's trace is continued, only linked from a new one (for public servers), or not looked at. */
  readonly incoming?: 'parent' | 'link' | 'ignore';
  /**
   * D-20, TRACE-12: the keys of baggage that may pass. Unless said: none goes out, and what came in is kept only where the caller's
   * trace is continued.
   */
  readonly baggage?: readonly string[];
  /** What may carry personal data and goes on spans only if it stands here. Unless said, `messages` of JSON-RPC errors, as the conventions ask. */
  readonly capture?: readonly Capture[];
  /** Adds to the span of an agent that is already tracing this tool call instead of making another. True unless said. */
  readonly joinToolSpan?: boolean;
  /** Also sends what the propagator writes as HTTP headers, for whatever stands between and reads no bodies. */
  readonly mirror?: boolean;
  /** Where not the global one. */
  readonly tracerProvider?: TracerProvider;
  readonly meterProvider?: MeterProvider;
  readonly propagator?: TextMapPropagator;
  readonly onIssue?: Report;
  /** Told when an OpenTelemetry component throws; the call goes on. */
  readonly onFault?: (error: unknown) => void;
}

export type Capture = 'arguments' | 'results' | 'messages';

export interface Settings {
  readonly mode: 'spans' | 'propagate' | 'off';
  readonly incoming: 'parent' | 'link' | 'ignore';
  /** `undefined`: all of it. */
  readonly outgoingBaggage: ReadonlySet<string>;
  readonly incomingBaggage: ReadonlySet<string> | undefined;
  readonly capture: ReadonlySet<Capture>;
  readonly joinToolSpan: boolean;
  readonly mirror: boolean;
  readonly report: Report;
  /** Runs what is not ours. What it throws is told and never breaks a call. */
  readonly guard: <T>(run: () => T) => T | undefined;
  readonly fault: (error: unknown) => void;
}

const isList: Check = (value) => (isTexts(value) ? undefined : 'is not a list of names');

function isOneOf(...choices: readonly unknown[]): Check {
  return (value) => (choices.includes(value) ? undefined : `is not one of ${choices.join(', ')}`);
}

/** What is not set is not looked at; what is not named here is no option. */
const CHECKS: Readonly<Record<keyof OpenTelemetryOptions, Check>> = {
  mode: isOneOf('spans', 'propagate', 'off'),
  incoming: isOneOf('parent', 'link', 'ignore'),
  baggage: isList,
  capture: isList,
  joinToolSpan: isFlag,
  mirror: isFlag,
  tracerProvider: hasFunctions('has no getTracer', 'getTracer'),
  meterProvider: hasFunctions('has no getMeter', 'getMeter'),
  propagator: hasFunctions('has no inject, extract, fields', 'inject', 'extract', 'fields'),
  onIssue: isFunction,
  onFault: isFunction,
};
const CAPTURES: readonly string[] = ['arguments', 'results', 'messages'];

export function settle(options: OpenTelemetryOptions): Settings {
  checkOptions(options);
  const { mode = 'spans', incoming = 'parent', baggage, capture = ['messages'], joinToolSpan = true, mirror = false } = options;
  const unknown = capture.find((name) => !CAPTURES.includes(name));
  if (unknown !== undefined) throw new RangeError(`openTelemetry: capture.${unknown} is not one of ${CAPTURES.join(', ')}`);
  const fault = safeCallback<unknown>(options.onFault);
  return {
    mode,
    incoming,
    outgoingBaggage: new Set(baggage),
    incomingBaggage: baggage === undefined && incoming === 'parent' ? undefined : new Set(baggage),
    capture: new Set(capture),
    joinToolSpan,
    mirror,
    report: safeCallback(options.onIssue, fault),
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

function checkOptions(options: OpenTelemetryOptions): void {
  if (!isObject(options)) throw new TypeError('openTelemetry: the options are not an object');
  checkMembers(options, CHECKS, {
    unknown: (name) => new TypeError(`openTelemetry: ${name} is no option; there are ${Object.keys(CHECKS).join(', ')}`),
    wrong: (name, problem) => new (problem.startsWith('is not one of') ? RangeError : TypeError)(`openTelemetry: ${name} ${problem}`),
  });
}
