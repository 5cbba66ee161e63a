import type { Report } from '../issue.js';
import type { Meta } from '../json.js';
import { BAGGAGE, TRACEPARENT, TRACESTATE } from '../keys.js';
import { checkTrace, type TraceContext } from './context.js';
import { stripOws } from './ows.js';

// TRACE-07, TRACE-08
/**
 * Reads the trace from the headers of an HTTP request, for requests without one in `_meta` (the two need not agree). Names
 * may have any case. Repeated lines form one list, and two traceparents count as none.
 */
export function readTraceHeaders(headers: Iterable<readonly [name: string, value: string]>, report: Report): TraceContext | undefined {
  const lines: Readonly<Record<string, string[]>> = { [TRACEPARENT]: [], [TRACESTATE]: [], [BAGGAGE]: [] };
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    if (Object.hasOwn(lines, key)) lines[key]?.push(stripOws(value));
  }
  const values: Meta = {};
  for (const [key, parts] of Object.entries(lines)) if (parts.length > 0) values[key] = parts.join(',');
  return checkTrace(values, report);
}
