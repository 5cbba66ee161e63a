/** One child process that speaks JSON-RPC by lines. It is started in a process group of its own, so that launchers such as npx leave nothing behind. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { drained } from '../chunks.js';
import { watch } from './watchman.js';

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface ProcessEvents {
  onLine(line: string): void;
  /** A line that the child wrote to stderr. */
  onLog(line: string): void;
  onExit(why: string): void;
}

/** Variables that a child needs to find its programs and folders. Everything else has to be configured. */
const INHERITED = ['HOME', 'LANG', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'USER', 'NODE_EXTRA_CA_CERTS', 'npm_config_registry'];
/** The longest line that is held in memory. */
const MAX_LINE = 64 * 1024 * 1024;
const GRACE = 2_000;

/** Groups that are alive. If the gateway itself ends, they end with it. */
const alive = new Set<number>();
process.on('exit', () => {
  for (const group of alive) kill(group, 'SIGKILL');
  watch(new Set());
});

export class ChildProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #exited: Promise<void>;
  #isOver = false;

  constructor({ command, args, env, cwd }: Command, events: ProcessEvents) {
    const inherited = INHERITED.flatMap((name): (readonly [string, string])[] => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    });
    this.#child = spawn(command, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...Object.fromEntries(inherited), ...env },
      detached: process.platform !== 'win32',
      ...(cwd !== undefined && { cwd }),
    });
    const { pid } = this.#child;
    if (pid !== undefined) watch(alive.add(pid));
    this.#exited = new Promise((resolve) => {
      const over = (why: string): void => {
        if (this.#isOver) return;
        this.#isOver = true;
        if (pid !== undefined) {
          // Also ends processes that the child started and left behind.
          kill(pid, 'SIGKILL');
          alive.delete(pid);
          watch(alive);
        }
        resolve();
        events.onExit(why);
      };
      this.#child.once('error', (error) => over(error.message));
      this.#child.once('close', (code, signal) => over(signal === null ? `exit code ${code ?? 'unknown'}` : `signal ${signal}`));
    });
    this.#child.stdin.on('error', () => undefined);
    lines(this.#child.stdout, (line) => {
      if (!this.#isOver) events.onLine(line);
    });
    lines(this.#child.stderr, (line) => events.onLog(line));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Writes one message. Resolves when the child has room for more. */
  write(text: string): void | Promise<void> {
    if (this.#isOver) return;
    // A line break inside a message would end it: JSON allows them between tokens only.
    const line = text.includes('\n') || text.includes('\r') ? text.replaceAll(/[\n\r]/g, ' ') : text;
    const { stdin } = this.#child;
    return stdin.write(`${line}\n`) ? undefined : drained(stdin);
  }

  /** Reading is stopped while nobody takes what was read. */
  pause(): void {
    this.#child.stdout.pause();
  }

  resume(): void {
    this.#child.stdout.resume();
  }

  /** Closes stdin, then asks, then kills. Resolves when the process is gone. */
  async end(): Promise<void> {
    if (this.#isOver) return;
    this.#child.stdin.end();
    this.#child.stdout.resume();
    const { pid } = this.#child;
    const ask = setTimeout(() => pid !== undefined && kill(pid, 'SIGTERM'), GRACE);
    const force = setTimeout(() => pid !== undefined && kill(pid, 'SIGKILL'), 2 * GRACE);
    await this.#exited;
    clearTimeout(ask);
    clearTimeout(force);
  }
}

function kill(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? group : -group, signal);
  } catch {
    // It is gone already.
  }
}

/** Calls `take` for each line. A line beyond the limit ends the stream: what follows could not be told apart from its rest. */
export function lines(stream: Readable, take: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('error', () => undefined);
  stream.on('data', (chunk: string) => {
    const parts = chunk.split('\n');
    parts[0] = rest + (parts[0] as string);
    rest = parts.pop() as string;
    for (const part of parts) {
      const line = part.endsWith('\r') ? part.slice(0, -1) : part;
      if (line !== '') take(line);
    }
    if (rest.length > MAX_LINE) stream.destroy();
  });
}
