import { describe, expect, it } from 'vitest';
import type { Issue } from '../issue.js';
import { trace } from '../trace.js';
import { readTraceHeaders } from './context.js';

const PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const OTHER = '00-4bf92f3577b34da6a3ce929d0e0e4736-b9c7c989f97918e1-01';
type Lines = [string, string][];

describe('readTraceHeaders', () => {
  it.each<[string, Lines, object | undefined, number]>([
    ['no headers', [], undefined, 0],
    [
      'names of any case',
      [
        ['TraceParent', PARENT],
        ['TRACESTATE', 'a=1'],
      ],
      { traceparent: PARENT, tracestate: 'a=1' },
      0,
    ],
    ['white space around values', [['traceparent', `\t${PARENT} `]], { traceparent: PARENT }, 0],
    [
      'lists in several lines',
      [
        ['traceparent', PARENT],
        ['tracestate', 'a=1'],
        ['baggage', 'x=1'],
        ['tracestate', ' b=2'],
        ['baggage', 'y=2'],
      ],
      { traceparent: PARENT, tracestate: 'a=1,b=2', baggage: 'x=1,y=2' },
      0,
    ],
    [
      'an empty line of a list',
      [
        ['traceparent', PARENT],
        ['tracestate', ''],
        ['tracestate', 'a=1'],
      ],
      { traceparent: PARENT, tracestate: ',a=1' },
      0,
    ],
    [
      'two traceparents, which are none',
      [
        ['traceparent', PARENT],
        ['traceparent', OTHER],
      ],
      undefined,
      1,
    ],
    ['a tracestate alone', [['tracestate', 'a=1']], undefined, 1],
    [
      'names that only look like it',
      [
        ['trace-parent', PARENT],
        ['x-traceparent', PARENT],
        ['__proto__', PARENT],
      ],
      undefined,
      0,
    ],
  ])('TRACE-09: %s', (_, headers, expected, count) => {
    const issues: Issue[] = [];
    expect(readTraceHeaders(headers, (issue) => issues.push(issue))).toEqual(expected);
    expect(issues).toHaveLength(count);
  });

  it('TRACE-07, TRACE-08: header and `_meta` are read apart, and may differ without any issue', () => {
    const report = (issue: Issue): never => {
      throw new Error(issue.problem);
    };
    expect(readTraceHeaders([['traceparent', PARENT]], report)).toEqual({ traceparent: PARENT });
    expect(trace.request.read({ traceparent: OTHER }, report, {})).toEqual({ traceparent: OTHER });
  });
});
