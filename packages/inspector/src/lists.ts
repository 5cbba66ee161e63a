/** The tools, prompts and resources of the server, and the one that is chosen. */
import { batch, computed, signal } from '@preact/signals';
import type { Entry } from './entry.js';
import { isGateway, refreshJar, send } from './model.js';

export type Kind = 'tools' | 'prompts' | 'resources';

export const lists = signal<Readonly<Record<Kind, readonly Entry[]>>>({ tools: [], prompts: [], resources: [] });
export const listProblems = signal<Readonly<Partial<Record<Kind, string | undefined>>>>({});
export const listLanguage = signal<string | undefined>(undefined);
export const kind = signal<Kind>('tools');
export const chosenName = signal<string | undefined>(undefined);
export const chosen = computed(() => lists.value[kind.value].find(({ name }) => name === chosenName.value) ?? lists.value[kind.value][0]);

/** The lists, by the member of their answer. Tools come last, so that the details show them. */
const LISTS = {
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
  prompts: 'prompts/list',
  tools: 'tools/list',
} as const;
type Listed = keyof typeof LISTS;
let newest = 0;

export async function refresh(): Promise<void> {
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
