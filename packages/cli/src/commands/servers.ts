import { usage } from '../failure.js';
import { describeEntry } from '../hostFiles/trust.js';
import { findServers } from '../hostFiles/resolve.js';
import type { Entry } from '../hostFiles/read.js';
import { maskAddress, maskArgument, maskValues } from '../mask.js';
import { suggestion } from '../nearest.js';
import { cleanLine } from '../output.js';
import type { CommandAnswer, Run } from '../run.js';
import { hanging, pad, table, widthOf } from '../table.js';

export function run(run: Run): CommandAnswer {
  const { entries, broken } = findServers(run);
  const [name, ...more] = run.words;
  if (more.length > 0) throw usage(`"${more.join(' ')}" is too much`, 'servers takes one NAME at most.');
  const chosen = name === undefined ? entries : entries.filter((one) => one.name === name);
  const names = entries.map((one) => one.name);
  if (name !== undefined && chosen.length === 0) throw usage(`no server is called "${name}"`, suggestion(name, names));
  for (const { message } of broken) run.out.note(`note: ${message}`);
  const rows = chosen.map((one): Row => [
    cleanLine(one.name),
    one.unusable === undefined ? describeEntry(one) : `(${one.unusable})`,
    `${one.file.host}${one.file.scope === 'project' ? ', project' : ''}: ${one.file.path}`,
  ]);
  return {
    result: { servers: chosen.map(publicEntry), broken: broken.map(({ message }) => message) },
    text: rows.length === 0 ? 'No file of a host lists a server. Write a URL, or "-- COMMAND" at the end.' : textOf(rows, run),
  };
}

type Row = readonly [name: string, what: string, where: string];

/** One line for each server; in a terminal a second one for its file. */
function textOf(rows: readonly Row[], { out }: Run): string {
  const longest = Math.max(...rows.map(([name]) => widthOf(name)));
  const behind = (label: string, text: string): string => hanging(`${pad(label, longest)}  `, text, out.columns);
  if (!Number.isFinite(out.columns)) return table(rows);
  return rows
    .map(([name, what, where]) => `${behind(name, what).replace(name, out.paint('bold', name))}\n${out.paint('dim', behind('', where))}`)
    .join('\n');
}

/** An entry without its secrets. */
function publicEntry({ name, file, command, args, env, cwd, url, headers, unusable }: Entry) {
  return {
    name,
    host: file.host,
    file: file.path,
    scope: file.scope,
    ...(url === undefined
      ? { command: command ?? null, args: args.map(maskArgument), env: maskValues(env), ...(cwd !== undefined && { cwd }) }
      : { url: maskAddress(url), headers: maskValues(headers) }),
    ...(unusable !== undefined && { unusable }),
  };
}
