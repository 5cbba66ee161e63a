import { signal } from '@preact/signals';
import type { VNode } from 'preact';
import { exchanges, jar } from '../model.js';
import { Tabs } from '../Tabs.js';
import { t } from '../texts.js';
import { LedgerTab } from './LedgerTab.js';
import { JarTab } from './JarTab.js';
import { TraceTab } from './TraceTab.js';
import { WireTab } from './WireTab.js';

const tab = signal('wire');

const TABS: Readonly<Record<string, () => VNode>> = {
  wire: () => <WireTab />,
  jar: () => <JarTab />,
  ledger: () => <LedgerTab />,
  trace: () => <TraceTab />,
};

export function Drawer(): VNode {
  return (
    <aside class="drawer" aria-label={t('drawer')}>
      <Tabs
        label={t('drawer')}
        tabs={[
          { id: 'wire', title: t('wire'), count: exchanges.value.length },
          { id: 'jar', title: t('jar'), count: jar.value?.items.length ?? 0 },
          { id: 'ledger', title: t('ledger') },
          { id: 'trace', title: t('traces') },
        ]}
        selected={tab.value}
        onSelect={(id) => (tab.value = id)}
      />
      <div class="drawer-body" role="tabpanel" tabIndex={0} aria-label={t('drawer')}>
        {TABS[tab.value]?.()}
      </div>
    </aside>
  );
}
