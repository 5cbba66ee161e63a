/** SEP-414 for servers: the three reserved keys are accepted on a request, and where a server writes them itself they have the W3C formats. */
import type { ClientScenario, ConformanceCheck } from '../../types.js';
import { type Declared, judgeInTurn, NotApplicable } from '../declared.js';
import { at } from '../json.js';
import { FORMATS, malformed, prefixedKey } from '../trace-values.js';
import { SEP_414 } from '../client/trace-context.js';
import { type Answer, send } from './raw-exchange.js';

const TRACE = {
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01',
  tracestate: 'vendor=1,tenant@system=2',
  baggage: 'user=a%20b;p=1,k=v',
};

const written = ({ message, notifications }: Answer): unknown[] => [
  at(message, 'result', '_meta'),
  ...notifications.map((one) => at(one, 'params', '_meta')),
];

const CHECKS: readonly Declared<string, Promise<string | undefined>>[] = [
  {
    id: 'sep-414-server-accepts-trace-context',
    name: 'ServerAcceptsTraceContext',
    description: 'A request with traceparent, tracestate and baggage in _meta is answered like one without',
    level: 'MUST',
    test: async (url) => {
      const [plain, traced] = [await send(url, 'tools/list'), await send(url, 'tools/list', {}, TRACE)];
      const same = (at(plain.message, 'result') === undefined) === (at(traced.message, 'result') === undefined);
      return same ? undefined : `with trace context the answer is ${JSON.stringify(traced.message)}`;
    },
  },
  {
    id: 'sep-414-server-trace-values',
    name: 'ServerTraceValues',
    description: 'Trace context that the server writes into results and notifications has bare keys and W3C formats',
    level: 'MUST',
    test: async (url) => {
      const metas = written(await send(url, 'tools/list', {}, TRACE));
      const prefixed = metas.map(prefixedKey).find((key) => key !== undefined);
      if (prefixed !== undefined) return `${prefixed} has a prefix`;
      const keys = Object.keys(FORMATS) as (keyof typeof FORMATS)[];
      if (!metas.some((meta) => keys.some((key) => at(meta, key) !== undefined))) throw new NotApplicable('the server writes none');
      return keys.map((key) => malformed(metas, key)).find((problem) => problem !== undefined);
    },
  },
];

export class TraceContextServerScenario implements ClientScenario {
  name = 'trace-context-server';
  readonly source = { introducedIn: '2026-07-28' } as const;
  description =
    'Tests that trace context in _meta is accepted, and well-formed where the server writes it (SEP-414). No fixture is needed.';

  run({ serverUrl }: { serverUrl: string }): Promise<ConformanceCheck[]> {
    return judgeInTurn(CHECKS, serverUrl, SEP_414);
  }
}
