import { resolve as resolvePath } from 'node:path';
import { Failure, usage } from '../failure.js';
import { readTextFile } from '../json.js';
import { didYouMean, suggestion } from '../nearest.js';
import { type Run, textOf } from '../run.js';
import { httpTarget, type Target } from '../target/target.js';
import { expand } from './expand.js';
import { type HostFile, hostFiles, namedFile } from './places.js';
import { type Entry, readHostFile } from './read.js';
import { requireTrust } from './trust.js';

interface Found {
  readonly entries: readonly Entry[];
  /** The content of each file that was read, by path. */
  readonly contents: ReadonlyMap<string, string>;
  /** Files that could not be read, and why. */
  readonly broken: readonly Failure[];
}

/** Reads every file that may list servers, or only the one that `--config` names, which then has to be right. */
export function findServers(run: Run): Found {
  const config = textOf(run, 'config');
  const files = config === undefined ? hostFiles(run) : [namedFile(config, run)];
  const entries: Entry[] = [];
  const broken: Failure[] = [];
  const contents = new Map<string, string>();
  for (const file of files) {
    try {
      const read = readHostFile(file, run.cwd);
      if (read === undefined && config !== undefined) throw usage(`${file.path}: there is no such file`);
      entries.push(...(read?.entries ?? []));
      if (read !== undefined) contents.set(file.path, read.content);
    } catch (error) {
      if (config !== undefined || !(error instanceof Failure)) throw error;
      broken.push(error);
    }
  }
  for (const entry of entries) hideSecrets(entry, run);
  return { entries, broken, contents };
}

export async function fromName(name: string, run: Run): Promise<Target> {
  const { entries, contents, broken } = findServers(run);
  const found = entries.filter((one) => one.name === name);
  const [entry] = found;
  if (entry === undefined) {
    const known = entries.map((one) => one.name);
    for (const { message } of broken) run.out.note(`note: ${message}`);
    throw usage(
      `no server is called "${name}"`,
      didYouMean(name, known) ?? 'Write a URL, or "-- COMMAND" at the end. "waybill servers" lists the names in the files of hosts.',
    );
  }
  if (found.length > 1)
    throw usage(
      `"${name}" stands in more than one file`,
      `Say which one is meant:\n${found.map((one) => `    ${one.file.path}:${name}`).join('\n')}`,
    );
  return open(entry, contents.get(entry.file.path) ?? '', run);
}

export async function fromFile(path: string, name: string, run: Run): Promise<Target> {
  const file: HostFile = namedFile(path, run);
  const read = readHostFile(file, run.cwd);
  const entry = read?.entries.find((one) => one.name === name);
  if (read === undefined || entry === undefined) {
    const known = (read?.entries ?? []).map((one) => one.name);
    throw usage(`${path} lists no server "${name}"`, suggestion(name, known));
  }
  return open(entry, read.content, run);
}

/** The target that an entry describes, once its file is trusted. */
async function open(entry: Entry, content: string, run: Run): Promise<Target> {
  const where = `${entry.file.path}:${entry.name}`;
  run.about.target = where;
  hideSecrets(entry, run);
  if (entry.unusable !== undefined) throw usage(`${where} ${entry.unusable}`);
  await requireTrust(entry, content, run);
  const fill = (text: string): string => expand(text, run, where);
  const filled = (values: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fill(value)]));
  if (entry.url !== undefined) return { ...httpTarget(fill(entry.url), run, filled(entry.headers)), label: where };
  const env = { ...(await envFileOf(entry, fill, run)), ...filled(entry.env) };
  const args = entry.args.map(fill);
  hideSecrets({ args, env, headers: {} }, run);
  const { getDefaultEnvironment } = await import('@modelcontextprotocol/client/stdio');
  return {
    kind: 'command',
    label: where,
    command: fill(entry.command ?? ''),
    args,
    env: { ...getDefaultEnvironment(), ...env },
    ...(entry.cwd !== undefined && { cwd: fill(entry.cwd) }),
  };
}

function hideSecrets({ env, headers, args }: Pick<Entry, 'env' | 'headers' | 'args'>, { out }: Run): void {
  out.secrets.add(...Object.values(env), ...Object.values(headers));
  out.secrets.addArguments(args);
}

/** The variables of an `envFile`: `NAME=value` in each line, quoted or not. */
async function envFileOf({ envFile }: Entry, fill: (text: string) => string, { cwd }: Run): Promise<Record<string, string>> {
  if (envFile === undefined) return {};
  const content = await readTextFile(resolvePath(cwd, fill(envFile)), 'The file is named by "envFile".');
  const lines = content.split('\n').map((line) => /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line));
  return Object.fromEntries(
    lines.flatMap((found) => (found === null ? [] : [[found[1] ?? '', (found[2] ?? '').replace(/^(["'])(.*)\1$/, '$2')]])),
  );
}
