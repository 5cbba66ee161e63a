import { usage } from '../failure.js';
import { describeEntry } from '../hostFiles/trust.js';
import { findServers } from '../hostFiles/resolve.js';
import type { Entry } from '../hostFiles/read.js';
import { maskUrl, maskValues } from '../mask.js';
import { didYouMean } from '../nearest.js';
import { cleanLine } from '../output.js';
import type { Outcome, Run } from '../run.js';
import { table } from '../table.js';

export function run(run: Run): Outcome {
  const { entries, broken } = findServers(run);
  const [name, ...more] = run.words;
  if (more.length > 0) throw usage(`"${more.join(' ')}" is too much`, 'servers takes one NAME at most.');
  const chosen = name === undefined ? entries : entries.filter((one) => one.name === name);
  if (name !== undefined && chosen.length === 0)
    throw usage(
      `no server is called "${name}"`,
      didYouMean(
        name,
        entries.map((one) => one.name),
      ),
    );
  for (const { message } of broken) run.out.note(`note: ${message}`);
  const rows = chosen.map((one) => [
    run.out.paint('bold', cleanLine(one.name)),
    one.unusable === undefined ? describeEntry(one) : `(${one.unusable})`,
    run.out.paint('dim', `${one.file.host}${one.file.scope === 'project' ? ', project' : ''}: ${one.file.path}`),
  ]);
  return {
    result: { servers: chosen.map(publicEntry), broken: broken.map(({ message }) => message) },
    text: rows.length === 0 ? 'No file of a host lists a server. Write a URL, or "-- COMMAND" at the end.' : table(rows),
  };
}

/** An entry without its secrets. */
function publicEntry({ name, file, command, args, env, cwd, url, headers, unusable }: Entry) {
  return {
    name,
    host: file.host,
    file: file.path,
    scope: file.scope,
    ...(url === undefined
      ? { command: command ?? null, args, env: maskValues(env), ...(cwd !== undefined && { cwd }) }
      : { url: URL.canParse(url) ? maskUrl(new URL(url)) : url.replace(/\?.*/, '?***'), headers: maskValues(headers) }),
    ...(unusable !== undefined && { unusable }),
  };
}
