import { contextFrom } from '../context/presets.js';
import { differingPaths, leavesOf } from '../differences.js';
import { Failure, named, usage } from '../failure.js';
import { cleanLine } from '../output.js';
import { listOf, type CommandAnswer, type Run } from '../run.js';
import { openSession } from '../session/session.js';
import { wrappedRows } from '../table.js';
import { targetOf } from '../target/target.js';
import { callTool, prepare } from './call.js';

interface Column {
  readonly as: string;
  readonly language: string | null;
  readonly result: unknown;
}

export async function run(run: Run): Promise<CommandAnswer> {
  const { target, words } = await targetOf(run);
  const [name, ...typed] = words;
  if (name === undefined) throw usage('no TOOL is given', 'waybill list TARGET shows the tools of a server.');
  const contexts = listOf(run, 'as');
  if (contexts.length < 2) throw usage('--as has to be given at least twice', 'For example: --as vienna --as "lang=ja tz=Asia/Tokyo"');
  // Everybody calls at the same moment: a second that passes between two calls must not count as a difference.
  const now = new Date().toISOString();
  const columns: Column[] = [];
  for (const as of contexts) {
    const own = runAs(as, run, now);
    const session = await openSession(own, target).catch((error: unknown) => {
      throw error instanceof Failure ? named(error, sourcesOf(as)) : error;
    });
    const result = await callTool(session, await prepare(session, name, typed, own), own);
    columns.push({ as, language: session.waybill.languageOf(result) ?? null, result });
    await session.client.close();
  }
  const shown = columns.map(({ result, language }) => withoutMeta(result, language));
  const differences = differingPaths(shown);
  return { result: { columns, differences }, text: tableOf(columns, shown, differences, run) };
}

/** A context without a zone gets no clock either: it would tell an offset. */
function runAs(as: string, run: Run, now: string): Run {
  const options: Record<string, unknown> = { ...run.options, ...contextFrom(as) };
  return { ...run, options: { ...options, now: options['now'] ?? (options['tz'] === 'none' ? 'none' : now) } };
}

/** A mistake in a context is told under its own name. */
const sourcesOf = (as: string): Record<string, string> =>
  Object.fromEntries(Object.keys(contextFrom(as)).map((name) => [name, `--as "${as}"`]));

function withoutMeta(result: unknown, language: string | null): object {
  const { _meta, ...rest } = result as Record<string, unknown>;
  return { ...(language !== null && { language }), ...rest };
}

/** One column for each context; a row that differs is marked. */
function tableOf(columns: readonly Column[], shown: readonly object[], differences: readonly string[], { out }: Run): string {
  const leaves = shown.map((one) => leavesOf(one));
  const paths = [...new Set(leaves.flatMap((one) => [...one.keys()]))].filter((path) => !path.endsWith('.type'));
  const [head = '', ...rows] = wrappedRows(
    [
      ['', ...columns.map(({ as }) => as)],
      ...paths.map((path) => [
        `${differences.includes(path) ? '≠' : ' '} ${path}`,
        ...leaves.map((one) => cleanLine(one.get(path) ?? '–')),
      ]),
    ],
    out.columns,
  );
  const body = rows.map((row, at) => (differences.includes(paths[at] ?? '') ? out.paint('yellow', row) : row));
  return [out.paint('bold', head), ...body].join('\n');
}
