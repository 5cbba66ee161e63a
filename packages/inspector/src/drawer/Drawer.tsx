import type { VNode } from 'preact';
import { isGateway, jar, shownExchanges } from '../model.js';
import { Tabs } from '../Tabs.js';
import { t } from '../texts.js';
import { LedgerTab } from './LedgerTab.js';
import { JarTab } from './JarTab.js';
import { isDrawerOpen, tab } from './tab.js';
import { TraceTab } from './TraceTab.js';
import { WireTab } from './WireTab.js';

const TABS: Readonly<Record<string, () => VNode>> = {
  wire: () => <WireTab />,
  jar: () => <JarTab />,
  ledger: () => <LedgerTab />,
  trace: () => <TraceTab />,
};

export function Drawer(): VNode {
  const all = [
    { id: 'wire', title: t('wire'), count: shownExchanges.value.length },
    { id: 'jar', title: t('jar'), count: jar.value?.items.length ?? 0 },
    { id: 'ledger', title: t('ledger') },
    { id: 'trace', title: t('traces') },
  ];
  // The page of a gateway has no jar and no ledger tab: a gateway does not share them.
  const tabs = isGateway.value ? all.filter(({ id }) => id === 'wire' || id === 'trace') : all;
  const isOpen = isDrawerOpen.value || isGateway.value;
  return (
    <aside class={`drawer ${isOpen ? '' : 'closed'}`} aria-label={t('drawer')}>
      <div class="drawer-head">
        {isOpen && <Tabs label={t('drawer')} tabs={tabs} selected={tab.value} onSelect={(id) => (tab.value = id)} />}
        {!isGateway.value && (
          <button
            type="button"
            class="plain"
            aria-expanded={isOpen}
            aria-label={t('drawer')}
            title={t(isOpen ? 'drawer.close' : 'drawer.open')}
            onClick={() => (isDrawerOpen.value = !isOpen)}
          >
            {isOpen ? '⇥' : '⇤'}
          </button>
        )}
      </div>
      {isOpen && (
        <div class="drawer-body" role="tabpanel" tabIndex={0} aria-label={t('drawer')}>
          {TABS[tab.value]?.()}
        </div>
      )}
    </aside>
  );
}
