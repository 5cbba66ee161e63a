import { expectMethods } from '../../wire/check.js';

/** The part of Node's streams that is needed, so that this folder loads anywhere. */
export interface StdioListen {
  (event: 'data', listener: (chunk: Uint8Array | string) => void): unknown;
  (event: 'error', listener: (error: Error) => void): unknown;
  (event: 'end' | 'close' | 'drain', listener: () => void): unknown;
}
export interface StdioInput {
  readonly on: StdioListen;
  readonly off: StdioListen;
  pause(): unknown;
  listenerCount(event: string): number;
}
export interface StdioOutput {
  readonly on: StdioListen;
  readonly off: StdioListen;
  write(text: string): boolean;
}

/** Returns the given streams, or those of the process. */
export function streamsOf(stdin: StdioInput | undefined, stdout: StdioOutput | undefined): { input: StdioInput; output: StdioOutput } {
  const streams = (globalThis as unknown as { process?: { stdin: StdioInput; stdout: StdioOutput } }).process;
  const input = stdin ?? streams?.stdin;
  const output = stdout ?? streams?.stdout;
  if (input === undefined || output === undefined) throw new TypeError('stdio: this runtime has no stdin and stdout; pass both');
  expectMethods('a stream to read from', 'on', 'off', 'pause', 'listenerCount')(input, 'stdio.stdin');
  expectMethods('a stream to write to', 'on', 'off', 'write')(output, 'stdio.stdout');
  return { input, output };
}

/** Writes lines; each is done when the output has taken it. */
export class Lines {
  readonly #output: StdioOutput;
  readonly #waiting = new Set<(error?: Error) => void>();

  constructor(output: StdioOutput) {
    this.#output = output;
  }

  write(line: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (error?: Error): void => {
        this.#waiting.delete(done);
        if (error === undefined) resolve();
        else reject(error);
      };
      this.#waiting.add(done);
      if (this.#output.write(line)) done();
    });
  }

  /** Settles all waiting writes: one listener for each of them would look like a leak to Node. */
  settle(error?: Error): void {
    for (const done of this.#waiting) done(error);
  }
}
