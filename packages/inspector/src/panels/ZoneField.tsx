import { signal } from '@preact/signals';
import type { VNode } from 'preact';
import { drafts, dropDraft } from '../context.js';
import { offsetOf, zonesLike } from '../places.js';
import { t } from '../texts.js';
import { commitText, TextField } from './Field.js';

/** The number of the marked zone, or -1 for none. Without a value the list is closed. */
const marked = signal<number | undefined>(undefined);
const MAX_SHOWN = 60;

/** Zones are found by any part of their name; each is shown with its offset now. The arrows choose, Enter takes, Escape closes. */
export function ZoneField({ note }: { readonly note: string }): VNode {
  const typed = drafts.value.timezone ?? '';
  const isOpen = marked.value !== undefined;
  const shown = isOpen ? zonesLike(typed).slice(0, MAX_SHOWN) : [];
  const take = (zone: string | undefined): void => {
    marked.value = undefined;
    if (zone !== undefined) drafts.value = { ...drafts.value, timezone: zone };
    const text = drafts.value.timezone;
    if (text !== undefined) commitText('timezone', text);
  };
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const at = marked.value ?? -1;
    if (step !== undefined) {
      event.preventDefault();
      marked.value = at === -1 && step === -1 ? shown.length - 1 : (at + step + shown.length) % Math.max(shown.length, 1);
    } else if (event.key === 'Enter') take(shown[at]);
    else if (event.key !== 'Escape') return;
    else if (isOpen) marked.value = undefined;
    else dropDraft('timezone');
  };
  return (
    <TextField
      name="timezone"
      concern="environment"
      note={note}
      hint={t('timezone.hint')}
      onCommit={() => undefined}
      input={{
        role: 'combobox',
        'aria-expanded': isOpen,
        'aria-controls': 'zones',
        'aria-autocomplete': 'list',
        ...((marked.value ?? -1) >= 0 && { 'aria-activedescendant': `zone-${marked.value ?? 0}` }),
        onFocus: ({ currentTarget }) => currentTarget.select(),
        onClick: () => (marked.value ??= -1),
        onInput: ({ currentTarget }) => {
          drafts.value = { ...drafts.value, timezone: currentTarget.value };
          marked.value = currentTarget.value === '' ? -1 : 0;
        },
        onKeyDown: press,
        onBlur: () => take(undefined),
      }}
    >
      <ul id="zones" class="zones" role="listbox" aria-label={t('timezone.list')} hidden={shown.length === 0}>
        {shown.map((zone, at) => (
          <li
            key={zone}
            id={`zone-${at}`}
            role="option"
            aria-selected={at === marked.value}
            ref={(item) => {
              if (at === marked.value) item?.scrollIntoView({ block: 'nearest' });
            }}
            // The field keeps the focus: a blur would close the list before the click arrives.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(zone)}
          >
            {zone} <span class="quiet">{offsetOf(zone)}</span>
          </li>
        ))}
      </ul>
    </TextField>
  );
}
