import { metrics, ValueType, type Attributes, type Counter, type Histogram, type MeterProvider } from '@opentelemetry/api';
import type { Issue } from '../wire/issue.js';
import {
  BUCKETS,
  CLIENT_OPERATION,
  CLIENT_SESSION,
  CONCERN,
  ERROR_TYPE,
  ISSUES,
  MCP_PROTOCOL_VERSION,
  OTHER,
  SCOPE,
  SERVER_OPERATION,
  SERVER_SESSION,
  STATUS_CODE,
} from './names.js';

/** Revisions and error codes come from peers, like names (`describe.ts`): the known ones, and the number of others that stay separate. */
const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];
const CODES = [-32_700, -32_600, -32_601, -32_602, -32_603, ...Array.from({ length: 100 }, (_, at) => -32_000 - at)].map(String);
const MAX_OTHERS = 100;

interface Instruments {
  readonly operation: Readonly<Record<'client' | 'server', Histogram>>;
  readonly session: Readonly<Record<'client' | 'server', Histogram>>;
  readonly issues: Counter;
}

export interface Metrics {
  operation(side: 'client' | 'server', milliseconds: number, attributes: Attributes): void;
  session(side: 'client' | 'server', milliseconds: number, attributes: Attributes): void;
  issue(issue: Issue): void;
}

/**
 * The metrics API returns instruments of the current provider, and an application may register its own later: then they are looked up
 * again.
 */
export function createMetrics(given: MeterProvider | undefined): Metrics {
  let provider: MeterProvider | undefined;
  let made: Instruments | undefined;
  const instruments = (): Instruments => {
    const current = given ?? metrics.getMeterProvider();
    if (made === undefined || current !== provider) {
      provider = current;
      made = build(current);
    }
    return made;
  };
  const limited = limiter();
  return {
    operation: (side, milliseconds, attributes) => instruments().operation[side].record(milliseconds / 1000, limited(attributes)),
    session: (side, milliseconds, attributes) => instruments().session[side].record(milliseconds / 1000, limited(attributes)),
    issue: ({ concern }) => instruments().issues.add(1, { [CONCERN]: concern }),
  };
}

function limiter(): (attributes: Attributes) => Attributes {
  const revisions = fewValues(MAX_OTHERS, REVISIONS);
  const codes = fewValues(MAX_OTHERS, CODES);
  return (attributes) => {
    const { [MCP_PROTOCOL_VERSION]: version, [STATUS_CODE]: code, [ERROR_TYPE]: type } = attributes;
    let kept = attributes;
    if (typeof version === 'string' && revisions(version) !== version) kept = { ...kept, [MCP_PROTOCOL_VERSION]: OTHER };
    if (typeof code === 'string' && codes(code) !== code) {
      kept = { ...kept, [STATUS_CODE]: OTHER };
      // The type of an error is its code, or a word of ours.
      if (type === code) kept[ERROR_TYPE] = OTHER;
    }
    return kept;
  };
}

function build(provider: MeterProvider): Instruments {
  const meter = provider.getMeter(SCOPE);
  const seconds = (name: string, description: string): Histogram =>
    meter.createHistogram(name, { unit: 's', description, valueType: ValueType.DOUBLE, advice: { explicitBucketBoundaries: BUCKETS } });
  return {
    operation: {
      client: seconds(CLIENT_OPERATION, 'The duration of the MCP request from the time it was sent until the response is received.'),
      server: seconds(SERVER_OPERATION, 'The duration of the MCP request from the time it was received until the result is sent.'),
    },
    session: {
      client: seconds(CLIENT_SESSION, 'The duration of the MCP session as observed on the MCP client.'),
      server: seconds(SERVER_SESSION, 'The duration of the MCP session as observed on the MCP server.'),
    },
    issues: meter.createCounter(ISSUES, { description: 'Context values of peers that were malformed and ignored.' }),
  };
}

/** The longest name of a peer, on a span and in a metric. */
export const MAX_NAME = 256;

/**
 * Metrics keep a row for every combination of values, and peers invent values: the first `limit` values stay, all others become one. Values
 * in `known` always stay.
 */
export function fewValues(limit: number, known: readonly string[] = []): (value: string) => string {
  const seen = new Set(known);
  const most = seen.size + limit;
  return (value) => {
    if (seen.has(value)) return value;
    if (seen.size >= most || value.length > MAX_NAME) return OTHER;
    seen.add(value);
    return value;
  };
}
