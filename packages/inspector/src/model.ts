/** Everything the page shows, as signals. */
import { batch, computed, signal } from '@preact/signals';
import type { Level, PolicyField } from 'waybill/adapter';
import type {
  ContextAnswer,
  JarAnswer,
  JarChange,
  LedgerAnswer,
  LoggedExchange,
  LoggedIssue,
  PageContext,
  PageEvent,
  Question,
  SendAnswer,
  SendOptions,
  TargetInfo,
} from '../../cli/src/inspect/protocol.js';
import { api, connection, followEvents } from './api.js';
import type { JsonSchema } from './form.js';
import { clockModeOf, nowOf, type ClockMode } from './places.js';

export type Kind = 'tools' | 'prompts' | 'resources';
export type ContextField = 'language' | 'timezone' | 'locale' | 'place';

export interface Entry {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly uri?: string;
  /** Set for a resource whose address has parts that the user writes. */
  readonly uriTemplate?: string;
  readonly inputSchema?: JsonSchema;
  readonly arguments?: readonly {
    readonly name: string;
    readonly title?: string;
    readonly description?: string;
    readonly required?: boolean;
  }[];
  readonly annotations?: { readonly title?: string; readonly readOnlyHint?: boolean };
  readonly _meta?: Record<string, unknown>;
}

export const target = signal<TargetInfo | undefined>(undefined);
export const context = signal<PageContext | undefined>(undefined);
export const clockMode = signal<ClockMode>('now');
export const switches = signal<readonly string[]>([]);
/** Texts of the context bar that are typed and not in force: not sent yet, or refused. */
export const drafts = signal<Readonly<Partial<Record<ContextField, string>>>>({});
/** Why values of the context were refused, by the field that they were typed into; `other`: by no field. */
export const problems = signal<Readonly<Partial<Record<ContextField | 'other', string | undefined>>>>({});
/** Grows with each change of the context or of the policy: an answer of an earlier one is out of date. */
export const contextVersion = signal(0);
export const lists = signal<Readonly<Record<Kind, readonly Entry[]>>>({ tools: [], prompts: [], resources: [] });
export const listProblems = signal<Readonly<Partial<Record<Kind, string | undefined>>>>({});
export const listLanguage = signal<string | undefined>(undefined);
export const kind = signal<Kind>('tools');
export const chosenName = signal<string | undefined>(undefined);
export const exchanges = signal<readonly LoggedExchange[]>([]);
export const looseIssues = signal<readonly LoggedIssue[]>([]);
export const questions = signal<readonly Question[]>([]);
export const progress = signal<{ readonly message?: string; readonly progress: number; readonly total?: number } | undefined>(undefined);
export const ledger = signal<LedgerAnswer['entries']>([]);
/** The level of each field for the target. A field without one is sent as the context bar has it. */
export const rules = signal<Readonly<Partial<Record<PolicyField, Level>>>>({});
export const jar = signal<JarAnswer | undefined>(undefined);

/** The page shows the feed of a gateway: there is nothing to call, and no context of its own. */
export const isGateway = computed(() => target.value?.kind === 'gateway');
/** The exchange that the drawer shows; undefined: the newest. */
export const chosenExchange = signal<number | undefined>(undefined);
/** Exchanges up to this number are not shown any more; the saved log and the waterfall have them. */
const clearedTo = signal(0);
export const shownExchanges = computed(() => exchanges.value.filter(({ number }) => number > clearedTo.value));
export const clearExchanges = (): void => void (clearedTo.value = exchanges.value.at(-1)?.number ?? 0);
export const chooseExchange = (number: number | undefined): void => void (chosenExchange.value = number);

export const chosen = computed(() => lists.value[kind.value].find(({ name }) => name === chosenName.value) ?? lists.value[kind.value][0]);

/** The page keeps no more than its server does. */
const MAX_EXCHANGES = 500;

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

function without<T extends object>(all: T, name: keyof T): T {
  const { [name]: _, ...others } = all;
  return others as T;
}

