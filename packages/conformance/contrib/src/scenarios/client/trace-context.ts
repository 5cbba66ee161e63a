/**
 * SEP-414 for clients: where a request carries trace context, its keys are bare and its values have the W3C formats. A client that sends no
 * trace context is not judged: it may leave it out.
 */
import type { ConformanceCheck, Scenario, ScenarioUrls } from '../../types.js';
import { type Declared, judge, NotApplicable } from '../declared.js';
import { at } from '../json.js';
import { malformed, prefixedKey } from '../trace-values.js';
import { metaOf, RawServer } from './raw-server.js';

export const SEP_414 = { id: 'SEP-414', url: 'https://modelcontextprotocol.io/specification/2026-07-28/basic/index#meta' };
const TOOL = {
  name: 'add_numbers',
  description: 'Adds two numbers',
  inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
};

/** The `_meta` of all requests. */
type Metas = readonly unknown[];

const needs = (metas: Metas, key: string): void => {
  if (metas.every((meta) => at(meta, key) === undefined)) throw new NotApplicable(`no request carried ${key}`);
};

const CHECKS: readonly Declared<Metas>[] = [
  ...(['traceparent', 'tracestate', 'baggage'] as const).map((key): Declared<Metas> => ({
    id: `sep-414-client-${key}-format`,
    name: `Client_${key}_Format`,
    description: `A ${key} in _meta has its W3C format`,
    level: 'MUST',
    test: (metas) => {
      needs(metas, key);
      return malformed(metas, key);
    },
  })),
  {
    id: 'sep-414-client-bare-keys',
    name: 'ClientBareKeys',
    description: 'Trace context stands under the three reserved names, without a prefix',
    level: 'MUST',
    test: (metas) => {
      const prefixed = metas.map(prefixedKey).find((key) => key !== undefined);
      return prefixed === undefined ? undefined : `${prefixed} has a prefix`;
    },
  },
];

export class TraceContextClientScenario implements Scenario {
  name = 'trace-context-client';
  readonly source = { introducedIn: '2026-07-28' } as const;
  description = 'Tests the trace context of a client that propagates one (SEP-414). The client lists the tools and calls add_numbers.';
  #server = new RawServer();

  async start(): Promise<ScenarioUrls> {
    this.#server = new RawServer();
    const serverUrl = await this.#server.start(({ message }) => {
      if (message['method'] === 'tools/list') return { result: { tools: [TOOL], ttlMs: 0, cacheScope: 'private' } };
      return message['method'] === 'tools/call' ? { result: { content: [{ type: 'text', text: '8' }] } } : {};
    });
    return { serverUrl, context: { steps: [{ op: 'list' }, { op: 'call', name: 'add_numbers', arguments: { a: 5, b: 3 } }] } };
  }

  async stop(): Promise<void> {
    await this.#server.stop();
  }

  getChecks(): ConformanceCheck[] {
    const metas = this.#server.requests().map((one) => metaOf(one));
    return judge(CHECKS, metas, SEP_414);
  }
}
