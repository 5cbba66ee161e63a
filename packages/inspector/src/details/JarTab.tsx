import { useSignal, useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import type { JarItem } from '../../../cli/src/inspect/protocol.js';
import { changeJar, jar } from '../model.js';
import { age, dayAndTime, t } from '../texts.js';
import { Issues } from './Exchange.js';

/** The state that this server keeps here, like a table of cookies. */
export function JarTab(): VNode {
  const { server = '', items = [], issues = [] } = jar.value ?? {};
  const now = useSignal(Date.now());
  // Ages grow while the tab is open, and a change of the jar shows at once.
  useSignalEffect(() => {
    const tick = (): void => void (now.value = Date.now());
    if (jar.value !== undefined) tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  });
  return (
    <div class="jar">
      {items.length === 0 ? (
        <p class="empty">
          <strong>{t('jar.empty')}</strong>
          {t('jar.empty.how')}
        </p>
      ) : (
        <>
          <div class="actions">
            <code>{server}</code>
            <button type="button" class="plain" onClick={() => void changeJar({ clear: true })}>
              {t('jar.clear')}
            </button>
          </div>
          <table>
            <thead>
              <tr>
                {(['name', 'value', 'scope', 'size', 'age'] as const).map((column) => (
                  <th key={column} scope="col">
                    {t(`jar.${column}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {items.map((item) => (
                <Item key={`${item.scope}/${item.conversation ?? ''}/${item.name}`} item={item} now={now.value} />
              ))}
            </tbody>
          </table>
        </>
      )}
      {issues.length > 0 && (
        <>
          <h3>{t('jar.refused')}</h3>
          <Issues issues={issues.slice(-20)} />
        </>
      )}
    </div>
  );
}

function Item({ item, now }: { readonly item: JarItem; readonly now: number }): VNode {
  const text = JSON.stringify(item.value);
  const edited = useSignal<string | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);
  const { name, scope, conversation } = item;
  const change = async (value: unknown): Promise<void> => {
    problem.value = await changeJar({ name, scope, value, ...(conversation !== undefined && { conversation }) });
    if (problem.value === undefined) edited.value = undefined;
  };
  const close = (): void => {
    edited.value = problem.value = undefined;
  };
  const save = (): void => {
    try {
      void change(JSON.parse(edited.value ?? text));
    } catch (error) {
      problem.value = `${t('badJson')}: ${(error as Error).message}`;
    }
  };
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="value">
        {edited.value === undefined ? (
          <code>{text.length > 200 ? `${text.slice(0, 200)}…` : text}</code>
        ) : (
          <textarea
            rows={3}
            aria-label={name}
            spellcheck={false}
            value={edited.value}
            onInput={({ currentTarget }) => (edited.value = currentTarget.value)}
            onKeyDown={({ key }) => key === 'Escape' && close()}
          />
        )}
        {problem.value !== undefined && (
          <p class="problem" role="alert">
            {problem.value}
          </p>
        )}
        <div class="actions small">
          {edited.value === undefined ? (
            <>
              <button type="button" onClick={() => (edited.value = text)}>
                {t('jar.edit')}
              </button>
              <button type="button" onClick={() => void change(tampered(item.value))}>
                {t('jar.tamper')}
              </button>
              <button type="button" onClick={() => void change(null)}>
                {t('jar.delete')}
              </button>
            </>
          ) : (
            <>
              <button type="button" class="primary" onClick={save}>
                {t('jar.save')}
              </button>
              <button type="button" onClick={close}>
                {t('jar.cancel')}
              </button>
            </>
          )}
        </div>
      </td>
      <td>{t(`scope.${scope}`)}</td>
      <td>{item.bytes}</td>
      <td title={dayAndTime(item.written)}>{age(item.written, now)}</td>
    </tr>
  );
}

/** Changes one character in the middle of a text, or wraps another value: a sealed value must then be refused. */
function tampered(value: unknown): unknown {
  if (typeof value !== 'string' || value === '') return [value];
  const middle = Math.floor(value.length / 2);
  return `${value.slice(0, middle)}${value[middle] === 'A' ? 'B' : 'A'}${value.slice(middle + 1)}`;
}
