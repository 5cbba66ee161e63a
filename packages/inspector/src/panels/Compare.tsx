import type { VNode } from 'preact';
import { CONTEXTS, type Column, type ContextName } from '../comparison.js';
import type { Task } from '../task.js';
import { t } from '../texts.js';
import { LanguageBadge } from './Answer.js';

const MAX_COLUMNS = 4;

/** The contexts of a comparison, and its answers. Lines that differ from the first column are marked. */
export function Compare({ task: { compared } }: { readonly task: Task }): VNode {
  const { names, columns } = compared.value;
  const flip = (name: ContextName, on: boolean): void => {
    const chosen = on ? [...names, name].slice(-MAX_COLUMNS) : names.filter((each) => each !== name);
    compared.value = { names: chosen, columns };
  };
  return (
    <section class="compare" aria-label={t('compare')}>
      <p class="quiet">{t('compare.hint')}</p>
      <div class="chips">
        {CONTEXTS.map((name) => (
          <label key={name}>
            <input type="checkbox" checked={names.includes(name)} onChange={({ currentTarget }) => flip(name, currentTarget.checked)} />{' '}
            {t(name)}
          </label>
        ))}
      </div>
      {columns.length > 0 && <Table columns={columns} />}
    </section>
  );
}

/** One row a line, so that lines stand beside each other however long they are. */
function Table({ columns }: { readonly columns: readonly Column[] }): VNode {
  const [first] = columns;
  const rows = Math.max(...columns.map(({ lines }) => lines.length));
  return (
    <div class="compared" role="region" tabIndex={0} aria-label={t('compare')}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, answer: { language } }) => (
              <th key={name} scope="col">
                <strong>{t(name)}</strong> <LanguageBadge language={language} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: rows }, (_, at) => (
            <tr key={at}>
              {columns.map(({ name, lines, answer: { language } }) => {
                const line = lines[at] ?? '';
                return (
                  <td key={name} dir="auto" lang={language} class={line === (first?.lines[at] ?? '') ? '' : 'differs'}>
                    {line}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
