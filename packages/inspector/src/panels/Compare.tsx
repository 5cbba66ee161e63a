import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { PageContext, SendAnswer } from '../../../cli/src/inspect/protocol.js';
import { blocksOf, textOf } from '../blocks.js';
import { jsonIn } from '../Json.js';
import { context } from '../model.js';
import { presets } from '../places.js';
import { sendTask, type Task } from '../task.js';
import { t } from '../texts.js';
import { LanguageBadge } from './Answer.js';
import { argumentsOf } from './Form.js';

const MAX_COLUMNS = 4;
const MAX_LINES = 400;

/** The context of the page, or a city. */
const NAMES = ['compare.here' as const, ...presets.map(({ name }) => name)];
type Name = (typeof NAMES)[number];

interface Column {
  readonly name: Name;
  readonly answer: SendAnswer;
  readonly lines: readonly string[];
}

/** The same call under up to four contexts. Lines that differ from the first column are marked. */
export function Compare({ task }: { readonly task: Task }): VNode {
  const names = useSignal<readonly Name[]>(['city.vienna', 'city.tokyo', 'city.los-angeles']);
  const columns = useSignal<readonly Column[]>([]);
  const isWaiting = useSignal(false);
  const run = async (): Promise<void> => {
    const args = argumentsOf(task.form);
    if (args === undefined) return;
    isWaiting.value = true;
    // Everybody calls at the same moment: a second that passes between two calls is no difference.
    const now = context.value?.now ?? new Date().toISOString();
    columns.value = await Promise.all(
      names.value.map(async (name) => {
        const answer = await sendTask(task, args, { context: { ...contextOf(name), now } });
        return { name, answer, lines: linesOf(answer) };
      }),
    );
    isWaiting.value = false;
  };
  const flip = (name: Name, on: boolean): void => {
    names.value = on ? [...names.value, name].slice(-MAX_COLUMNS) : names.value.filter((each) => each !== name);
  };
  return (
    <section class="compare" aria-label={t('compare')}>
      <p class="quiet">{t('compare.hint')}</p>
      <div class="chips">
        {NAMES.map((name) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={names.value.includes(name)}
              onChange={({ currentTarget }) => flip(name, currentTarget.checked)}
            />{' '}
            {t(name)}
          </label>
        ))}
        <button type="button" class="primary" disabled={isWaiting.value || names.value.length === 0} onClick={() => void run()}>
          {t('compare.run')}
        </button>
      </div>
      {columns.value.length > 0 && <Table columns={columns.value} />}
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

/** A column has the words, zone and formats of its city. The place stays as the context bar has it. */
function contextOf(name: Name): Partial<PageContext> {
  const { language, timezone, locale } = presets.find((preset) => preset.name === name) ?? {};
  return { ...(language && { language }), ...(timezone && { timezone }), ...(locale && { locale }) };
}

/** The texts of an answer, line by line; JSON in a text is laid out, so that single members differ. */
function linesOf({ error, result }: SendAnswer): readonly string[] {
  const texts = error === undefined ? blocksOf(result).map(textOf) : [error.message];
  return texts.flatMap((text) => laidOut(text).split('\n')).slice(0, MAX_LINES);
}

function laidOut(text: string): string {
  const json = jsonIn(text);
  return json === undefined ? text : JSON.stringify(json, null, 1);
}
