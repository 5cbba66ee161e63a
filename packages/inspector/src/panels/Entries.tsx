import type { VNode } from 'preact';
import { chosen, chosenName, kind, listLanguage, lists, target, type Entry, type Kind } from '../model.js';
import { t } from '../texts.js';
import { Tabs } from '../Tabs.js';
import { missingOf, titleOf } from '../entry.js';

const KINDS: readonly Kind[] = ['tools', 'prompts', 'resources'];

export function Entries(): VNode {
  const entries = lists.value[kind.value];
  const { status = 'connecting' } = target.value ?? {};
  return (
    <nav class="entries" aria-label={t(`list.${kind.value}`)}>
      <Tabs
        label={t(`list.${kind.value}`)}
        tabs={KINDS.map((each) => ({ id: each, title: t(`list.${each}`), count: lists.value[each].length }))}
        selected={kind.value}
        onSelect={(id) => (kind.value = id as Kind)}
      />
      <ul lang={listLanguage.value}>
        {entries.map((entry) => (
          <Row key={entry.name} entry={entry} />
        ))}
      </ul>
      {entries.length === 0 && <p class="quiet">{status === 'ready' ? t(`empty.${kind.value}`) : t(`status.${status}`)}</p>}
    </nav>
  );
}

function Row({ entry }: { readonly entry: Entry }): VNode {
  const missing = missingOf(entry);
  return (
    <li>
      <button
        type="button"
        class={missing === undefined ? '' : 'unavailable'}
        aria-current={chosen.value === entry}
        onClick={() => (chosenName.value = entry.name)}
      >
        <span dir="auto">{titleOf(entry)}</span>
        <code>{entry.name}</code>
        {missing !== undefined && (
          <span class="why">
            {t('needs')} {missing}
          </span>
        )}
      </button>
    </li>
  );
}
