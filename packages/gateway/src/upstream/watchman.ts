/**
 * Ends the child processes if this process is killed and cannot do it itself (SIGKILL, out of memory). A small shell waits for the end of a pipe
 * that only this process holds open. It runs while there are children, and a little longer, because most that end are started again.
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Writable } from 'node:stream';

/** Each line replaces the list of groups. A child that ends by itself when its stdin ends has two seconds for that. */
const SCRIPT = 'while read -r line; do last=$line; done; [ -z "$last" ] || sleep 2; for group in $last; do kill -s KILL -- "-$group"; done';

const LINGER = 5_000;

let shell: ChildProcessByStdio<Writable, null, null> | undefined;
let linger: NodeJS.Timeout | undefined;

/** Tells of the process groups that are alive now. */
export function watch(groups: ReadonlySet<number>): void {
  if (process.platform === 'win32') return;
  clearTimeout(linger);
  if (groups.size > 0) shell ??= start();
  else linger = setTimeout(end, LINGER).unref();
  shell?.stdin.write(`${[...groups].join(' ')}\n`);
}

function end(): void {
  shell?.stdin.end();
  shell = undefined;
}

function start(): ChildProcessByStdio<Writable, null, null> {
  const started = spawn('/bin/sh', ['-c', SCRIPT], { stdio: ['pipe', 'ignore', 'ignore'], detached: true, env: {} });
  const forget = (): void => {
    if (shell === started) shell = undefined;
  };
  started.on('error', forget).on('exit', forget).unref();
  started.stdin.on('error', forget);
  // It must not keep this process alive.
  (started.stdin as Writable & { unref?(): void }).unref?.();
  return started;
}
