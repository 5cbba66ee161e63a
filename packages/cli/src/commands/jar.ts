import type { StateScope } from 'waybill';
import { clientContext, type StateJar } from 'waybill/client';
import { Failure, usage } from '../failure.js';
import { parseJson } from '../json.js';
import { didYouMean } from '../nearest.js';
import { cleanLine } from '../output.js';
import { type CommandAnswer, type Run, textOf } from '../run.js';
import { confirmClearing } from '../session/ask.js';
import { existingJar } from '../session/jar.js';
import { counted, table } from '../table.js';

type Action = (jar: StateJar, words: readonly string[], run: Run) => Promise<CommandAnswer>;

export async function run(run: Run): Promise<CommandAnswer> {
  const [action = '', ...words] = run.words;
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (act === undefined)
    throw usage(
      `jar: expected ${Object.keys(ACTIONS).join(', ')}`,
      didYouMean(action, Object.keys(ACTIONS)) ?? 'For example: waybill jar list --jar FILE',
    );
  const [server = ''] = words;
  const state = await existingJar(run, server.includes('://') && URL.canParse(server) ? new URL(server) : undefined);
  const { jar } = clientContext({ state, onIssue: (issue) => run.about.issues.push(issue) });
  run.cleanup.push(() => jar.close());
  try {
    return await act(jar, words, run);
  } catch (error) {
    throw error instanceof Failure ? error : usage(`${run.about.target ?? ''}: ${(error as Error).message}`);
  }
}

const ownerOf = (run: Run) => {
  const principal = textOf(run, 'principal');
  return principal === undefined ? {} : { principal };
};

function partOf(run: Run): { principal?: string; scope?: StateScope; conversation?: string } {
  const scope = textOf(run, 'scope');
  if (scope !== undefined && scope !== 'session' && scope !== 'server') throw usage('--scope: expected session or server');
  const conversation = textOf(run, 'conversation');
  return { ...ownerOf(run), ...(scope !== undefined && { scope }), ...(conversation !== undefined && { conversation }) };
}

const needServer = (words: readonly string[], action: string): string => {
  if (words[0] === undefined) throw usage(`jar ${action}: no SERVER is given`, 'jar list shows the servers.');
  return words[0];
};

const when = (moment: number): string => new Date(moment).toISOString();

const ACTIONS: Readonly<Record<string, Action>> = {
  list: async (jar, _words, run) => {
    const drawers = await jar.list(ownerOf(run));
    const lines = drawers.map(
      ({ server, items, bytes, lastWritten }) =>
        `${run.out.paint('bold', cleanLine(server))}\n  ${counted(items, 'item')}, ${counted(bytes, 'byte')}, written ${when(lastWritten)}`,
    );
    return { result: { drawers, principals: await jar.principals() }, text: lines.length === 0 ? 'The jar is empty.' : lines.join('\n') };
  },
  show: async (jar, words, run) => {
    const items = await jar.show(needServer(words, 'show'), partOf(run));
    const rows = items.map(({ scope, conversation, name, value }) => [
      scope,
      conversation ?? '',
      cleanLine(name),
      cleanLine(JSON.stringify(value)),
    ]);
    if (rows.length === 0) run.out.note('Nothing is kept for this server. jar list shows the servers.');
    return { result: { items }, text: table(rows) };
  },
  edit: async (jar, words, run) => {
    const [, name, value] = words;
    if (name === undefined || value === undefined)
      throw usage('jar edit: expected SERVER NAME VALUE', `The value is JSON, null deletes: jar edit shop theme '"dark"' --scope server`);
    await jar.edit(needServer(words, 'edit'), name, parseJson(value, 'VALUE') as never, partOf(run));
    return { result: { edited: name }, text: '' };
  },
  export: async (jar, words, run) => {
    const result = await jar.export({ ...ownerOf(run), ...(words[0] !== undefined && { server: words[0] }) });
    return { result, text: JSON.stringify(result, undefined, 2) };
  },
  clear: async (jar, words, run) => {
    const what = words[0] === undefined ? 'everything in this jar' : `what is kept for ${words[0]}`;
    await confirmClearing(what, run);
    const cleared = await jar.clear({ ...partOf(run), ...(words[0] !== undefined && { server: words[0] }) });
    return { result: { cleared }, text: `${counted(cleared, 'item')} forgotten.` };
  },
};
