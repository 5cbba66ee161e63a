/** The context of the calls: it is changed here, checked by the server of the page, and every list is asked again under it. */
import { batch, computed, signal } from '@preact/signals';
import type { Level, PolicyField } from 'waybill/adapter';
import type { ContextAnswer, PageContext } from '../../cli/src/inspect/protocol.js';
import { api, connection, followEvents } from './api.js';
import { refresh } from './lists.js';
import { hear, questions, refreshLedger, rules, target } from './model.js';
import { clockModeOf, nowOf, type ClockMode } from './places.js';

export type ContextField = 'language' | 'timezone' | 'locale' | 'place';

export const context = signal<PageContext | undefined>(undefined);
export const clockMode = signal<ClockMode>('now');
export const switches = signal<readonly string[]>([]);
/** Texts of the context bar that are typed and not in force: not sent yet, or refused. */
export const drafts = signal<Readonly<Partial<Record<ContextField, string>>>>({});
/** Why values of the context were refused, by the field that they were typed into; `other`: by no field. */
export const problems = signal<Readonly<Partial<Record<ContextField | 'other', string | undefined>>>>({});
/** Grows with each change of the context or of the policy: an answer of an earlier one is out of date. */
export const contextVersion = signal(0);

export async function start(): Promise<void> {
  void followEvents(hear, () => (questions.value = []));
  take(await api<ContextAnswer>('GET', 'api/context'));
  await refresh();
}

function take({ target: info, context: current, switches: known }: ContextAnswer): void {
  batch(() => {
    target.value = info;
    context.value = current;
    clockMode.value = clockModeOf(current);
    switches.value = known;
  });
}

type Values = Partial<Record<keyof PageContext, unknown>>;
type ContextChange = Values | ((current: PageContext) => Values);

const valuesOf = (change: ContextChange, current: PageContext): Values => (typeof change === 'function' ? change(current) : change);

/** Changes that the server has not answered yet. */
const underWay = signal<readonly ContextChange[]>([]);
/** The context with every change that is under way, so that a switch does not jump back while it waits for the server. */
export const wished = computed(() =>
  underWay.value.reduce<PageContext | undefined>(
    (all, change) => all && ({ ...all, ...valuesOf(change, all) } as PageContext),
    context.value,
  ),
);

interface Change {
  /** The field that the change was typed into. */
  readonly field?: ContextField;
  readonly clock?: ClockMode;
}

let changes: Promise<unknown> = Promise.resolve();

/** Sends the context and shows every list under it. Changes wait for each other: each builds on the one before. */
export async function changeContext(change: ContextChange, about: Change = {}): Promise<void> {
  underWay.value = [...underWay.value, change];
  const applied = changes.then(() => applyChange(change, about));
  changes = applied;
  if (!(await applied)) return;
  await refresh().catch(() => undefined); // The page shows why: `connection` tells.
  contextVersion.value++;
}

/** False if the change is refused: the old context stays in force, and what was typed stays in its field. */
async function applyChange(change: ContextChange, { field, clock = clockMode.value }: Change): Promise<boolean> {
  const current = context.value as PageContext;
  const values = valuesOf(change, current);
  const next = { ...current, ...values } as PageContext;
  const settled = (): void => void (underWay.value = underWay.value.filter((each) => each !== change));
  try {
    const answer = await api<ContextAnswer>('PUT', 'api/context', { ...next, now: nowOf(clock, next.timezone) });
    batch(() => {
      take(answer);
      settled();
    });
  } catch (error) {
    settled();
    if (connection.value === 'open') problems.value = { ...problems.value, [field ?? 'other']: (error as Error).message };
    return false;
  }
  batch(() => {
    problems.value = without(problems.value, field ?? 'other');
    // Text that the user has typed meanwhile stays.
    if (field !== undefined && drafts.value[field]?.trim() === ((values as Partial<Record<ContextField, string>>)[field] ?? ''))
      drafts.value = without(drafts.value, field);
  });
  return true;
}

/** Gives a field back the value that is in force. */
export function dropDraft(field: ContextField): void {
  batch(() => {
    problems.value = without(problems.value, field);
    drafts.value = without(drafts.value, field);
  });
}

export async function reconnect(): Promise<void> {
  take(await api<ContextAnswer>('POST', 'api/send', { reconnect: true }));
  await refresh();
}

/** Without a level the field is sent as the context bar has it. Lists are asked again under the new rules. */
export async function changeRule(field: PolicyField, level: Level | undefined): Promise<void> {
  const others = without(rules.value, field);
  try {
    rules.value = await api('PUT', 'api/policy', level === undefined ? others : { ...others, [field]: level });
    await refresh();
    contextVersion.value++;
    await refreshLedger();
  } catch (error) {
    // The same rules as a new object: every switch goes back to the rule in force.
    rules.value = { ...rules.value };
    if (connection.value === 'open') problems.value = { ...problems.value, other: (error as Error).message };
  }
}

function without<T extends object>(all: T, name: keyof T): T {
  const { [name]: _, ...others } = all;
  return others as T;
}
