/** Everything that the server of the page tells, as signals; the lists and the context have files of their own. */
import { batch, computed, signal } from '@preact/signals';
import type { Level, PolicyField } from 'waybill/adapter';
import type {
  JarAnswer,
  JarChange,
  LedgerAnswer,
  LoggedExchange,
  LoggedIssue,
  PageEvent,
  Question,
  SendAnswer,
  SendOptions,
  TargetInfo,
} from '../../cli/src/inspect/protocol.js';
import { api } from './api.js';

export const target = signal<TargetInfo | undefined>(undefined);
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
/** The exchange that the details show; undefined: the newest. */
export const chosenExchange = signal<number | undefined>(undefined);
/** Exchanges up to this number are not shown any more; the saved log and the waterfall have them. */
const clearedTo = signal(0);
export const shownExchanges = computed(() => exchanges.value.filter(({ number }) => number > clearedTo.value));
export const clearExchanges = (): void => void (clearedTo.value = exchanges.value.at(-1)?.number ?? 0);
export const chooseExchange = (number: number | undefined): void => void (chosenExchange.value = number);

/** The page keeps no more than its server does. */
const MAX_EXCHANGES = 500;

export const send = (method: string, params: object = {}, options: SendOptions = {}, signal?: AbortSignal): Promise<SendAnswer> =>
  api<SendAnswer>('POST', 'api/send', { method, params, ...options }, signal);

export async function answer(question: number, action: string, content?: object): Promise<void> {
  const sent = api('POST', 'api/send', { answer: { question, action, ...(content && { content }) } });
  await sent.catch(() => undefined); // The page shows why: `connection` tells, or the question disappears.
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
  const cleared = api<LedgerAnswer>('PUT', 'api/ledger', { clear: true });
  await cleared.then(({ entries }) => (ledger.value = entries)).catch(() => undefined); // The page shows why: `connection` tells.
}

export async function changeJar(change: JarChange): Promise<string | undefined> {
  try {
    jar.value = await api<JarAnswer>('PUT', 'api/jar', change);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

export function hear(event: PageEvent): void {
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
