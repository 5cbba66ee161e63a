import { SpanKind, trace, type Context, type Span } from '@opentelemetry/api';
import { EXECUTE_TOOL, OPERATION, SCOPE } from './names.js';

/** The readable members of a span of the SDK; with the API alone nothing can be read. */
interface Readable {
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly kind?: SpanKind;
  readonly instrumentationScope?: { readonly name?: string };
}

/**
 * Finds the span of an agent's instrumentation that already traces the tool call about to be sent: one call must not have two spans. Our
 * own spans have `execute_tool` too and do not count. If spans cannot be read, none is found.
 */
export function outerToolSpan(active: Context): Span | undefined {
  const span = trace.getSpan(active);
  if (span === undefined) return undefined;
  const { attributes, kind, instrumentationScope } = span as Readable;
  const isOuter = attributes?.[OPERATION] === EXECUTE_TOOL && kind !== SpanKind.SERVER && instrumentationScope?.name !== SCOPE;
  return isOuter && span.isRecording() ? span : undefined;
}
