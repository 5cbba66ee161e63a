import { batch } from '@preact/signals';
import type { VNode } from 'preact';
import { changeContext, clockMode, context, drafts, problems, switches, wished } from '../context.js';
import { clockModes, isPreset, offsetOf, placeFrom, placeText, presets, type ClockMode, type Preset } from '../places.js';
import { t } from '../texts.js';
import { Field, TextField } from './Field.js';
import { ZoneField } from './ZoneField.js';

const PRECISIONS = ['country', 'region', 'city', 'coordinates'] as const;

export function ContextBar(): VNode | null {
  const current = context.value;
  if (current === undefined) return null;
  return (
    <section class="context" aria-label={t('context')}>
      <div class="context-row">
        <div class="presets" role="group" aria-label={t('presets')}>
          {presets.map((preset) => (
            <button type="button" key={preset.name} aria-pressed={isPreset(preset, current)} onClick={() => void use(preset)}>
              {t(preset.name)}
            </button>
          ))}
        </div>
        <Switches />
      </div>
      {/* Closed only on a narrow screen, where the fields would fill it. */}
      <details open={!matchMedia('(max-width: 900px)').matches}>
        <summary>{[current.language, current.timezone, current.locale, current.now].filter(Boolean).join(' · ')}</summary>
        <div class="fields">
          <TextField name="language" concern="language" hint={t('language.hint')} wide />
          <ZoneField note={offsetOf(current.timezone)} />
          <TextField name="locale" concern="environment" hint={t('locale.hint')} />
          <Clock />
          <PlaceField />
        </div>
      </details>
      {problems.value.other !== undefined && (
        <p class="problem" role="alert">
          {problems.value.other}
        </p>
      )}
    </section>
  );
}

/** A preset keeps the precision at which the place is sent, also when that is "not at all". */
function use({ language, timezone, locale, place }: Preset): Promise<void> {
  const precision = context.value?.place?.precision;
  batch(() => {
    drafts.value = { place: placeText(place) };
    problems.value = {};
  });
  return changeContext({ language, timezone, locale, place: precision && { ...place, precision } });
}

function Clock(): VNode {
  const { now } = context.value ?? {};
  return (
    <Field id="clock" label={t('clock')} concern="environment" {...(now !== undefined && { note: now.slice(0, 16).replace('T', ' ') })}>
      <select
        id="clock"
        value={clockMode.value}
        onChange={({ currentTarget }) => void changeContext({}, { clock: currentTarget.value as ClockMode })}
      >
        {clockModes.map((mode) => (
          <option key={mode} value={mode}>
            {t(`clock.${mode}`)}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** The text stays while the place is not sent; the precision decides whether it is. */
function PlaceField(): VNode {
  const { place } = wished.value ?? {};
  const typed = drafts.value.place ?? (place === undefined ? 'AT/Vienna' : placeText(place));
  const set = (text: string, precision: string): void => {
    drafts.value = { ...drafts.value, place: text };
    const found = placeFrom(text);
    if (found === undefined && (text !== '' || precision !== '')) problems.value = { ...problems.value, place: text };
    else {
      problems.value = { ...problems.value, place: undefined };
      void changeContext({ place: precision === '' ? undefined : { ...found, precision } });
    }
  };
  return (
    <>
      <TextField
        name="place"
        concern="environment"
        hint={t('place.hint')}
        value={typed}
        placeholder="AT/Vienna"
        onCommit={(text) => set(text, place?.precision ?? '')}
      />
      <Field id="precision" label={t('precision')} concern="environment">
        <select id="precision" value={place?.precision ?? ''} onChange={({ currentTarget }) => set(typed, currentTarget.value)}>
          <option value="">{t('place.none')}</option>
          {PRECISIONS.map((precision) => (
            <option key={precision} value={precision}>
              {t(`place.${precision}`)}
            </option>
          ))}
        </select>
      </Field>
    </>
  );
}

function Switches(): VNode {
  const { capabilities = [], trace } = wished.value ?? {};
  const flip = (path: string, on: boolean): Promise<void> =>
    changeContext(({ capabilities: all }) => ({ capabilities: on ? [...all, path] : all.filter((each) => each !== path) }));
  return (
    <fieldset class="switches">
      <legend>{t('capabilities')}</legend>
      {switches.value.map((path) => (
        <label key={path} class="capabilities">
          <input
            type="checkbox"
            checked={capabilities.includes(path)}
            onChange={({ currentTarget }) => void flip(path, currentTarget.checked)}
          />{' '}
          {path}
        </label>
      ))}
      <label class="trace" title={t('trace.start')}>
        <input
          type="checkbox"
          checked={trace === 'start'}
          onChange={({ currentTarget }) => void changeContext({ trace: currentTarget.checked ? 'start' : 'off' })}
        />{' '}
        {t('trace')}
      </label>
    </fieldset>
  );
}
