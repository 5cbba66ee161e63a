import type { VNode } from 'preact';
import { mirroredLanguage } from 'waybill/adapter';
import type { LoggedExchange } from '../../../cli/src/inspect/protocol.js';
import { concernOf, concernOfField, concernOfHeader } from '../concerns.js';
import { Json } from '../Json.js';
import { exchanges } from '../model.js';
import { clockTime, pageLanguage, t } from '../texts.js';
import { recordOf, save } from '../record.js';
import { type Fact, factsOf, metaOf, shortKey } from '../travelled.js';

/** One exchange: the context that travelled, then each message as a whole. */
export function Exchange({ exchange }: { readonly exchange: LoggedExchange }): VNode {
  const { request, answer, requestHeaders, responseHeaders, status, issues, hop } = exchange;
  const record = recordOf(exchange, exchanges.value);
  return (
    <div class="exchange" role="region" tabIndex={0} aria-label={t('wire.request')}>
      {issues.length > 0 && <Issues issues={issues} />}
      <h3>
        {t('wire.request')}
        {record !== undefined && (
          <span class="small">
            <button type="button" onClick={() => save('waybill-record.json', record)}>
              {t('record')}
            </button>
          </span>
        )}
      </h3>
      {hop !== undefined && <Hop exchange={exchange} hop={hop} />}
      <Facts facts={factsOf(metaOf(request))} />
      <Agreement exchange={exchange} />
      {(request !== undefined || requestHeaders !== undefined) && <Whole message={request} headers={requestHeaders} isOpen />}
      {hop?.sent !== undefined && <Whole message={hop.sent} title={t('hop.sent')} />}
      {(hop === undefined || answer !== undefined) && (
        <h3>
          {t('wire.answer')} <span class="quiet">{status}</span>
        </h3>
      )}
      <Facts facts={factsOf(metaOf(answer))} />
      {(answer !== undefined || responseHeaders !== undefined) && <Whole message={answer} headers={responseHeaders} />}
    </div>
  );
}

function Facts({ facts }: { readonly facts: readonly Fact[] }): VNode | null {
  if (facts.length === 0) return null;
  return (
    <dl class="facts">
      {facts.map(({ concern, label, text }) => (
        <>
          <dt class={`concern ${concern}`}>{label}</dt>
          <dd dir="auto">{text}</dd>
        </>
      ))}
    </dl>
  );
}

/** All that a gateway tells if it gives no bodies: names, times and sizes. */
function Hop({
  exchange: { at, ms = 0, status, outcome, request },
  hop,
}: {
  readonly exchange: LoggedExchange;
  readonly hop: HopPart;
}): VNode {
  const number = (value: number): string => value.toLocaleString(pageLanguage.value);
  const rows: readonly (readonly [string, string])[] = [
    [t('hop.upstream'), hop.upstream],
    [t('hop.outcome'), `${outcome ?? ''} · ${status ?? ''}${hop.cached ? ` · ${t('hop.cached')}` : ''}`],
    [t('hop.at'), `${clockTime(at)} · ${ms.toFixed(1)} ms`],
    [t('hop.size'), `${number(hop.requestSize)} → ${number(hop.answerSize)} bytes`],
  ];
  return (
    <>
      <dl class="facts">
        {rows.map(([label, text]) => (
          <>
            <dt class="quiet">{label}</dt>
            <dd>{text}</dd>
          </>
        ))}
        {(['disclosed', 'withheld'] as const).map((list) => (
          <>
            <dt class="quiet">{t(`hop.${list}`)}</dt>
            <dd>
              {hop[list].length === 0 && '–'}
              {hop[list].map((field) => (
                <>
                  <span class={`badge concern ${concernOfField(field)}`}>{field}</span>{' '}
                </>
              ))}
            </dd>
          </>
        ))}
        {/* With the message itself, its keys are shown below with their values. */}
        {(request === undefined ? hop.fields : []).map((key) => (
          <>
            <dt class={`concern ${concernOf(key) ?? ''}`}>{shortKey(key)}</dt>
            <dd class="quiet">{key}</dd>
          </>
        ))}
      </dl>
    </>
  );
}

type HopPart = NonNullable<LoggedExchange['hop']>;

interface WholeProps {
  readonly message: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly title?: string;
  readonly isOpen?: boolean;
}

function Whole({ message, headers, title = t('wire.message'), isOpen = false }: WholeProps): VNode {
  return (
    <details open={isOpen}>
      <summary>{title}</summary>
      {headers !== undefined && (
        <dl class="headers" aria-label={t('wire.headers')}>
          {Object.entries(headers).map(([name, value]) => (
            <div key={name} class={concernOfHeader(name) === undefined ? '' : `concern ${concernOfHeader(name) ?? ''}`}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {message !== undefined && <Json value={message} />}
    </details>
  );
}

/** Tells whether the header says the same as the body; nothing if the body names no language, or the message had no headers. */
function Agreement({ exchange: { request, requestHeaders } }: { readonly exchange: LoggedExchange }): VNode | null {
  const wanted = request === undefined ? undefined : mirroredLanguage(request);
  if (wanted === undefined || requestHeaders === undefined) return null;
  const agrees = requestHeaders['accept-language'] === wanted;
  return <p class={agrees ? 'good' : 'problem'}>{`${agrees ? '✓' : '✗'} ${t(agrees ? 'wire.agree' : 'wire.differ')}`}</p>;
}

export function Issues({ issues }: { readonly issues: LoggedExchange['issues'] }): VNode {
  return (
    <ul class="issues" aria-label={t('wire.issues')}>
      {issues.map(({ concern, key, problem }, index) => (
        <li key={index} class={`concern-edge ${concern ?? ''}`}>
          <code>{key}</code> {problem}
        </li>
      ))}
    </ul>
  );
}
