/**
 * A project's file came with a folder that somebody else may have written, and its commands run on this machine. So each content of such a
 * file is confirmed once, by a person who saw what would run. A change of the file asks again.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Failure } from '../failure.js';
import { maskAddress, maskArgument, maskValues } from '../mask.js';
import { cleanLine } from '../output.js';
import { askYesNo, canAsk } from '../session/ask.js';
import { listOf, type Run } from '../run.js';
import type { Entry } from './read.js';

export async function requireTrust(entry: Entry, content: string, run: Run): Promise<void> {
  const { path, scope } = entry.file;
  if (scope !== 'project' || listOf(run, 'trust').some((file) => resolve(run.cwd, file) === path)) return;
  const digest = createHash('sha256').update(path).update('\0').update(content).digest('hex');
  const trusted = readTrusted(run);
  if (trusted.includes(digest)) return;
  if (!canAsk())
    throw new Failure(
      'unanswered',
      `${path} is a project's file, and nobody has confirmed it yet: ${describeEntry(entry)}`,
      `If you trust it, add: --trust ${path}`,
    );
  run.out.note(`${path} belongs to this project folder. Its server "${cleanLine(entry.name)}" is:\n  ${describeEntry(entry)}`);
  if (!(await askYesNo('Use the servers of this file?', run)))
    throw new Failure('unanswered', 'the file is not trusted, so nothing was started');
  writeTrusted(run, [...trusted, digest]);
}

/** The command or URL as one safe line. */
export function describeEntry({ command, args, env, url, headers }: Entry): string {
  if (url !== undefined) return cleanLine([maskAddress(url), ...pairs(headers, ': ')].join(' '));
  return cleanLine(
    [...pairs(env, '='), command ?? '', ...args.map(maskArgument).map((one) => (/[\s"']/.test(one) ? JSON.stringify(one) : one))].join(' '),
  );
}

const pairs = (values: Readonly<Record<string, string>>, between: string): string[] =>
  Object.entries(maskValues(values)).map(([name, mask]) => `${name}${between}${mask}`);

function trustFile({ env }: Run): string {
  return join(env['XDG_STATE_HOME'] ?? join(env['HOME'] ?? homedir(), '.local', 'state'), 'waybill', 'trusted.json');
}

/** If the list cannot be read, nothing is trusted. */
function readTrusted(run: Run): string[] {
  try {
    const { trusted } = JSON.parse(readFileSync(trustFile(run), 'utf8')) as { trusted?: unknown };
    return Array.isArray(trusted) ? trusted.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

function writeTrusted(run: Run, trusted: readonly string[]): void {
  const path = trustFile(run);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, `${JSON.stringify({ trusted }, undefined, 2)}\n`, { mode: 0o600 });
}
