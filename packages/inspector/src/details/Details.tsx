import type { VNode } from 'preact';
import { isGateway, jar, shownExchanges } from '../model.js';
import { Tabs } from '../Tabs.js';
import { t } from '../texts.js';
import { LedgerTab } from './LedgerTab.js';
import { JarTab } from './JarTab.js';
import { areDetailsOpen, tab } from './tab.js';
import { TraceTab } from './TraceTab.js';
import { WireTab } from './WireTab.js';

const TABS: Readonly<Record<string, () => VNode>> = {
  wire: () => <WireTab />,
  jar: () => <JarTab />,
  ledger: () => <LedgerTab />,
  trace: () => <TraceTab />,
};

export function Details(): VNode {
  const all = [
    { id: 'wire', title: t('wire'), count: shownExchanges.value.length },
    { id: 'jar', title: t('jar'), count: jar.value?.items.length ?? 0 },
    { id: 'ledger', title: t('ledger') },
    { id: 'trace', title: t('traces') },
  ];
  // The page of a gateway has no jar and no ledger tab: a gateway does not share them.
  const tabs = isGateway.value ? all.filter(({ id }) => id === 'wire' || id === 'trace') : all;
  const isOpen = areDetailsOpen.value || isGateway.value;
  return (
    <aside class={`details ${isOpen ? '' : 'closed'}`} aria-label={t('details')}>
      <div class="details-head">
        {isOpen && <Tabs label={t('details')} tabs={tabs} selected={tab.value} onSelect={(id) => (tab.value = id)} />}
        {!isGateway.value && (
          <button
            type="button"
            class="plain"
            aria-expanded={isOpen}
            aria-label={t('details')}
            title={t(isOpen ? 'details.close' : 'details.open')}
            onClick={() => (areDetailsOpen.value = !isOpen)}
          >
            {isOpen ? '⇥' : '⇤'}
          </button>
        )}
      </div>
      {isOpen && (
        <div class="details-body" role="tabpanel" tabIndex={0} aria-label={t('details')}>
          {TABS[tab.value]?.()}
        </div>
      )}
    </aside>
  );
}
