import { metrics, ValueType, type Attributes, type Counter, type Histogram, type MeterProvider } from '@opentelemetry/api';
import type { Issue } from '../wire/issue.js';
import { fewValues } from './few.js';
import {
  BUCKETS,
  CLIENT_OPERATION,
  CLIENT_SESSION,
  CONCERN,
  ERROR_TYPE,
  ISSUES,
  MCP_PROTOCOL_VERSION,
  SCOPE,
  SERVER_OPERATION,
  SERVER_SESSION,
  STATUS_CODE,
} from './names.js';

/** What a peer chooses of an operation, besides the names of `describe.ts`, and how many values of each are told apart. */
const CHOSEN = [MCP_PROTOCOL_VERSION, STATUS_CODE, ERROR_TYPE] as const;
const MAX_CHOSEN = 100;

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

/** The metrics API hands out instruments of the provider of this moment, and an application may register its own later: looked up anew then. */
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
  const few = CHOSEN.map((name) => ({ name, known: fewValues(MAX_CHOSEN) }));
  return (attributes) => {
    let kept = attributes;
    for (const { name, known } of few) {
      const value = attributes[name];
      const told = typeof value === 'string' ? known(value) : value;
      if (told !== value) kept = { ...kept, [name]: told };
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
