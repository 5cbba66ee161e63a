/** Waits for a server to start. If a command ends, or prints something else than messages, the error says so. */
import type { Readable } from 'node:stream';
import { saidHint } from '../explain.js';
import { Failure } from '../failure.js';
import { cleanLine } from '../output.js';
import { isOn, type Run } from '../run.js';
import type { CommandTarget, Target } from '../target/target.js';
import { diagnose } from './diagnose.js';

/** Keeps the end of what a command writes to its stderr, and shows it with `--debug`. It has to be read: a full pipe would stop the command. */
export function watchStderr(transport: object, run: Run): void {
  const { stderr } = transport as { stderr?: Readable };
  stderr?.on('data', (chunk: Buffer) => {
    run.about.stderr = `${run.about.stderr ?? ''}${chunk.toString()}`.slice(-2000);
    if (isOn(run, 'debug')) run.out.note(run.out.paintNote('dim', chunk.toString().trimEnd()));
  });
}

/** Waits for the connection, at most as long as an answer may take. */
export async function connected(connecting: Promise<void>, target: Target, timeout: number, { out, signal }: Run): Promise<void> {
  const started = performance.now();
  const waiting = setInterval(() => {
    const seconds = Math.round((performance.now() - started) / 1000);
    out.status(`${seconds} s … connecting to ${target.label}`);
  }, 1000);
  let late: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(Object.assign(new Error('no answer'), { code: 'REQUEST_TIMEOUT' })), timeout);
  });
  try {
    await Promise.race([connecting, tooLate]);
  } catch (error) {
    if (signal.aborted || target.kind === 'http') throw error;
    throw await explained(target, error);
  } finally {
    clearTimeout(late);
    clearInterval(waiting);
    out.status('');
  }
}

async function explained(target: CommandTarget, error: unknown): Promise<unknown> {
  const { code } = error as { code?: unknown };
  if (code === 'ENOENT' || code === 'EACCES') return error;
  const { rubbish, stderr, exit } = await diagnose(target);
  if (rubbish !== undefined)
    return new Failure(
      'protocol',
      `${target.label}: prints something that is no MCP message: ${cleanLine(rubbish).slice(0, 200)}`,
      'Only messages may go to stdout; everything else belongs on stderr.',
      error,
    );
  if (exit === undefined) return error;
  return new Failure('unreachable', `${target.label}: the command ended with ${exit} before it answered`, saidHint(stderr), error);
}
