/**
 * Names under which other tracing systems carry what `traceparent` and `baggage` carry: as HTTP headers, and through a propagator of
 * OpenTelemetry also as bare keys of `_meta`. All in lower case.
 */
const TRACE: ReadonlySet<string> = new Set([
  ...['b3', 'uber-trace-id', 'x-amzn-trace-id', 'x-cloud-trace-context', 'grpc-trace-bin', 'sentry-trace', 'newrelic', 'traceresponse'],
]);
const TRACE_PREFIX = /^(?:x-b3-|ot-tracer-|x-datadog-|x-instana-)/;
/** One header for each member; the name of the member follows. */
const BAGGAGE_PREFIX = /^(?:uberctx-|ot-baggage-)/;

export function isForeignTrace(name: string): boolean {
  return TRACE.has(name) || TRACE_PREFIX.test(name);
}

/** The name of the baggage member that this key carries. A key with a slash is one of `_meta` alone and carries none. */
export function foreignBaggage(name: string): string | undefined {
  const prefix = BAGGAGE_PREFIX.exec(name)?.[0];
  return prefix === undefined || name.includes('/') ? undefined : name.slice(prefix.length);
}
