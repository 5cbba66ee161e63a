import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { PageContext, SendAnswer } from '../../../cli/src/inspect/protocol.js';
import { context } from '../model.js';
import { presets, type Preset } from '../places.js';
import { t } from '../texts.js';
import { blocksOf } from './Answer.js';

interface CompareProps {
  readonly call: (over: Partial<PageContext>) => Promise<SendAnswer>;
}

const MAX_COLUMNS = 4;

/** The same call under up to four contexts. Lines that differ from the first column are marked. */
export function Compare({ call }: CompareProps): VNode {
  const names = useSignal<readonly string[]>(['Vienna', 'Tokyo', 'Los Angeles']);
  const answers = useSignal<readonly SendAnswer[]>([]);
  const run = async (): Promise<void> => {
    const contexts = names.value.map((name) => presets.find((preset) => preset.name === name));
    // Everybody calls at the same moment: a second that passes between two calls is no difference.
    const now = context.value?.now ?? new Date().toISOString();
    answers.value = await Promise.all(contexts.map((preset) => call({ ...contextOf(preset), now })));
  };
  const flip = (name: string, on: boolean): void => {
    names.value = on ? [...names.value, name].slice(-MAX_COLUMNS) : names.value.filter((each) => each !== name);
    answers.value = [];
  };
  const columns = answers.value.map(linesOf);
  return (
    <section class="compare" aria-label={t('compare')}>
      <p class="quiet">{t('compare.hint')}</p>
      <div class="chips">
        {presets.map(({ name }) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={names.value.includes(name)}
              onChange={({ currentTarget }) => flip(name, currentTarget.checked)}
            />{' '}
            {name}
          </label>
        ))}
        <button type="button" onClick={() => void run()}>
          {t('compare.run')}
        </button>
      </div>
      {columns.length > 0 && (
        <div class="columns">
          {columns.map((lines, index) => (
            <section key={names.value[index]}>
              <h4>
                {names.value[index]} <Language answer={answers.value[index]} />
              </h4>
              <div class="lines" lang={answers.value[index]?.language}>
                {lines.map((line, at) => (
                  <div key={at} dir="auto" class={index > 0 && line !== columns[0]?.[at] ? 'differs' : ''}>
                    {line}
                  </div>
                ))}
              </div>
            </section>
          ))}
        </div>
      )}
    </section>
  );
}

function Language({ answer }: { readonly answer: SendAnswer | undefined }): VNode {
  const language = answer?.language;
  return <span class={`badge ${language === undefined ? 'none' : 'concern language'}`}>{language ?? t('noLanguage')}</span>;
}

/** A column has the words, zone and formats of its city. The place stays as the context bar has it. */
function contextOf(preset: Preset | undefined): Partial<PageContext> {
  const { language, timezone, locale } = preset ?? {};
  return { ...(language && { language }), ...(timezone && { timezone }), ...(locale && { locale }) };
}

/** The texts of an answer, line by line; JSON in a text is laid out, so that single members differ. */
function linesOf({ error, result }: SendAnswer): readonly string[] {
  if (error !== undefined) return [error.message];
  return blocksOf(result)
    .map(({ text = '' }) => laidOut(text))
    .join('\n')
    .split('\n')
    .slice(0, 400);
}

function laidOut(text: string): string {
  if (!/^\s*[{[]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 1);
  } catch {
    return text;
  }
}
