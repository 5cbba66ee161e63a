import { SpanKind, trace, type Context, type Span } from '@opentelemetry/api';
import { EXECUTE_TOOL, OPERATION, SCOPE } from './names.js';

/** What can be read of a span of the SDK; the API alone can read nothing. */
interface Readable {
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly kind?: SpanKind;
  readonly instrumentationScope?: { readonly name?: string };
}

/**
 * The span of an agent's instrumentation that already traces the tool call about to be sent: there must not be two for one call. Our own
 * spans say `execute_tool` too and are nobody's outer span. Where spans cannot be read, there is none to be found.
 */
export function outerToolSpan(active: Context): Span | undefined {
  const span = trace.getSpan(active);
  if (span === undefined) return undefined;
  const { attributes, kind, instrumentationScope } = span as Readable;
  const isOuter = attributes?.[OPERATION] === EXECUTE_TOOL && kind !== SpanKind.SERVER && instrumentationScope?.name !== SCOPE;
  return isOuter && span.isRecording() ? span : undefined;
}
