/** A span for each hop, by OpenTelemetry's API. Without that package the hop still takes part in the trace, but nobody records it. */
import type { TraceContext } from 'waybill';
import { formatTraceparent, isParentId, isTraceId, parseTraceparent } from 'waybill/adapter';

export interface HopSpan {
  /** For the upstream: this hop is the parent. */
  readonly trace: TraceContext | undefined;
  end(isError: boolean): void;
}

export type StartSpan = (
  method: string,
  name: string | undefined,
  parent: TraceContext | undefined,
  linked: TraceContext | undefined,
) => HopSpan;

export async function spanStarter(): Promise<StartSpan | undefined> {
  const loaded = await Promise.all([import('@opentelemetry/api'), import('waybill/otel')]).catch(() => undefined);
  if (loaded === undefined) return undefined;
  const [api, { names }] = loaded;
  const contextOf = (trace: TraceContext | undefined) => {
    const parsed = trace?.traceparent === undefined ? undefined : parseTraceparent(trace.traceparent);
    return parsed && { traceId: parsed.traceId, spanId: parsed.parentId, traceFlags: parsed.flags & 1, isRemote: true };
  };
  return (method, name, parent, linked) => {
    const remote = contextOf(parent);
    const link = contextOf(linked);
    const context = remote === undefined ? api.ROOT_CONTEXT : api.trace.setSpanContext(api.ROOT_CONTEXT, remote);
    const span = api.trace.getTracer('@waybill/gateway').startSpan(
      name === undefined || method !== 'tools/call' ? method : `${method} ${name}`,
      {
        kind: api.SpanKind.SERVER,
        attributes: {
          [names.MCP_METHOD]: method,
          ...(name !== undefined && method === 'tools/call' && { [names.TOOL_NAME]: name, [names.OPERATION]: names.EXECUTE_TOOL }),
          ...(name !== undefined && method === 'prompts/get' && { [names.PROMPT_NAME]: name }),
          ...(name !== undefined && method === 'resources/read' && { [names.MCP_RESOURCE_URI]: name }),
        },
        ...(link && { links: [{ context: link }] }),
      },
      context,
    );
    const { traceId, spanId, traceFlags } = span.spanContext();
    const isRecorded = isTraceId(traceId) && isParentId(spanId) && spanId !== remote?.spanId;
    return {
      trace: isRecorded
        ? {
            ...(parent?.tracestate !== undefined && { tracestate: parent.tracestate }),
            traceparent: formatTraceparent({ traceId, parentId: spanId, flags: traceFlags }),
          }
        : undefined,
      end(isError) {
        if (isError) span.setStatus({ code: api.SpanStatusCode.ERROR });
        span.end();
      },
    };
  };
}
