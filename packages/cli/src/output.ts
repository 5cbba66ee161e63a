import type { WriteStream } from 'node:tty';
import { Secrets } from './mask.js';
import { cut } from './table.js';

type Stream = NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';
const CODES: Readonly<Record<Style, number>> = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 };

/** Control characters of a server must not reach a terminal: they could move the cursor or rewrite what stands above. */
// Bidirectional overrides are unsafe, too: they reorder the text that follows.
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/g;
export const clean = (text: string): string => text.replace(UNSAFE, '');
/** The same on one line. Blanks that hold a number and its unit together stay. */
export const cleanLine = (text: string): string => clean(text.replace(/[^\S\u00a0\u202f]+/g, ' ')).trim();

/** Data goes to stdout, everything else to stderr. Secrets are masked in both. */
export class Output {
  readonly secrets: Secrets = new Secrets();
  readonly json: boolean;
  readonly #stdout: Stream;
  readonly #stderr: Stream;
  readonly #colour: boolean;
  #isAsking = false;

  constructor(stdout: Stream, stderr: Stream, { json, env }: { readonly json: boolean; readonly env: NodeJS.ProcessEnv }) {
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.json = json;
    this.#colour = (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
  }

  /** The width of the terminal. A file or a pipe has none: there nothing is cut or wrapped. */
  get columns(): number {
    return this.#stdout.columns ?? Infinity;
  }

  /** Paints a text that goes to stdout. */
  paint(style: Style, text: string): string {
    return this.#painted(this.#stdout, style, text);
  }

  /** Paints a text that goes to stderr. */
  paintNote(style: Style, text: string): string {
    return this.#painted(this.#stderr, style, text);
  }

  #painted(stream: Stream, style: Style, text: string): string {
    return this.#colour && stream.isTTY === true ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text;
  }

  data(text: string): void {
    if (text !== '') this.#stdout.write(`${this.secrets.hide(text)}\n`);
  }

  /** One JSON object on one line. */
  line(value: unknown): void {
    this.#stdout.write(`${JSON.stringify(this.secrets.hideIn(value))}\n`);
  }

  note(text: string): void {
    this.#stderr.write(`${this.secrets.hide(text)}\n`);
  }

  /** While a question waits for its answer, no status is written: it would write over what is typed. */
  set isAsking(value: boolean) {
    this.status('');
    this.#isAsking = value;
  }

  /** Writes over the last line of a terminal, and stays on one line; nothing elsewhere. */
  status(text: string): void {
    if (this.#stderr.isTTY !== true || this.#isAsking) return;
    const line = cut(this.secrets.hide(text), (this.#stderr.columns ?? 80) - 1);
    this.#stderr.write(`\r\u001b[K${this.paintNote('dim', line)}`);
  }
}
