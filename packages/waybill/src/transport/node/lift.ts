import { Transform, type TransformCallback } from 'node:stream';
import type { WireOptions } from '../../wire/concern.js';
import { liftEnvironment } from '../../wire/environment.js';
import { isObject } from '../../wire/json.js';
import { CLIENT_CONTEXT_SIBLING } from '../../wire/keys.js';
import { checkMaxLine } from '../body.js';

const NEWLINE = 0x0a;
const SIBLING = Buffer.from(JSON.stringify(CLIENT_CONTEXT_SIBLING));

// CTX-21
/**
 * For stdio: both SDKs drop a line whose request has a member beside `params`, so this stream moves it into `_meta` first: `new
 * StdioServerTransport(liftStream(process.stdin))`. Chunks without the sibling pass unchanged. `maxLine`: bytes of a line that are held
 * until its end comes; a longer line passes unchanged, and the SDK refuses it.
 */
export function liftStream(input: NodeJS.ReadableStream, options: WireOptions & { readonly maxLine?: number } = {}): Transform {
  const lifter = new Lifter(options, checkMaxLine(options.maxLine, 'liftStream.maxLine'));
  input.on('error', (error: Error) => lifter.destroy(error));
  // A destroyed stream has no end event, and `pipe` waits for one.
  input.on('close', () => lifter.end());
  return input.pipe(lifter);
}

class Lifter extends Transform {
  /** `attach` asks for this before it declares `lifts`. */
  readonly lifts = true;
  readonly #options: WireOptions;
  readonly #most: number;
  /** The start of a line whose end has not come yet. */
  #rest: Buffer[] = [];
  #held = 0;

  constructor(options: WireOptions, most: number) {
    super();
    this.#options = options;
    this.#most = most;
  }

  override _transform(chunk: Buffer | string, encoding: BufferEncoding, done: TransformCallback): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
    const end = bytes.lastIndexOf(NEWLINE);
    if (end >= 0) {
      this.#hold(bytes.subarray(0, end + 1));
      const whole = this.#release();
      this.push(whole.includes(SIBLING) ? this.#liftLines(whole) : whole);
    }
    this.#hold(bytes.subarray(end + 1));
    // The rest of the line is no JSON by itself, so it passes unchanged too.
    if (this.#held > this.#most) this.push(this.#release());
    done();
  }

  override _flush(done: TransformCallback): void {
    this.push(this.#release());
    done();
  }

  #hold(bytes: Buffer): void {
    if (bytes.length > 0) this.#rest.push(bytes);
    this.#held += bytes.length;
  }

  #release(): Buffer {
    const [first] = this.#rest;
    // A line that came in one piece is passed on without a copy.
    const bytes = first !== undefined && this.#rest.length === 1 ? first : Buffer.concat(this.#rest);
    this.#rest = [];
    this.#held = 0;
    return bytes;
  }

  #liftLines(bytes: Buffer): Buffer {
    const lines = bytes.toString('utf8').split('\n');
    return Buffer.from(lines.map((line) => this.#liftLine(line)).join('\n'));
  }

  #liftLine(line: string): string {
    if (!line.includes(SIBLING.toString())) return line;
    try {
      const message: unknown = JSON.parse(line);
      const lifted = isObject(message) ? liftEnvironment(message, this.#options) : message;
      return lifted === message ? line : JSON.stringify(lifted);
    } catch {
      // Not JSON: the SDK behind us reports it.
      return line;
    }
  }
}
