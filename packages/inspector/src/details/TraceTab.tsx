import type { VNode } from 'preact';
import { parseTraceparent, readRequest } from 'waybill/adapter';
import type { LoggedExchange } from '../../../cli/src/inspect/protocol.js';
import { chooseExchange, exchanges, isGateway } from '../model.js';
import { clockTime, t } from '../texts.js';
import { tab } from './tab.js';

interface Span {
  readonly exchange: LoggedExchange;
  /** Absent: the call carried none, or it is of a gateway's feed, which names the key and not its value. */
  readonly trace?: string;
}

const MAX_SPANS = 60;
/** Calls that are further apart than this do not share a scale: the pause between them would leave no room for the bars. */
const PAUSE = 1000;

/** The last calls as a waterfall. It is drawn from the calls themselves, so it needs no collector. */
export function TraceTab(): VNode {
  const spans = exchanges.value.slice(-MAX_SPANS).map(spanOf);
  if (spans.length === 0)
    return (
      <p class="empty">
        <strong>{t('trace.empty')}</strong>
        {t('trace.empty.how')}
      </p>
    );
  return (
    <div class="traces">
      {groupsOf(spans)
        .reverse()
        .map((group) => (
          <Group key={group[0]?.exchange.number} spans={group} />
        ))}
    </div>
  );
}

const endOf = ({ exchange: { at, ms = 0 } }: Span): number => at + ms;

function groupsOf(spans: readonly Span[]): Span[][] {
  const groups: Span[][] = [];
  let end = -Infinity;
  for (const span of [...spans].sort((a, b) => a.exchange.at - b.exchange.at)) {
    if (span.exchange.at - end > PAUSE) groups.push([]);
    groups.at(-1)?.push(span);
    end = Math.max(end, endOf(span));
  }
  return groups;
}

function Group({ spans }: { readonly spans: readonly Span[] }): VNode {
  const from = Math.min(...spans.map(({ exchange }) => exchange.at));
  const length = Math.max(...spans.map(endOf), from + 1) - from;
  const percent = (value: number): number => (value / length) * 100;
  return (
    <table class="waterfall">
      <caption>
        {clockTime(from)} · {Math.round(length)} ms
      </caption>
      <tbody>
        {spans.map(({ exchange: { number, method, name, at, ms = 0, outcome, hop }, trace }) => (
          <tr key={number}>
            <th scope="row">
              <button type="button" class="plain" title={t('trace.show')} onClick={() => show(number)}>
                <code>{method}</code> <span dir="auto">{name}</span>
              </button>
            </th>
            <td class="id">
              <code class="quiet" title={trace ?? hop?.upstream}>
                {trace?.slice(0, 8) ?? hop?.upstream ?? '–'}
              </code>
            </td>
            <td class="bar">
              <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                <rect
                  class={outcome === 'result' || outcome === 'ok' ? '' : 'bad'}
                  x={percent(at - from).toFixed(2)}
                  y="0"
                  width={Math.max(percent(ms), 0.6).toFixed(2)}
                  height="4"
                />
              </svg>
            </td>
            <td class="took">{Math.round(ms)} ms</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Opens the message that a bar stands for. */
function show(number: number): void {
  chooseExchange(number);
  tab.value = 'wire';
}

function spanOf(exchange: LoggedExchange): Span {
  if (isGateway.value) return { exchange };
  const { traceparent } = readRequest(exchange.request, { onIssue: () => undefined }).trace ?? {};
  const trace = traceparent && parseTraceparent(traceparent)?.traceId;
  return { exchange, ...(trace && { trace }) };
}
