/** Runs the built command as a user does: through pipes, in a folder and a home of its own. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export { freePort } from '../support/freePort.mjs';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
export const WAYBILL: string = at('../../packages/cli/bin/waybill.js');
export const SHOP: string = at('../../examples/shop/server.js');
export const BROKEN: string = at('brokenServer.mjs');
export const ROOT: string = at('../../');
/** A server over stdio that starts without npx. */
export const SHOP_COMMAND: readonly string[] = ['--', process.execPath, SHOP, '--stdio'];

export interface Ran {
  /** The session of the process; `runningIn` tells who is left of it. */
  readonly pid: number;
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** The last line of stdout as JSON. */
  readonly json: any;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

/** A home without files of hosts, so that the machine's own are never read. */
export function makeFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'waybill-cli-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export function environment(home: string, env: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { PATH = '', TMPDIR } = process.env;
  return {
    PATH: `${join(ROOT, 'node_modules/.bin')}:${PATH}`,
    HOME: home,
    TZ: 'UTC',
    LANG: 'en_US.UTF-8',
    ...(TMPDIR && { TMPDIR }),
    ...env,
  };
}

export function waybill(home: string): (args: readonly string[], options?: RunOptions) => Promise<Ran> {
  return (args, { cwd = home, env, stdin = '' } = {}) => execute(process.execPath, [WAYBILL, ...args], cwd, environment(home, env), stdin);
}

/** At most four commands of a test file run at once; the others wait their turn. */
let free = 4;
const waiting: (() => void)[] = [];

export async function execute(file: string, args: readonly string[], cwd: string, env: Record<string, string>, stdin = ''): Promise<Ran> {
  if (free > 0) free -= 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await start(file, args, cwd, env, stdin);
  } finally {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  }
}

/** The command lines that still run in the session that a detached process began. Other processes of the machine are not looked at. */
export function runningIn(session: number): string[] {
  const lines = execFileSync('ps', ['ax', '-o', 'sid=,stat=,args='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [, sid, stat = '', args = ''] = /^ *(\d+) +(\S+) +(.*)$/.exec(line) ?? [];
    return Number(sid) === session && !stat.startsWith('Z') ? [args] : [];
  });
}

function start(file: string, args: readonly string[], cwd: string, env: Record<string, string>, stdin: string): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env, stdio: 'pipe', detached: true });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => resolve({ pid: child.pid ?? -1, code: code ?? -1, out, err, json: lastJson(out) }));
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin);
  });
}

function lastJson(out: string): unknown {
  try {
    return JSON.parse(out.trim().split('\n').at(-1) ?? '');
  } catch {
    return undefined;
  }
}
