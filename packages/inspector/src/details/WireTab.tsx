import type { VNode } from 'preact';
import { concernNames } from 'waybill/adapter';
import type { LoggedExchange } from '../../../cli/src/inspect/protocol.js';
import { moveFocus } from '../arrows.js';
import { concernOf } from '../concerns.js';
import { chooseExchange, chosenExchange, clearExchanges, exchanges, isGateway, looseIssues, shownExchanges } from '../model.js';
import { save } from '../record.js';
import { t } from '../texts.js';
import { metaOf } from '../travelled.js';
import { Exchange, Issues } from './Exchange.js';
import { Replay } from './Replay.js';

/** The browser draws no more rows than this; the saved log has all. */
const MAX_ROWS = 200;

export function WireTab(): VNode {
  const shown = shownExchanges.value;
  const selected = shown.find(({ number }) => number === chosenExchange.value) ?? shown.at(-1);
  return (
    <div class="wire">
      <div class="wire-tools small">
        {!isGateway.value && <Replay />}
        <button type="button" onClick={() => save('waybill-log.json', { exchanges: exchanges.value })}>
          {t('wire.save')}
        </button>
        <button type="button" onClick={clearExchanges}>
          {t('wire.clear')}
        </button>
        {looseIssues.value.length > 0 && <Issues issues={looseIssues.value} />}
      </div>
      {selected === undefined ? (
        <p class="empty">
          <strong>{t('wire.empty')}</strong>
          {isGateway.value && t('wire.empty.gateway')}
        </p>
      ) : (
        <>
          <ol reversed class="exchanges" aria-label={t('wire.rows')} onKeyDown={moveFocus}>
            {shown
              .slice(-MAX_ROWS)
              .reverse()
              .map((exchange) => (
                <Row key={exchange.number} exchange={exchange} isSelected={exchange === selected} />
              ))}
          </ol>
          <ul class="legend" aria-label={t('wire.legend')}>
            {concernNames.map((concern) => (
              <li key={concern}>
                <i class={concern} aria-hidden="true" />
                {t(`concern.${concern}`)}
              </li>
            ))}
          </ul>
          <Exchange exchange={selected} />
        </>
      )}
    </div>
  );
}

function Row({ exchange, isSelected }: { readonly exchange: LoggedExchange; readonly isSelected: boolean }): VNode {
  const { number, outcome = 'open', method, name = '', askedBy, ms, hop } = exchange;
  return (
    <li>
      <button type="button" aria-current={isSelected} tabIndex={isSelected ? 0 : -1} onClick={() => chooseExchange(number)}>
        <span class={`outcome ${toneOf(outcome)}`} aria-hidden="true" />
        {hop !== undefined && <span class="hop">{hop.upstream}</span>}
        <code>{method}</code>{' '}
        <span class="named" dir="auto">
          {name}
        </span>
        {askedBy === 'them' && <em> {t('wire.asked')}</em>}
        <Marks exchange={exchange} />
        <span class="took">{ms !== undefined && `${Math.round(ms)} ms`}</span>
      </button>
    </li>
  );
}

/** A gateway has ten words for how an exchange ended; a colour needs two. */
const toneOf = (outcome: string): string => (outcome === 'open' ? 'open' : outcome === 'ok' || outcome === 'result' ? 'ok' : 'bad');

/** A dot for each concern that the request carried. */
function Marks({ exchange: { request, hop } }: { readonly exchange: LoggedExchange }): VNode {
  const keys = hop?.fields ?? Object.keys(metaOf(request) ?? {});
  const found = new Set(keys.map(concernOf));
  return (
    <span class="marks" aria-hidden="true">
      {concernNames.map((concern) => found.has(concern) && <i key={concern} class={concern} title={concern} />)}
    </span>
  );
}
