import type { Report } from '../issue.js';
import type { Meta } from '../json.js';
import { BAGGAGE, TRACEPARENT, TRACESTATE } from '../keys.js';
import { checkTrace, type TraceContext } from './context.js';
import { stripOws } from './ows.js';

/**
 * The trace that the headers of an HTTP request carry, where nothing of it is in `_meta` (TRACE-07, TRACE-08: there is no rule
 * that the two agree). Unlike in `_meta` names are of any case; repeated lines are one list, and two traceparents are none.
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
