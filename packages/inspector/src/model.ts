/** Everything the page shows, as signals. */
import { batch, computed, signal } from '@preact/signals';
import type {
  ContextAnswer,
  JarAnswer,
  JarChange,
  LedgerAnswer,
  Level,
  LoggedExchange,
  LoggedIssue,
  PageContext,
  PageEvent,
  PolicyAnswer,
  Question,
  SendAnswer,
  TargetInfo,
} from '../../cli/src/inspect/protocol.js';
import { api, followEvents } from './api.js';
import { nowOf, type ClockMode } from './places.js';

export type Kind = 'tools' | 'prompts' | 'resources';

export interface Entry {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly uri?: string;
  readonly inputSchema?: JsonSchema;
  readonly arguments?: readonly { readonly name: string; readonly description?: string; readonly required?: boolean }[];
  readonly annotations?: { readonly title?: string };
  readonly _meta?: Record<string, unknown>;
}

export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly { readonly const?: unknown; readonly title?: string }[];
  readonly default?: unknown;
}

export const target = signal<TargetInfo | undefined>(undefined);
export const context = signal<PageContext | undefined>(undefined);
export const clockMode = signal<ClockMode>('now');
export const switches = signal<readonly string[]>([]);
/** Why the last change of the context was refused. */
export const contextProblem = signal<string | undefined>(undefined);
export const lists = signal<Readonly<Record<Kind, readonly Entry[]>>>({ tools: [], prompts: [], resources: [] });
export const listLanguage = signal<string | undefined>(undefined);
export const kind = signal<Kind>('tools');
export const chosenName = signal<string | undefined>(undefined);
export const exchanges = signal<readonly LoggedExchange[]>([]);
export const looseIssues = signal<readonly LoggedIssue[]>([]);
export const questions = signal<readonly Question[]>([]);
export const progress = signal<{ readonly message?: string; readonly progress: number; readonly total?: number } | undefined>(undefined);
export const ledger = signal<LedgerAnswer['entries']>([]);
export const policy = signal<PolicyAnswer>({ fields: [], rules: {} });
export const jar = signal<JarAnswer | undefined>(undefined);

/** The page shows the feed of a gateway: there is nothing to call, and no context of its own. */
export const isGateway = computed(() => target.value?.kind === 'gateway');
/** The exchange that the drawer shows; undefined: the newest. */
export const chosenExchange = signal<number | undefined>(undefined);
export const chooseExchange = (number: number | undefined): void => void (chosenExchange.value = number);

export const chosen = computed(() => lists.value[kind.value].find(({ name }) => name === chosenName.value) ?? lists.value[kind.value][0]);

/** The page keeps no more than its server does. */
const MAX_EXCHANGES = 500;

export async function start(): Promise<void> {
  void followEvents(hear);
  take(await api<ContextAnswer>('GET', 'api/context'));
  await refresh();
}

function take({ target: info, context: current, switches: known }: ContextAnswer): void {
  batch(() => {
    target.value = info;
    context.value = current;
    switches.value = known;
  });
}

/** Sends the context and shows every list under it. A refused value leaves the old context in force. */
export async function changeContext(more: Partial<Record<keyof PageContext, unknown>>): Promise<void> {
  const changed = { ...context.value, ...more } as PageContext;
  const next = { ...changed, now: nowOf(clockMode.value, changed.timezone) };
  try {
    const answer = await api<ContextAnswer>('PUT', 'api/context', next);
    contextProblem.value = undefined;
    take(answer);
  } catch (error) {
    contextProblem.value = (error as Error).message;
    return;
  }
  await refresh();
}

export const send = (method: string, params: object = {}, over?: Partial<PageContext>, alone = false): Promise<SendAnswer> =>
  api<SendAnswer>('POST', 'api/send', { method, params, ...(over && { context: over, alone }) });

export const answer = (question: number, action: string, content?: object): Promise<unknown> =>
  api('POST', 'api/send', { answer: { question, action, ...(content && { content }) } });

export async function reconnect(): Promise<void> {
  take(await api<ContextAnswer>('POST', 'api/send', { reconnect: true }));
  await refresh();
}

export async function refresh(): Promise<void> {
  if (isGateway.value) return;
  const kinds: readonly Kind[] = ['tools', 'prompts', 'resources'];
  const answers = await Promise.all(kinds.map((each) => send(`${each}/list`)));
  batch(() => {
    const found = answers.map(({ result }, index) => (result as Record<string, Entry[]> | undefined)?.[kinds[index] ?? ''] ?? []);
    lists.value = { tools: found[0] ?? [], prompts: found[1] ?? [], resources: found[2] ?? [] };
    listLanguage.value = answers[0]?.language;
  });
  await refreshJar();
}

export async function refreshJar(): Promise<void> {
  jar.value = await api<JarAnswer>('GET', 'api/jar');
}

export async function refreshLedger(): Promise<void> {
  const [answer, rules] = await Promise.all([api<LedgerAnswer>('GET', 'api/ledger'), api<PolicyAnswer>('GET', 'api/policy')]);
  batch(() => {
    ledger.value = answer.entries;
    policy.value = rules;
  });
}

export async function clearLedger(): Promise<void> {
  ledger.value = (await api<LedgerAnswer>('PUT', 'api/ledger', { clear: true })).entries;
}

/** Without a level the field is sent as the context bar has it. Lists are asked again under the new rules. */
export async function changePolicy(field: string, level: Level | undefined): Promise<void> {
  const { [field]: _, ...others } = policy.value.rules;
  policy.value = await api<PolicyAnswer>('PUT', 'api/policy', level === undefined ? others : { ...others, [field]: level });
  await refresh();
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
    case 'lists':
      void refresh();
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
