import { Transform, type TransformCallback } from 'node:stream';
import type { WireOptions } from '../../wire/concern.js';
import { liftEnvironment } from '../../wire/environment.js';
import { isObject } from '../../wire/json.js';
import { CLIENT_CONTEXT_SIBLING } from '../../wire/keys.js';

const NEWLINE = 0x0a;
const SIBLING = Buffer.from(JSON.stringify(CLIENT_CONTEXT_SIBLING));

/**
 * CTX-21 on stdio: both SDKs drop a line whose request has a member beside `params`, so it is lifted into `_meta` in front
 * of them: `new StdioServerTransport(liftStream(process.stdin))`. Whole chunks without the sibling pass as they are.
 */
export function liftStream(input: NodeJS.ReadableStream, options: WireOptions = {}): Transform {
  const lifter = new Lifter(options);
  input.on('error', (error: Error) => lifter.destroy(error));
  return input.pipe(lifter);
}

class Lifter extends Transform {
  /** What `attach` asks before it declares so. */
  readonly lifts = true;
  readonly #options: WireOptions;
  /** The start of a line whose end has not come yet. */
  #rest: Buffer[] = [];

  constructor(options: WireOptions) {
    super();
    this.#options = options;
  }

  override _transform(chunk: Buffer | string, encoding: BufferEncoding, done: TransformCallback): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
    const end = bytes.lastIndexOf(NEWLINE);
    if (end < 0) {
      this.#rest.push(bytes);
      done();
      return;
    }
    const whole = this.#rest.length === 0 ? bytes.subarray(0, end + 1) : Buffer.concat([...this.#rest, bytes.subarray(0, end + 1)]);
    this.#rest = end + 1 < bytes.length ? [bytes.subarray(end + 1)] : [];
    this.push(whole.includes(SIBLING) ? this.#liftLines(whole) : whole);
    done();
  }

  override _flush(done: TransformCallback): void {
    if (this.#rest.length > 0) this.push(Buffer.concat(this.#rest));
    done();
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
      // Not JSON: the SDK behind us says so better than we could.
      return line;
    }
  }
}
