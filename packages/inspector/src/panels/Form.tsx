/** A form for the common parts of JSON Schema, and raw JSON for the rest. */
import { signal, type Signal } from '@preact/signals';
import type { VNode } from 'preact';
import type { JsonSchema } from '../model.js';
import { t } from '../texts.js';
import { Tabs } from '../Tabs.js';

export interface FormState {
  readonly schema: JsonSchema;
  readonly mode: Signal<'form' | 'json'>;
  /** The typed values by name. They are never thrown away. */
  readonly typed: Signal<Readonly<Record<string, string | boolean>>>;
  readonly raw: Signal<string>;
  readonly problem: Signal<string | undefined>;
  /** The arguments, or nothing and a problem that is shown. */
  read(): Record<string, unknown> | undefined;
}

const forms = new Map<string, FormState>();

/** The same form for the same entry, so that nothing typed is lost by looking at another. A changed schema (another language) keeps the values. */
export function useForm(id: string, schema: JsonSchema): FormState {
  const before = forms.get(id);
  const mode = before?.mode ?? signal(Object.keys(schema.properties ?? {}).length > 0 || schema.type === 'object' ? 'form' : 'json');
  const typed = before?.typed ?? signal(defaultsOf(schema));
  const raw = before?.raw ?? signal('{}');
  const problem = before?.problem ?? signal<string | undefined>(undefined);
  const form: FormState = { schema, mode, typed, raw, problem, read };
  forms.set(id, form);
  return form;

  function read(): Record<string, unknown> | undefined {
    problem.value = undefined;
    try {
      if (mode.value === 'json') return JSON.parse(raw.value) as Record<string, unknown>;
      const names = Object.keys(schema.properties ?? {});
      const values = names.map((name) => [name, valueOf(schema.properties?.[name] ?? {}, typed.value[name])] as const);
      return Object.fromEntries(values.filter(([, value]) => value !== undefined));
    } catch (error) {
      problem.value = `${t('badJson')}: ${(error as Error).message}`;
      return undefined;
    }
  }
}

function defaultsOf({ properties = {} }: JsonSchema): Record<string, string | boolean> {
  const known = Object.entries(properties).filter(([, schema]) => schema.default !== undefined);
  return Object.fromEntries(
    known.map(([name, { default: value }]) => [
      name,
      typeof value === 'string' || typeof value === 'boolean' ? value : JSON.stringify(value),
    ]),
  );
}

const typeOf = ({ type }: JsonSchema): string | undefined => (typeof type === 'string' ? type : type?.find((each) => each !== 'null'));

/** An empty field is not sent. A number that is none is sent as typed: the server says what is wrong with it. */
function valueOf(schema: JsonSchema, typed: string | boolean | undefined): unknown {
  if (typed === undefined || typed === '') return undefined;
  const type = typeOf(schema);
  if (typeof typed === 'boolean' || type === 'string') return typed;
  if (type === 'number' || type === 'integer') return Number.isNaN(Number(typed)) ? typed : Number(typed);
  const option = optionsOf(schema)?.find(({ value }) => String(value) === typed);
  return option === undefined ? JSON.parse(typed) : option.value;
}

function optionsOf({ enum: values, oneOf }: JsonSchema): { value: unknown; title: string }[] | undefined {
  if (values !== undefined) return values.map((value) => ({ value, title: String(value) }));
  if (oneOf?.every((each) => 'const' in each) !== true) return undefined;
  return oneOf.map(({ const: value, title }) => ({ value, title: title ?? String(value) }));
}

export function Form({ form }: { readonly form: FormState }): VNode {
  const { schema, mode, raw, problem } = form;
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
      {mode.value === 'json' ? (
        <textarea
          aria-label={t('arguments')}
          rows={6}
          spellcheck={false}
          value={raw.value}
          onInput={({ currentTarget }) => (raw.value = currentTarget.value)}
        />
      ) : (
        names.map((name) => <FieldOf key={name} form={form} name={name} />)
      )}
      {problem.value !== undefined && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
    </div>
  );
}

/** The JSON starts from what the form holds. */
function turn(form: FormState, to: 'form' | 'json'): void {
  if (to === 'json' && form.mode.value === 'form') form.raw.value = JSON.stringify(form.read() ?? {}, null, 2);
  form.mode.value = to;
}

function FieldOf({ form, name }: { readonly form: FormState; readonly name: string }): VNode {
  const { schema, typed } = form;
  const field = schema.properties?.[name] ?? {};
  const isRequired = schema.required?.includes(name) ?? false;
  const set = (value: string | boolean): void => void (typed.value = { ...typed.value, [name]: value });
  const value = typed.value[name];
  const text = typeof value === 'string' ? value : '';
  const options = optionsOf(field);
  const type = typeOf(field);
  const isJson = options === undefined && (type === 'object' || type === 'array' || type === undefined);
  return (
    <label class="argument">
      <span dir="auto">
        {field.title ?? name} {isRequired && <span aria-hidden="true">*</span>} {field.title !== undefined && <code>{name}</code>}
      </span>
      {options !== undefined ? (
        <select value={text} required={isRequired} onChange={({ currentTarget }) => set(currentTarget.value)}>
          <option value="" />
          {options.map(({ value: each, title }) => (
            <option key={String(each)} value={String(each)}>
              {title}
            </option>
          ))}
        </select>
      ) : type === 'boolean' ? (
        <input type="checkbox" checked={value === true} onChange={({ currentTarget }) => set(currentTarget.checked)} />
      ) : isJson ? (
        <textarea rows={3} spellcheck={false} placeholder="JSON" value={text} onInput={({ currentTarget }) => set(currentTarget.value)} />
      ) : (
        <input
          type="text"
          list={undefined}
          inputMode={type === 'number' || type === 'integer' ? 'decimal' : 'text'}
          required={isRequired}
          value={text}
          dir="auto"
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      )}
      {field.description !== undefined && (
        <small class="quiet" dir="auto">
          {field.description}
        </small>
      )}
    </label>
  );
}
