import { signal } from '@preact/signals';
import type { VNode } from 'preact';
import { mirroredLanguage } from 'waybill/adapter';
import type { LoggedExchange } from '../../../cli/src/inspect/protocol.js';
import { concernOf, concernOfHeader } from '../concerns.js';
import { Json } from '../Json.js';
import { exchanges, looseIssues } from '../model.js';
import { recordOf, replay } from '../record.js';
import { t } from '../texts.js';

const open = signal<number | undefined>(undefined);
/** Exchanges up to this number are not shown any more. */
const clearedTo = signal(0);
/** The browser draws no more rows than this; the saved log has all. */
const MAX_ROWS = 200;

export function WireTab(): VNode {
  const shown = exchanges.value.filter(({ number }) => number > clearedTo.value);
  const selected = shown.find(({ number }) => number === open.value) ?? shown.at(-1);
  if (selected === undefined) return <p class="quiet">{t('wire.empty')}</p>;
  return (
    <div class="wire">
      <div>
        <div class="actions">
          <button type="button" onClick={() => (clearedTo.value = exchanges.value.at(-1)?.number ?? 0)}>
            {t('wire.clear')}
          </button>
          <button type="button" onClick={() => save('waybill-log.json', { exchanges: exchanges.value })}>
            {t('wire.save')}
          </button>
          <Replay />
        </div>
        <ol reversed class="exchanges">
          {shown
            .slice(-MAX_ROWS)
            .reverse()
            .map((exchange) => (
              <li key={exchange.number}>
                <button type="button" aria-current={exchange === selected} onClick={() => (open.value = exchange.number)}>
                  <span class={`outcome ${exchange.outcome ?? 'open'}`} aria-hidden="true" />
                  <code>{exchange.method}</code> <span dir="auto">{exchange.name ?? ''}</span>
                  {exchange.askedBy === 'them' && <em> {t('wire.asked')}</em>}
                  <span class="quiet">{exchange.ms !== undefined && `${exchange.ms} ms`}</span>
                  <Marks exchange={exchange} />
                </button>
              </li>
            ))}
        </ol>
        {looseIssues.value.length > 0 && <Issues issues={looseIssues.value} />}
      </div>
      <Details exchange={selected} />
    </div>
  );
}

/** A dot for each concern that the request carried. */
function Marks({ exchange }: { readonly exchange: LoggedExchange }): VNode {
  const { params } = exchange.request as { params?: { _meta?: object } };
  const found = new Set(Object.keys(params?._meta ?? {}).map(concernOf));
  return (
    <span class="marks" aria-hidden="true">
      {[...found].map((concern) => concern !== undefined && <i key={concern} class={concern} title={concern} />)}
    </span>
  );
}

function Details({ exchange }: { readonly exchange: LoggedExchange }): VNode {
  const { request, answer, requestHeaders, responseHeaders, status, issues } = exchange;
  const record = recordOf(exchange);
  return (
    <div class="details" role="region" tabIndex={0} aria-label={t('wire.request')}>
      {issues.length > 0 && <Issues issues={issues} />}
      <h4>
        {t('wire.request')}{' '}
        {record !== undefined && (
          <button type="button" onClick={() => save('waybill-record.json', record)}>
            {t('record')}
          </button>
        )}
      </h4>
      {requestHeaders !== undefined && <Headers headers={requestHeaders} agreement={agreementOf(exchange)} />}
      <pre>
        <Json value={request} />
      </pre>
      <h4>
        {t('wire.answer')} <span class="quiet">{status}</span>
      </h4>
      {responseHeaders !== undefined && <Headers headers={responseHeaders} />}
      {answer !== undefined && (
        <pre>
          <Json value={answer} />
        </pre>
      )}
    </div>
  );
}

/** Whether the header says the same as the body; undefined if the body names no language. */
function agreementOf({ request, requestHeaders }: LoggedExchange): boolean | undefined {
  const wanted = mirroredLanguage(request);
  return wanted === undefined ? undefined : requestHeaders?.['accept-language'] === wanted;
}

function Headers({
  headers,
  agreement,
}: {
  readonly headers: Readonly<Record<string, string>>;
  readonly agreement?: boolean | undefined;
}): VNode {
  return (
    <>
      <dl class="headers" aria-label={t('wire.headers')}>
        {Object.entries(headers).map(([name, value]) => (
          <div key={name} class={concernOfHeader(name) === undefined ? '' : `concern ${concernOfHeader(name) ?? ''}`}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {agreement !== undefined && <p class={agreement ? 'good' : 'problem'}>{t(agreement ? 'wire.agree' : 'wire.differ')}</p>}
    </>
  );
}

function Issues({ issues }: { readonly issues: LoggedExchange['issues'] }): VNode {
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

const replayed = signal<string | undefined>(undefined);

/** Repeats a call from a file on the current target, and says where the answer differs. */
function Replay(): VNode {
  const run = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    try {
      const differences = await replay(await file.text());
      replayed.value = differences.length === 0 ? t('replay.same') : `${t('replay.differs')}: ${differences.slice(0, 10).join(', ')}`;
    } catch (error) {
      replayed.value = `${t('replay.failed')}: ${(error as Error).message}`;
    }
  };
  return (
    <>
      <label class="button">
        {t('replay')}
        <input class="sr" type="file" accept=".json" onChange={({ currentTarget }) => void run(currentTarget.files?.[0])} />
      </label>
      <span role="status">{replayed.value}</span>
    </>
  );
}

function save(name: string, content: unknown): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
