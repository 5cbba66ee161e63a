import type { VNode } from 'preact';
import { parseTraceparent, readRequest } from 'waybill/adapter';
import type { LoggedExchange } from '../../../cli/src/inspect/protocol.js';
import { exchanges } from '../model.js';
import { t } from '../texts.js';

interface Span {
  readonly exchange: LoggedExchange;
  readonly trace: string;
}

/** The last calls as a waterfall. It is drawn from the calls themselves, so it needs no collector. */
export function TraceTab(): VNode {
  const spans = exchanges.value.flatMap(spanOf).slice(-40);
  if (spans.length === 0) return <p class="quiet">{t('trace.empty')}</p>;
  const from = Math.min(...spans.map(({ exchange }) => exchange.at));
  const to = Math.max(...spans.map(({ exchange }) => exchange.at + (exchange.ms ?? 0)), from + 1);
  const percent = (value: number): string => ((value / (to - from)) * 100).toFixed(2);
  return (
    <table class="waterfall">
      <tbody>
        {spans.map(({ exchange, trace }) => (
          <tr key={exchange.number}>
            <th scope="row">
              <code>{exchange.method}</code> {exchange.name}
            </th>
            <td>
              <code class="quiet" title={trace}>
                {trace.slice(0, 8)}
              </code>
            </td>
            <td class="bar">
              <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                <rect x={percent(exchange.at - from)} y="0" width={Math.max(Number(percent(exchange.ms ?? 0)), 0.4)} height="4" />
              </svg>
            </td>
            <td>{exchange.ms} ms</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function spanOf(exchange: LoggedExchange): Span[] {
  const { traceparent } = readRequest(exchange.request, { onIssue: () => undefined }).trace ?? {};
  const trace = traceparent && parseTraceparent(traceparent)?.traceId;
  return trace === undefined ? [] : [{ exchange, trace }];
}
