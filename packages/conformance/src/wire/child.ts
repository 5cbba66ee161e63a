/** Child processes that are surely stopped: by end of input, then by signal, at the latest when this process ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

const running = new Set<ChildProcess>();
const GRACE = 1000;
let watching = false;

export interface Started {
  readonly child: ChildProcess;
  /** The last lines that the child wrote to stderr. */
  readonly stderrText: () => string;
}

/** Starts a command in a process group of its own, so that what it starts itself is stopped with it. */
export function start(command: readonly string[], env: NodeJS.ProcessEnv = process.env): Started {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'], env, detached: process.platform !== 'win32' });
  if (!watching) process.once('exit', killAll);
  watching = true;
  running.add(child);
  child.once('exit', () => running.delete(child));
  child.once('error', () => running.delete(child));
  // Writing to a child that has ended fails; that is not an error of this program.
  child.stdin.on('error', () => undefined);
  let tail = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    tail = (tail + chunk).slice(-2000);
  });
  return { child, stderrText: () => tail.trim() };
}

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (process.platform !== 'win32' && child.pid !== undefined) process.kill(-child.pid, name);
    else child.kill(name);
  } catch {
    // It is gone already.
  }
}

export const ended = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null || child.pid === undefined;

/** Ends the input, then asks, then kills. */
export async function stop(child: ChildProcess): Promise<void> {
  if (ended(child)) {
    // A leader that ended may leave its own children behind.
    signal(child, 'SIGTERM');
    return;
  }
  const gone = once(child, 'exit').catch(() => undefined);
  child.stdin?.end();
  signal(child, 'SIGTERM');
  const timer = setTimeout(() => signal(child, 'SIGKILL'), GRACE);
  await gone;
  clearTimeout(timer);
}

/** For the end of this process: nothing may stay behind. */
export function killAll(): void {
  for (const child of running) signal(child, 'SIGKILL');
}
