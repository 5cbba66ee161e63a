/** One entry of the lists being worked on: its form, its answer, and whether a call is under way. It outlives a look at another entry. */
import { batch, signal, type Signal } from '@preact/signals';
import type { SendAnswer, SendOptions } from '../../cli/src/inspect/protocol.js';
import { FIRST_CONTEXTS, type Column, type ContextName } from './comparison.js';
import { uriOf, type Entry } from './entry.js';
import { argumentsOf, type FormState } from './formState.js';
import { contextVersion } from './context.js';
import type { Kind } from './lists.js';
import { chooseExchange, progress, refreshJar, send } from './model.js';
import { t } from './texts.js';

type Args = Readonly<Record<string, unknown>>;

export interface Task {
  readonly form: FormState;
  readonly method: string;
  readonly paramsOf: (args: Args) => object;
  /** The answer, and the version of the context that it was given under. */
  readonly answer: Signal<(SendAnswer & { readonly version: number }) | undefined>;
  /** Ends the call that is under way. */
  readonly stop: Signal<AbortController | undefined>;
  /** The call is repeated when the context changes. */
  readonly isLive: Signal<boolean>;
  readonly isComparing: Signal<boolean>;
  readonly compared: Signal<{ readonly names: readonly ContextName[]; readonly columns: readonly Column[] }>;
}

const METHODS: Readonly<Record<Kind, string>> = { tools: 'tools/call', prompts: 'prompts/get', resources: 'resources/read' };
const tasks = new Map<string, Task>();

export function taskOf(kind: Kind, entry: Entry, form: FormState): Task {
  const { name, annotations } = entry;
  const id = `${kind}/${name}`;
  const task = tasks.get(id) ?? {
    method: METHODS[kind],
    answer: signal(undefined),
    stop: signal(undefined),
    isLive: signal(kind !== 'tools' || annotations?.readOnlyHint === true),
    isComparing: signal(false),
    compared: signal({ names: FIRST_CONTEXTS, columns: [] }),
  };
  const paramsOf = (args: Args): object =>
    kind === 'resources' ? { uri: uriOf(entry, args as Record<string, string>) } : { name, arguments: args };
  const current = { ...task, form, paramsOf };
  tasks.set(id, current);
  return current;
}

/** Calls with what the form holds; a problem of the form is shown there instead. */
export async function callTask(task: Task): Promise<void> {
  const args = argumentsOf(task.form);
  if (args === undefined) return;
  const stop = new AbortController();
  const version = contextVersion.value;
  batch(() => {
    task.stop.value = stop;
    progress.value = undefined;
    // The details show the newest exchange again: this call.
    chooseExchange(undefined);
  });
  const answer = await sendTask(task, args, {}, stop.signal);
  batch(() => {
    task.answer.value = { ...answer, version };
    task.stop.value = undefined;
  });
  await refreshJar().catch(() => undefined);
}

/** A call that cannot be sent gives an answer as well: the reason. */
export async function sendTask({ method, paramsOf }: Task, args: Args, options: SendOptions, signal?: AbortSignal): Promise<SendAnswer> {
  try {
    return await send(method, paramsOf(args), options, signal);
  } catch (error) {
    if (signal?.aborted === true) return { error: { message: t('stopped') }, ms: 0 };
    return { error: { message: (error as Error).message }, ms: 0 };
  }
}
