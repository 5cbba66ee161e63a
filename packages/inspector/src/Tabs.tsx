import type { VNode } from 'preact';

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly { readonly id: string; readonly title: string; readonly count?: number }[];
  readonly selected: string;
  readonly onSelect: (id: string) => void;
}

/** Tabs as the keyboard expects them: one stop, arrows, Home and End move. */
export function Tabs({ label, tabs, selected, onSelect }: TabsProps): VNode {
  const move = (event: KeyboardEvent): void => {
    const at = tabs.findIndex(({ id }) => id === selected);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    const next = to === undefined ? undefined : tabs.at(to % tabs.length);
    if (next === undefined) return;
    event.preventDefault();
    onSelect(next.id);
    (event.currentTarget as HTMLElement).querySelector<HTMLElement>(`[data-id="${next.id}"]`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(({ id, title, count }) => (
        <button
          type="button"
          role="tab"
          key={id}
          data-id={id}
          aria-selected={id === selected}
          tabIndex={id === selected ? 0 : -1}
          onClick={() => onSelect(id)}
        >
          {title} {count !== undefined && <span class="count">{count}</span>}
        </button>
      ))}
    </div>
  );
}
