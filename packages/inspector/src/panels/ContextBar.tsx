import { signal } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';
import { changeContext, clockMode, context, contextProblem, switches } from '../model.js';
import { clockModes, offsetOf, placeFrom, placeText, presets, zones, type ClockMode, type Preset } from '../places.js';
import { t } from '../texts.js';

const PRECISIONS = ['country', 'region', 'city', 'coordinates'] as const;

export function ContextBar(): VNode | null {
  const current = context.value;
  if (current === undefined) return null;
  return (
    <section class="context" aria-label={t('context')}>
      <div class="context-row">
        <div class="presets" role="group" aria-label={t('presets')}>
          {presets.map((preset) => (
            <button type="button" key={preset.name} aria-pressed={preset.timezone === current.timezone} onClick={() => void use(preset)}>
              {preset.name}
            </button>
          ))}
        </div>
        <Switches />
      </div>
      {/* Closed only on a narrow screen, where the fields would fill it. */}
      <details open={!matchMedia('(max-width: 900px)').matches}>
        <summary>{[current.language, current.timezone, current.locale, current.now].filter(Boolean).join(' · ')}</summary>
        <div class="fields">
          <Text name="language" concern="language" hint={t('language.hint')} wide />
          <Text name="timezone" concern="environment" list="zones" note={offsetOf(current.timezone)} />
          <Text name="locale" concern="environment" />
          <Clock />
          <PlaceField />
        </div>
      </details>
      <datalist id="zones">
        {zones.map((zone) => (
          <option key={zone} value={zone}>
            {offsetOf(zone)}
          </option>
        ))}
      </datalist>
      {contextProblem.value !== undefined && (
        <p class="problem" role="alert">
          {contextProblem.value}
        </p>
      )}
    </section>
  );
}

const placeTyped = signal('AT/Vienna');
const isPlaceWrong = signal(false);

/** A preset keeps the precision at which the place is sent, also when that is "not at all". */
function use({ language, timezone, locale, place }: Preset): Promise<void> {
  const precision = context.value?.place?.precision;
  placeTyped.value = placeText(place);
  return changeContext({ language, timezone, locale, place: precision && { ...place, precision } });
}

interface FieldProps {
  readonly label: string;
  readonly concern: string;
  readonly note?: string;
  readonly wide?: boolean;
  readonly children: ComponentChildren;
}

function Field({ label, concern, note, wide, children }: FieldProps): VNode {
  return (
    <label class={`field ${concern} ${wide === true ? 'wide' : ''}`}>
      <span>
        {label} {note !== undefined && <span class="quiet">{note}</span>}
      </span>
      {children}
    </label>
  );
}

interface TextProps extends Omit<FieldProps, 'label' | 'children'> {
  readonly name: 'language' | 'timezone' | 'locale';
  readonly list?: string;
  readonly hint?: string;
}

function Text({ name, list, hint, ...rest }: TextProps): VNode {
  return (
    <Field label={t(name)} {...rest}>
      <input
        type="text"
        name={name}
        value={context.value?.[name] ?? ''}
        placeholder={t('notSent')}
        spellcheck={false}
        autocomplete="off"
        list={list}
        {...(hint !== undefined && { title: hint })}
        onChange={({ currentTarget: { value } }) => void changeContext({ [name]: value.trim() === '' ? undefined : value.trim() })}
      />
    </Field>
  );
}

function Clock(): VNode {
  const turn = (mode: ClockMode): void => {
    clockMode.value = mode;
    void changeContext({});
  };
  return (
    <Field label={t('clock')} concern="environment" {...(context.value?.now !== undefined && { note: context.value.now.slice(0, 16) })}>
      <select value={clockMode.value} onChange={({ currentTarget }) => turn(currentTarget.value as ClockMode)}>
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
  const { place } = context.value ?? {};
  const set = (text: string, precision: string): void => {
    placeTyped.value = text;
    const found = placeFrom(text);
    isPlaceWrong.value = found === undefined && text !== '';
    void changeContext({ place: found === undefined || precision === '' ? undefined : { ...found, precision } });
  };
  return (
    <>
      <Field label={t('place')} concern="environment">
        <input
          type="text"
          name="place"
          list={undefined}
          placeholder="AT/Vienna"
          title={t('place.hint')}
          value={placeTyped.value}
          aria-invalid={isPlaceWrong.value}
          onChange={({ currentTarget }) => set(currentTarget.value, place?.precision ?? '')}
        />
      </Field>
      <Field label={t('precision')} concern="environment">
        <select value={place?.precision ?? ''} onChange={({ currentTarget }) => set(placeTyped.value, currentTarget.value)}>
          <option value="">{t('place.none')}</option>
          {PRECISIONS.map((precision) => (
            <option key={precision} value={precision}>
              {t(`place.${precision}`)}
            </option>
          ))}
        </select>
      </Field>
      {isPlaceWrong.value && <p class="problem">{t('place.hint')}</p>}
    </>
  );
}

function Switches(): VNode {
  const { capabilities = [], trace } = context.value ?? {};
  const flip = (path: string, on: boolean): Promise<void> =>
    changeContext({ capabilities: on ? [...capabilities, path] : capabilities.filter((each) => each !== path) });
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
