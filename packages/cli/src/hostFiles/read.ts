/** Reads the servers that a host's file lists, in the form of each host: JSON with `mcpServers` or `servers`, or TOML with `mcp_servers`. */
import { readFileSync } from 'node:fs';
import { parse as parseToml, TomlError } from 'smol-toml';
import { usage } from '../failure.js';
import { parseJson, reasonOf } from '../json.js';
import type { HostFile } from './places.js';

/** A server as a file describes it, before its variables are filled in. */
export interface Entry {
  readonly name: string;
  readonly file: HostFile;
  readonly command?: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** A file with more of it, `NAME=value` in each line. */
  readonly envFile?: string;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Why it cannot be used. */
  readonly unusable?: string;
}

type Table = Readonly<Record<string, unknown>>;
const isTable = (value: unknown): value is Table => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The content and its servers; nothing if there is no such file. */
export function readHostFile(file: HostFile, cwd: string): { readonly content: string; readonly entries: readonly Entry[] } | undefined {
  let content: string;
  try {
    content = readFileSync(file.path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw usage(`${file.path}: ${reasonOf(error)}`);
  }
  return { content, entries: entriesOf(content, file, cwd) };
}

function entriesOf(content: string, file: HostFile, cwd: string): Entry[] {
  if (content.trim() === '') return [];
  const whole = file.path.endsWith('.toml') ? readToml(content, file.path) : parseJson(content, file.path, { comments: true });
  if (!isTable(whole)) throw usage(`${file.path}: expected one object`);
  const tables = [whole['mcpServers'], whole['servers'], whole['mcp_servers']];
  // Claude Code keeps servers for one folder only in the user's own file.
  if (isTable(whole['projects'])) tables.push((whole['projects'][cwd] as Table | undefined)?.['mcpServers']);
  return tables.filter(isTable).flatMap((servers) => Object.entries(servers).map(([name, one]) => entryOf(name, one, file)));
}

function readToml(content: string, path: string): unknown {
  try {
    return parseToml(content);
  } catch (error) {
    if (error instanceof TomlError) throw usage(`${path}: is not TOML (line ${error.line}, column ${error.column})\n${error.codeblock}`);
    throw error;
  }
}

function entryOf(name: string, given: unknown, file: HostFile): Entry {
  const one: Table = isTable(given) ? given : {};
  const command = text(one['command']);
  const url = text(one['url']) ?? text(one['serverUrl']) ?? text(one['httpUrl']);
  const cwd = text(one['cwd']);
  const envFile = text(one['envFile']);
  const problem = unusable(one, command, url, given);
  return {
    name,
    file,
    ...(command !== undefined && { command }),
    args: Array.isArray(one['args']) ? one['args'].map(String) : [],
    env: { ...texts(one['env']), ...forwarded(one['env_vars']) },
    ...(envFile !== undefined && { envFile }),
    ...(cwd !== undefined && { cwd }),
    ...(url !== undefined && { url }),
    headers: headersOf(one),
    ...(problem !== undefined && { unusable: problem }),
  };
}

/** Codex names the variables that hold the values. */
function headersOf(one: Table): Record<string, string> {
  const token = text(one['bearer_token_env_var']);
  const named = Object.entries(texts(one['env_http_headers'])).map(([name, variable]) => [name, `\${${variable}}`] as const);
  return {
    ...(token !== undefined && { Authorization: `Bearer \${${token}}` }),
    ...Object.fromEntries(named),
    ...texts(one['headers'] ?? one['http_headers']),
  };
}

/** Variables that are handed on where they are set. */
const forwarded = (names: unknown): Record<string, string> =>
  Object.fromEntries(Array.isArray(names) ? names.map((name) => [String(name), `\${${String(name)}:-}`]) : []);

function unusable(one: Table, command: string | undefined, url: string | undefined, given: unknown): string | undefined {
  if (!isTable(given)) return 'is not an object';
  if (command === undefined && url === undefined) return 'has neither a command nor a URL';
  if (one['disabled'] === true || one['enabled'] === false) return 'is switched off in its file';
  return one['type'] === 'sse' || one['transport'] === 'sse' ? 'uses the old SSE transport, which this command does not speak' : undefined;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const texts = (value: unknown): Record<string, string> =>
  isTable(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([name, one]) =>
          typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean' ? [[name, String(one)]] : [],
        ),
      )
    : {};
