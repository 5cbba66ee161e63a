import type { ChildProcess } from 'node:child_process';
import { ended, type Started, start, stop } from './child.js';
import { type Exchange, type Link, methodNotFound, newExchange, type SendOptions, stray } from './exchange.js';
import { MAX_BYTES, parse, reason } from './http.js';
import type { Message } from './json.js';

interface Waiting {
  readonly exchange: Exchange;
  readonly finish: (problem?: string) => void;
}

/** One server process and its lines. Answers are paired by id, in whatever order they come. */
export class StdioLink implements Link {
  readonly transport = 'stdio';
  readonly #started: Started;
  readonly #waiting = new Map<unknown, Waiting>();
  /** Finished exchanges, so that a second answer finds the one it belongs to. */
  readonly #finished = new Map<unknown, Exchange>();
  #failed: string | undefined;
  #rest = '';

  constructor(command: readonly string[]) {
    this.#started = start(command);
    const { child } = this.#started;
    child.once('error', (error) => this.#fail(`the command did not start: ${reason(error)}`));
    child.once('close', (code, name) => this.#fail(this.#ending(code, name)));
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => this.#read(chunk));
  }

  get alive(): boolean {
    return this.#failed === undefined && !ended(this.#child);
  }

  get #child(): ChildProcess {
    return this.#started.child;
  }

  #ending(code: number | null, name: string | null): string {
    const stderrText = this.#started.stderrText();
    return `the process ended with ${name ?? `code ${code ?? 0}`}${stderrText === '' ? '' : `: ${stderrText.split('\n').at(-1) ?? ''}`}`;
  }

  send(message: Message, { timeout }: SendOptions): Promise<Exchange> {
    const exchange = newExchange(message);
    const { id } = message;
    if (this.#failed !== undefined) {
      exchange.problem = this.#failed;
      return Promise.resolve(exchange);
    }
    const line = `${JSON.stringify(message)}\n`;
    if (id === undefined) {
      this.#child.stdin?.write(line);
      return Promise.resolve(exchange);
    }
    return new Promise((resolve) => {
      const limit = setTimeout(() => finish(`no answer within ${timeout} ms${stray(exchange)}`), timeout);
      const finish = (problem?: string) => {
        clearTimeout(limit);
        this.#waiting.delete(id);
        this.#finished.set(id, exchange);
        if (problem !== undefined) exchange.problem ??= problem;
        resolve(exchange);
      };
      this.#waiting.set(id, { exchange, finish });
      this.#child.stdin?.write(line);
    });
  }

  #read(chunk: string): void {
    this.#rest += chunk;
    for (let end = this.#rest.indexOf('\n'); end >= 0; end = this.#rest.indexOf('\n')) {
      const line = this.#rest.slice(0, end);
      this.#rest = this.#rest.slice(end + 1);
      this.#line(line);
    }
    if (this.#rest.length > MAX_BYTES) {
      this.#fail(`a line is longer than ${MAX_BYTES / 1024 / 1024} MB`);
      void this.close();
    }
  }

  #line(line: string): void {
    if (line.trim() === '') return;
    const message = parse(line);
    const waiting = [...this.#waiting.values()];
    if (message === undefined) {
      const owners = waiting.length > 0 ? waiting.map(({ exchange }) => exchange) : [...this.#finished.values()].slice(-1);
      for (const exchange of owners) exchange.notJsonRpc.push(line.slice(0, 500));
      return;
    }
    const { id, method } = message;
    if (method === undefined) {
      const owner = this.#waiting.get(id);
      if (owner !== undefined) {
        owner.exchange.answer = message;
        owner.finish();
      } else if (this.#finished.has(id)) this.#finished.get(id)?.secondAnswers.push(message);
      else for (const { exchange } of waiting) exchange.others.push(message);
      return;
    }
    // On stdio a server's message names no request, so every waiting exchange gets it.
    for (const { exchange } of waiting) exchange.others.push(message);
    if (id !== undefined) this.#child.stdin?.write(`${JSON.stringify(methodNotFound(id))}\n`);
  }

  #fail(problem: string): void {
    this.#failed ??= problem;
    for (const { finish } of [...this.#waiting.values()]) finish(this.#failed);
  }

  close(): Promise<void> {
    return stop(this.#child);
  }
}