export const send = (method: string, params: object = {}, options: SendOptions = {}, signal?: AbortSignal): Promise<SendAnswer> =>
  api<SendAnswer>('POST', 'api/send', { method, params, ...options }, signal);

export const answer = (question: number, action: string, content?: object): Promise<unknown> =>
  api('POST', 'api/send', { answer: { question, action, ...(content && { content }) } });

export async function reconnect(): Promise<void> {
  take(await api<ContextAnswer>('POST', 'api/send', { reconnect: true }));
  await refresh();
}

/** The lists, by the member of their answer. Tools come last, so that the drawer shows them. */
const LISTS = {
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
  prompts: 'prompts/list',
  tools: 'tools/list',
} as const;
type Listed = keyof typeof LISTS;
let newest = 0;

async function refresh(): Promise<void> {
  if (isGateway.value) return;
  const turn = ++newest;
  const members = Object.keys(LISTS) as Listed[];
  const answers = new Map(await Promise.all(members.map(async (member) => [member, await send(LISTS[member])] as const)));
  // A list under an older context came late.
  if (turn !== newest) return;
  const entries = (member: Listed): Entry[] =>
    (answers.get(member)?.result as Partial<Record<Listed, Entry[]>> | undefined)?.[member] ?? [];
  const problem = (kind: Kind): string | undefined => answers.get(kind)?.error?.message;
  batch(() => {
    lists.value = {
      tools: entries('tools'),
      prompts: entries('prompts'),
      resources: [...entries('resources'), ...entries('resourceTemplates')],
    };
    listProblems.value = { tools: problem('tools'), prompts: problem('prompts'), resources: problem('resources') };
    listLanguage.value = answers.get('tools')?.language;
  });
  await refreshJar();
}

export async function refreshJar(): Promise<void> {
  jar.value = await api<JarAnswer>('GET', 'api/jar');
}

export async function refreshLedger(): Promise<void> {
  const [{ entries }, inForce] = await Promise.all([api<LedgerAnswer>('GET', 'api/ledger'), api<typeof rules.value>('GET', 'api/policy')]);
  batch(() => {
    ledger.value = entries;
    rules.value = inForce;
  });
}

export async function clearLedger(): Promise<void> {
  ledger.value = (await api<LedgerAnswer>('PUT', 'api/ledger', { clear: true })).entries;
}

/** Without a level the field is sent as the context bar has it. Lists are asked again under the new rules. */
export async function changeRule(field: PolicyField, level: Level | undefined): Promise<void> {
  const others = without(rules.value, field);
  rules.value = await api('PUT', 'api/policy', level === undefined ? others : { ...others, [field]: level });
  await refresh();
  contextVersion.value++;
  await refreshLedger();
}

export async function changeJar(change: JarChange): Promise<string | undefined> {
  try {
    jar.value = await api<JarAnswer>('PUT', 'api/jar', change);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function hear(event: PageEvent): void {
  switch (event.type) {
    case 'target':
      target.value = event.target;
      return;
    case 'exchange':
      exchanges.value = placed(exchanges.value, event.exchange);
      return;
    case 'question':
      questions.value = [...questions.value.filter(({ question }) => question !== event.question.question), event.question];
      return;
    case 'answered':
      questions.value = questions.value.filter(({ question }) => question !== event.question);
      return;
    case 'progress':
      // The SDK reports its own questions this way; they are shown as questions.
      if (event.message?.startsWith('Fulfilling input required') !== true) progress.value = event;
      return;
    case 'issue':
      looseIssues.value = [...looseIssues.value, event.issue].slice(-100);
  }
}

/** Exchanges arrive in order, and again when they change; a changed one is near the end. */
function placed(all: readonly LoggedExchange[], exchange: LoggedExchange): readonly LoggedExchange[] {
  const at = all.findLastIndex(({ number }) => number <= exchange.number);
  if (all[at]?.number === exchange.number) return all.with(at, exchange);
  return [...all.slice(0, at + 1), exchange, ...all.slice(at + 1)].slice(-MAX_EXCHANGES);
}
