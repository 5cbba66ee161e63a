import { existsSync } from 'node:fs';
import { Failure, usage } from '../failure.js';
import { maskArgument, maskUrl } from '../mask.js';
import { listOf, type Run, textOf } from '../run.js';

/** A server to talk to: a command to start, or an address. `label` is safe to print. */
export type Target = CommandTarget | HttpTarget;

export interface CommandTarget {
  readonly kind: 'command';
  readonly label: string;
  readonly command: string;
  readonly args: readonly string[];
  /** `undefined`: every variable of this process. */
  readonly env: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string;
}

export interface HttpTarget {
  readonly kind: 'http';
  readonly label: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** Finds the target among the words of a run. Returns it with the words that are left. */
export async function targetOf(run: Run): Promise<{ readonly target: Target; readonly words: readonly string[] }> {
  const { target, words } = await find(run);
  run.about.target = target.label;
  return { target: target.kind === 'http' ? withHeaders(target, run) : refuseHeaders(target, run), words };
}

async function find(run: Run): Promise<{ target: Target; words: readonly string[] }> {
  if (run.serverCommand !== undefined) {
    const [command = '', ...args] = run.serverCommand;
    run.out.secrets.addArguments(args);
    return {
      target: { kind: 'command', label: run.serverCommand.map(maskArgument).join(' '), command, args, env: undefined },
      words: run.words,
    };
  }
  const [word, ...words] = run.words;
  if (word === undefined)
    throw usage('no TARGET is given', 'Write a URL, the name of a server that "waybill servers" lists, or "-- COMMAND" at the end.');
  if (word.includes('://')) return { target: httpTarget(word, run), words };
  const { fromFile, fromName } = await import('../hostFiles/resolve.js');
  const colon = word.lastIndexOf(':');
  const file = word.slice(0, Math.max(0, colon));
  if (colon > 0 && existsSync(file)) return { target: await fromFile(file, word.slice(colon + 1), run), words };
  if (/[/\\]|\.(json|toml)$/.test(file)) throw usage(`${file}: there is no such file`, "FILE:NAME is a server of a host's file.");
  return { target: await fromName(word, run), words };
}

/** An address that a person typed, or that stands in a file. */
export function httpTarget(text: string, run: Run, headers: Readonly<Record<string, string>> = {}): HttpTarget {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw usage('the URL cannot be read', 'It looks like this: http://127.0.0.1:3000/mcp');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw usage(
      `${url.protocol}// is not an address of a server`,
      'Only http:// and https:// are; for a program write -- COMMAND at the end.',
    );
  run.out.secrets.addUrl(url);
  run.out.secrets.add(...Object.values(headers));
  // `fetch` refuses an address with credentials: they travel in the header that they stand for.
  if (url.username === '' && url.password === '') return { kind: 'http', label: maskUrl(url), url, headers };
  const basic = Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString('base64');
  const label = maskUrl(url);
  url.username = url.password = '';
  run.out.secrets.add(basic);
  return { kind: 'http', label, url, headers: { Authorization: `Basic ${basic}`, ...headers } };
}

function withHeaders(target: HttpTarget, run: Run): HttpTarget {
  const typed: Record<string, string> = {};
  for (const line of listOf(run, 'header')) {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) throw usage('--header: expected "Name: value"');
    typed[name] = value;
  }
  run.out.secrets.add(...Object.values(typed));
  return { ...target, headers: { ...target.headers, ...typed } };
}

function refuseHeaders(target: CommandTarget, run: Run): CommandTarget {
  if (listOf(run, 'header').length > 0) throw usage('--header needs a URL: a command has no headers');
  return target;
}

/** Seconds that one answer may take, as milliseconds. */
export function timeoutOf(run: Run): number {
  const text = textOf(run, 'timeout') ?? '30';
  const seconds = Number(text);
  if (!(seconds > 0 && seconds <= 86_400)) throw new Failure('usage', `--timeout: expected seconds, more than 0, not "${text}"`);
  return seconds * 1000;
}
