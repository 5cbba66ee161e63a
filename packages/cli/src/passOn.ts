/** Runs a command of another package, which reads its words and prints its answer by itself. */
import { Writable } from 'node:stream';
import { failed } from './answer.js';
import { exitCodes, type FailureKind } from './exit.js';
import { Failure } from './failure.js';
import type { Output } from './output.js';

export interface PassedOn {
  readonly run: (words: readonly string[], io: PassedIo) => Promise<number>;
}

export interface PassedIo {
  readonly out: Output;
  readonly signal: AbortSignal;
}

export async function passOn({ run }: PassedOn, words: readonly string[], interrupt: AbortController, out: Output): Promise<number> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (interrupt.signal.aborted) process.exit(exitCodes.interrupted);
      interrupt.abort();
    });
  const code = await run(words, { out, signal: interrupt.signal });
  return interrupt.signal.aborted ? exitCodes.interrupted : code;
}

/** Keeps the end of what such a command prints, for the JSON object. `onward` gets all of it as well. */
export class Kept extends Writable {
  text = '';
  readonly #onward: NodeJS.WritableStream | undefined;

  constructor(onward?: NodeJS.WritableStream) {
    super();
    this.#onward = onward;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text = (this.text + chunk.toString()).slice(-MAX_KEPT);
    this.#onward?.write(chunk);
    done();
  }
}

/** A report of every rule has about 100 KB. */
const MAX_KEPT = 20_000_000;

/** Says as JSON why a command ended with this code. The first line that it wrote is the message, the others are the hint. */
export function printFailed(command: string, code: number, written: string, out: Output): void {
  const [kind] = Object.entries(exitCodes).find(([, one]) => one === code) ?? ['fault'];
  const [message = '', ...hint] = written.trim().split('\n');
  const failure = new Failure(
    kind as FailureKind,
    message.replace(`waybill ${command}: `, ''),
    hint.map((line) => line.trim()).join('\n') || undefined,
  );
  out.line(failed(failure, command));
}
