import { SpanKind, trace, type Context, type Span } from '@opentelemetry/api';
import { EXECUTE_TOOL, OPERATION } from './names.js';

/** The spans of ours, which say `execute_tool` too and are nobody's outer span. */
const ours = new WeakSet<Span>();

export function markOurs(span: Span): void {
  ours.add(span);
}

/**
 * The span of an agent's instrumentation that already traces the tool call about to be sent: there must not be two for one call.
 * The API cannot read a span; the SDK's spans can be read, and where they cannot, there is none to be found.
 */
export function outerToolSpan(active: Context): Span | undefined {
  const span = trace.getSpan(active);
  if (span === undefined || ours.has(span) || !span.isRecording()) return undefined;
  const { attributes, kind } = span as { attributes?: Readonly<Record<string, unknown>>; kind?: SpanKind };
  return kind !== SpanKind.SERVER && attributes?.[OPERATION] === EXECUTE_TOOL ? span : undefined;
}
