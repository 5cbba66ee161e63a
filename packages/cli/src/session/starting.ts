/** Waits for a server to start. A command that ends, prints something else than messages, or never answers is told by what it did. */
import type { Readable } from 'node:stream';
import { saidHint } from '../explain.js';
import { Failure } from '../failure.js';
import { cleanLine } from '../output.js';
import { isOn, type Run } from '../run.js';
import type { CommandTarget, Target } from '../target/target.js';
import { diagnose } from './diagnose.js';

export class Starting {
  readonly #run: Run;
  readonly #target: Target;
  readonly #timeout: number;

  constructor(run: Run, target: Target, timeout: number) {
    this.#run = run;
    this.#target = target;
    this.#timeout = timeout;
  }

  /** Keeps the end of what a command writes to its stderr, and shows it with `--debug`. It has to be read: a full pipe would stop the command. */
  watch(transport: object): void {
    const { stderr } = transport as { stderr?: Readable };
    stderr?.on('data', (chunk: Buffer) => {
      const { about } = this.#run;
      about.stderr = `${about.stderr ?? ''}${chunk.toString()}`.slice(-2000);
      if (isOn(this.#run, 'debug')) this.#run.out.note(this.#run.out.paintNote('dim', chunk.toString().trimEnd()));
    });
  }

  /** Waits for the connection, at most as long as an answer may take. */
  async during(connecting: Promise<void>): Promise<void> {
    const { out } = this.#run;
    const started = performance.now();
    const waiting = setInterval(() => {
      const seconds = Math.round((performance.now() - started) / 1000);
      out.status(`${seconds} s … connecting to ${this.#target.label}`);
    }, 1000);
    let late: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      late = setTimeout(() => reject(Object.assign(new Error('no answer'), { code: 'REQUEST_TIMEOUT' })), this.#timeout);
    });
    try {
      await Promise.race([connecting, timeout]);
    } catch (error) {
      if (this.#run.signal.aborted || this.#target.kind === 'http') throw error;
      throw await explained(this.#target, error);
    } finally {
      clearTimeout(late);
      clearInterval(waiting);
      out.status('');
    }
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
