/** What is typed into each form, as fields or as JSON. It outlives a look at another entry. */
import { batch, signal, type Signal } from '@preact/signals';
import { defaultOf, readForm, typedOf, type JsonSchema, type Problem, type Typed } from './form.js';
import { t } from './texts.js';

export interface FormState {
  readonly schema: JsonSchema;
  readonly mode: Signal<'form' | 'json'>;
  /** The text that was typed. It is never thrown away. */
  readonly typed: Signal<Typed>;
  readonly raw: Signal<string>;
  readonly problems: Signal<Readonly<Record<string, Problem>>>;
  /** Why the JSON cannot be sent, or not be shown as a form. */
  readonly jsonProblem: Signal<string | undefined>;
}

const forms = new Map<string, FormState>();

/** The same form for the same entry, so that nothing typed is lost by looking at another. A changed schema (another language) keeps the values. */
export function formOf(id: string, schema: JsonSchema): FormState {
  const hasFields = Object.keys(schema.properties ?? {}).length > 0;
  const before = forms.get(id) ?? {
    mode: signal(hasFields || schema.type === 'object' ? ('form' as const) : ('json' as const)),
    typed: signal(typedOf(schema, defaultOf(schema))),
    raw: signal('{}'),
    problems: signal({}),
    jsonProblem: signal(undefined),
  };
  const form = { ...before, schema };
  forms.set(id, form);
  return form;
}

/** The arguments; or nothing, and the problems are shown. */
export function argumentsOf(form: FormState): Record<string, unknown> | undefined {
  if (form.mode.value === 'json') return parsed(form);
  const { value, problems } = readForm(form.schema, form.typed.value);
  form.problems.value = problems;
  return Object.keys(problems).length === 0 ? (value as Record<string, unknown>) : undefined;
}

function parsed({ raw, jsonProblem }: FormState): Record<string, unknown> | undefined {
  jsonProblem.value = undefined;
  try {
    return JSON.parse(raw.value) as Record<string, unknown>;
  } catch (error) {
    jsonProblem.value = `${t('badJson')}: ${(error as Error).message}`;
    return undefined;
  }
}

/** Each side starts from what the other holds. JSON that the fields cannot hold stays JSON: nothing of it is dropped. */
export function turn(form: FormState, to: 'form' | 'json'): void {
  if (to === form.mode.value) return;
  if (to === 'json') {
    batch(() => {
      form.raw.value = JSON.stringify(readForm(form.schema, form.typed.value).value, null, 2);
      form.jsonProblem.value = undefined;
      form.mode.value = to;
    });
    return;
  }
  const value = parsed(form);
  if (value === undefined) return;
  const typed = typedOf(form.schema, value);
  if (isSame(readForm(form.schema, typed).value, value))
    batch(() => {
      form.typed.value = typed;
      form.problems.value = {};
      form.mode.value = to;
    });
  else form.jsonProblem.value = t('form.cannot');
}

const isSame = (one: unknown, other: unknown): boolean => sorted(one) === sorted(other);
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
