import type { VNode } from 'preact';
import { moveFocus } from '../arrows.js';
import { missingOf, titleOf, type Entry } from '../entry.js';
import { chosen, chosenName, kind, listLanguage, listProblems, lists, type Kind } from '../lists.js';
import { target } from '../model.js';
import { t } from '../texts.js';
import { Tabs } from '../Tabs.js';

const KINDS: readonly Kind[] = ['tools', 'prompts', 'resources'];

export function Entries(): VNode {
  const entries = lists.value[kind.value];
  const problem = listProblems.value[kind.value];
  const { status = 'connecting' } = target.value ?? {};
  return (
    <nav class="entries" aria-label={t(`list.${kind.value}`)}>
      <Tabs
        label={t('lists')}
        tabs={KINDS.map((each) => ({ id: each, title: t(`list.${each}`), count: lists.value[each].length }))}
        selected={kind.value}
        onSelect={(id) => (kind.value = id as Kind)}
      />
      <ul lang={listLanguage.value} onKeyDown={moveFocus}>
        {entries.map((entry) => (
          <Row key={entry.name} entry={entry} />
        ))}
      </ul>
      {status === 'ready' && problem !== undefined && <p class="problem">{problem}</p>}
      {problem === undefined && entries.length === 0 && (
        <p class="quiet">{status === 'ready' ? t(`empty.${kind.value}`) : t(`status.${status}`)}</p>
      )}
    </nav>
  );
}

function Row({ entry }: { readonly entry: Entry }): VNode {
  const missing = missingOf(entry);
  const isChosen = chosen.value === entry;
  return (
    <li>
      <button
        type="button"
        class={missing === undefined ? '' : 'unavailable'}
        aria-current={isChosen}
        tabIndex={isChosen ? 0 : -1}
        onClick={() => choose(entry)}
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

/** On a narrow screen the stage is below the list, so it comes into view. */
function choose({ name }: Entry): void {
  chosenName.value = name;
  if (matchMedia('(max-width: 900px)').matches) document.querySelector('.centre')?.scrollIntoView({ block: 'start' });
}
