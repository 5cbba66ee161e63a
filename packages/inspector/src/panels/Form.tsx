/** The arguments of a call: fields for the common parts of JSON Schema, and raw JSON for everything. */
import type { VNode } from 'preact';
import { keyOf, kindOf, optionsOf, type JsonSchema } from '../form.js';
import { turn, type FormState } from '../formState.js';
import { t } from '../texts.js';
import { Tabs } from '../Tabs.js';

/** The first field with a problem takes the focus, once the problem is drawn. */
export const focusProblem = (inside: HTMLElement): void =>
  void requestAnimationFrame(() => inside.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());

export function Form({ form }: { readonly form: FormState }): VNode {
  const { schema, mode, raw, jsonProblem } = form;
  const names = Object.keys(schema.properties ?? {});
  if (names.length === 0 && mode.value === 'form') return <p class="quiet">{t('noArguments')}</p>;
  return (
    <div class="form">
      <Tabs
        label={t('arguments')}
        tabs={[
          { id: 'form', title: t('form') },
          { id: 'json', title: t('json') },
        ]}
        selected={mode.value}
        onSelect={(id) => turn(form, id as 'form' | 'json')}
      />
      {mode.value === 'form' ? (
        <Group form={form} schema={schema} path={[]} />
      ) : (
        <textarea
          aria-label={t('arguments')}
          aria-invalid={jsonProblem.value !== undefined}
          rows={8}
          spellcheck={false}
          value={raw.value}
          onInput={({ currentTarget }) => (raw.value = currentTarget.value)}
        />
      )}
      {mode.value === 'json' && jsonProblem.value !== undefined && (
        <p class="problem" role="alert">
          {jsonProblem.value}
        </p>
      )}
    </div>
  );
}

interface GroupProps {
  readonly form: FormState;
  readonly schema: JsonSchema;
  readonly path: readonly string[];
}

function Group({ form, schema, path }: GroupProps): VNode {
  return (
    <>
      {Object.entries(schema.properties ?? {}).map(([name, field]) => {
        const isRequired = schema.required?.includes(name) ?? false;
        const inner = { form, schema: field, path: [...path, name], isRequired };
        return kindOf(field, path.length) === 'group' ? (
          <fieldset key={name} class="group">
            <legend>
              <Title {...inner} />
            </legend>
            <Group {...inner} />
          </fieldset>
        ) : (
          <Argument key={name} {...inner} />
        );
      })}
    </>
  );
}

interface ArgumentProps extends GroupProps {
  readonly isRequired: boolean;
}

function Title({ schema: { title }, path, isRequired }: ArgumentProps): VNode {
  const name = path.at(-1) ?? '';
  return (
    <span dir="auto">
      {title ?? name} {isRequired && <span aria-hidden="true">*</span>} {title !== undefined && title !== name && <code>{name}</code>}
    </span>
  );
}

function Argument(props: ArgumentProps): VNode {
  const { form, schema, path, isRequired } = props;
  const key = keyOf(path);
  const problem = form.problems.value[key];
  const hint = [schema.description, rangeOf(schema)].filter(Boolean).join(' · ');
  return (
    <div class="argument">
      <label for={key}>
        <Title {...props} />
      </label>
      <Control
        {...props}
        attributes={{ id: key, 'aria-required': isRequired, 'aria-invalid': problem !== undefined, 'aria-describedby': `${key}-hint` }}
      />
      <small id={`${key}-hint`} dir="auto">
        {problem !== undefined && <span class="problem">{t(`problem.${problem}`)} </span>}
        <span class="quiet">{hint}</span>
      </small>
    </div>
  );
}

const rangeOf = ({ minimum, maximum, format }: JsonSchema): string =>
  [format, minimum !== undefined && `≥ ${minimum}`, maximum !== undefined && `≤ ${maximum}`].filter(Boolean).join(' ');

interface ControlProps extends ArgumentProps {
  readonly attributes: Readonly<Record<string, string | boolean>>;
}

function Control({ form: { typed }, schema, path, attributes }: ControlProps): VNode {
  const key = keyOf(path);
  const value = typed.value[key];
  const text = typeof value === 'string' ? value : '';
  const kind = kindOf(schema, path.length - 1);
  const set = (now: string | boolean | readonly string[]): void => void (typed.value = { ...typed.value, [key]: now });
  switch (kind) {
    case 'flag':
      return (
        <input type="checkbox" {...attributes} checked={value === true} onChange={({ currentTarget }) => set(currentTarget.checked)} />
      );
    case 'choice':
      return (
        <select {...attributes} value={text} onChange={({ currentTarget }) => set(currentTarget.value)}>
          <option value="">–</option>
          {optionsOf(schema)?.map((option) => (
            <option key={String(option.value)} value={String(option.value)}>
              {option.title}
            </option>
          ))}
        </select>
      );
    case 'choices': {
      const chosen = Array.isArray(value) ? (value as readonly string[]) : [];
      return (
        <div class="chips" role="group" {...attributes}>
          {optionsOf(schema.items ?? {})?.map(({ value: each, title }) => (
            <label key={String(each)}>
              <input
                type="checkbox"
                checked={chosen.includes(String(each))}
                onChange={({ currentTarget }) =>
                  set(currentTarget.checked ? [...chosen, String(each)] : chosen.filter((one) => one !== String(each)))
                }
              />{' '}
              <span dir="auto">{title}</span>
            </label>
          ))}
        </div>
      );
    }
    case 'lines':
    case 'json':
      return (
        <textarea
          {...attributes}
          rows={3}
          spellcheck={false}
          dir={kind === 'lines' ? 'auto' : 'ltr'}
          placeholder={kind === 'lines' ? t('form.lines') : 'JSON'}
          value={text}
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      );
    default:
      return (
        <input
          type="text"
          {...attributes}
          inputMode={kind === 'text' ? 'text' : 'decimal'}
          autocomplete="off"
          value={text}
          dir="auto"
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      );
  }
}
