import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { type Level, POLICY_FIELDS, type PolicyField } from 'waybill/adapter';
import { concernOfField } from '../concerns.js';
import { changeRule } from '../context.js';
import { clearLedger, exchanges, ledger, refreshLedger, rules } from '../model.js';
import { clockTime, t } from '../texts.js';

const LEVELS: readonly Level[] = ['always', 'ask', 'never'];

/** Counts how often the server was told each field and how often it was not, with a switch for each field. Values are never shown: the ledger has none. */
export function LedgerTab(): VNode {
  const newest = exchanges.value.at(-1);
  useEffect(() => void refreshLedger().catch(() => undefined), [newest]);
  return (
    <div class="ledger">
      <div class="actions">
        <span class="quiet">{t('ledger.hint')}</span>
        <button type="button" class="plain" onClick={() => void clearLedger()}>
          {t('ledger.clear')}
        </button>
      </div>
      <table>
        <thead>
          <tr>
            {(['field', 'rule', 'sent', 'withheld', 'last'] as const).map((column) => (
              <th key={column} scope="col">
                {t(`ledger.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {POLICY_FIELDS.map((field) => (
            <Row key={field} field={field} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ field }: { readonly field: PolicyField }): VNode {
  const entries = ledger.value.filter((entry) => entry.field === field);
  const total = (outcome: 'sent' | 'withheld'): number =>
    entries.filter((entry) => entry.outcome === outcome).reduce((sum, { count }) => sum + count, 0);
  const last = Math.max(0, ...entries.map((entry) => entry.last));
  const level = rules.value[field];
  const precisions = [...new Set(entries.map(({ precision }) => precision).filter(Boolean))].join(', ');
  return (
    <tr>
      <th scope="row">
        <span class={`badge concern ${concernOfField(field)}`}>{field}</span>
      </th>
      <td>
        <select
          aria-label={`${t('ledger.rule')} ${field}`}
          value={level ?? ''}
          onChange={({ currentTarget: { value } }) => void changeRule(field, value === '' ? undefined : (value as Level))}
        >
          <option value="">{t('ledger.noRule')}</option>
          {LEVELS.map((each) => (
            <option key={each} value={each}>
              {t(`level.${each}`)}
            </option>
          ))}
        </select>
      </td>
      <td class={total('sent') === 0 ? 'zero' : ''}>
        {total('sent')} {precisions !== '' && <span class="quiet">({precisions})</span>}
      </td>
      <td class={total('withheld') === 0 ? 'zero' : 'problem'}>{total('withheld')}</td>
      <td>{last > 0 && clockTime(last)}</td>
    </tr>
  );
}
