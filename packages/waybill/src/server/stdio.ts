import { CANCELLED } from '../transport/channel/run.js';
import { checkMaxLine } from '../transport/line.js';
import { hasFunctions } from '../wire/check.js';
import type { WireOptions } from '../wire/concern.js';
import { liftEnvironment } from '../wire/environment.js';
import { isObject } from '../wire/json.js';
import { kindOf } from '../wire/message.js';

/**
 * A stdio transport that lifts the literal `clientContext` before anybody is strict about it: both SDKs' own drop such a line without
 * a word, and the caller waits for its timeout (CTX-20, CTX-21). For `serveStdio(…, { transport })` of SDK v2, and for `connect` of both.
 */
export interface StdioTransport {
  start(): Promise<void>;
  send(message: unknown): Promise<void>;
  close(): Promise<void>;
  onmessage?: (message: unknown, extra?: unknown) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
}

/** As much of Node's streams as is needed, so that this file loads anywhere. */
interface Listening {
  (event: 'data', listener: (chunk: Uint8Array | string) => void): unknown;
  (event: 'error', listener: (error: Error) => void): unknown;
  (event: 'end' | 'close' | 'drain', listener: () => void): unknown;
}
export interface StdioInput {
  readonly on: Listening;
  readonly off: Listening;
  pause(): unknown;
  listenerCount(event: string): number;
}
export interface StdioOutput {
  readonly on: Listening;
  readonly off: Listening;
  write(text: string): boolean;
}

export interface StdioOptions {
  readonly stdin?: StdioInput;
  readonly stdout?: StdioOutput;
  /** Characters in one line; a longer one is not delivered and ends the connection, as in the SDKs. */
  readonly maxLine?: number;
  /** Milliseconds after the end of stdin in which requests that were read are still answered; a minute unless said. */
  readonly grace?: number;
}

/** The members a JSON-RPC message may have; the SDKs drop a line with another. */
const MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);
const CLOSED = 'stdio: the transport is closed';
/** As SDK v1 says to whoever waits for an answer when a connection ends. */
const CONNECTION_CLOSED = -32_000;
/** The clients of both SDKs wait no longer for an answer unless they are told to. */
const GRACE = 60_000;
/** What is remembered in either direction; for requests beyond these the end does not wait, and those of ours are not told of it. */
const MOST = 65_536;
/** A timer that is asked for more fires at once. */
const LONGEST = 2 ** 31 - 1;

export function stdioTransport(options: StdioOptions, wire: WireOptions): StdioTransport {
  const { input, output } = streamsOf(options);
  const limit = checkMaxLine(options.maxLine, 'stdio.maxLine');
  const grace = options.grace ?? GRACE;
  if (!Number.isSafeInteger(grace) || grace < 0 || grace > LONGEST)
    throw new RangeError(`stdio.grace: is not a number of milliseconds from 0 to ${LONGEST}`);
  const decoder = new TextDecoder();
  /** The ids of requests that were read and not answered yet. */
  const unanswered = new Set<unknown>();
  /** The ids of our own requests that the peer has not answered yet. */
  const asked = new Set<unknown>();
  /** The sends that wait until the output has taken them. */
  const waiting = new Set<(error?: Error) => void>();
  let rest = '';
  let open = false;
  let ended = false;
  let closed = false;
  let late: ReturnType<typeof setTimeout> | undefined;

  const transport: StdioTransport = {
    start: async () => {
      if (open) throw new Error('stdio: already started; connect() starts a transport by itself');
      open = true;
      input.on('data', read);
      input.on('error', failed);
      input.on('end', end);
      input.on('close', end);
      output.on('error', broken);
      output.on('drain', settle);
      await Promise.resolve();
    },
    send: async (message) => {
      try {
        noteAsked(message);
        await written(message);
      } catch (error) {
        if (isObject(message) && message['method'] !== undefined) asked.delete(message['id']);
        throw error;
      } finally {
        if (isObject(message) && message['method'] === undefined) unanswered.delete(message['id']);
        // A turn later: while its answer is on the way a call is an open one to the SDK, and its signal would tell its handler to stop.
        if (ended) setTimeout(closeIfDone);
      }
    },
    close: async () => {
      if (closed) return;
      closed = true;
      clearTimeout(late);
      input.off('data', read);
      input.off('error', failed);
      input.off('end', end);
      input.off('close', end);
      output.off('drain', settle);
      settle(new Error(CLOSED));
      if (input.listenerCount('data') === 0) input.pause();
      rest = '';
      transport.onclose?.();
      await Promise.resolve();
    },
  };

  function read(chunk: Uint8Array | string): void {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const [first = '', ...others] = text.split('\n');
    const lines = [rest + first, ...others];
    rest = lines.pop() ?? '';
    for (const line of lines) if (fits(line) && line.trim() !== '') deliver(line);
    fits(rest);
  }

  /** Whether the connection goes on with this line: the first that is too long ends it, and so may the handler of one before. */
  function fits(line: string): boolean {
    if (!closed && line.length > limit) {
      failed(new Error(`stdio: a line is longer than ${limit} characters`));
      void transport.close();
    }
    return !closed;
  }

  function deliver(line: string): void {
    try {
      const message = liftEnvironment(JSON.parse(line) as unknown, wire);
      const stray = isObject(message) ? Object.keys(message).find((name) => !MEMBERS.has(name)) : undefined;
      if (!isObject(message) || message['jsonrpc'] !== '2.0') throw new Error('stdio: a line is not a JSON-RPC message');
      if (stray !== undefined) throw new Error(`stdio: a message has an unknown member ${JSON.stringify(stray.slice(0, 64))}`);
      take(message);
    } catch (error) {
      failed(error);
    }
  }

  function take(message: Record<string, unknown>): void {
    note(message);
    const kind = kindOf(message);
    if (kind === 'result' || kind === 'error') heard(message['id']);
    try {
      transport.onmessage?.(message);
    } catch (error) {
      failed(error);
    }
  }

  /** A subscription is answered when the connection ends, and what was cancelled never is: the end waits for neither. */
  function note(message: Record<string, unknown>): void {
    const { id, method, params } = message;
    if (method === CANCELLED && isObject(params)) unanswered.delete(params['requestId']);
    else if (isAnswerable(message) && method !== 'subscriptions/listen' && unanswered.size < MOST) unanswered.add(id);
  }

  /** Both SDKs number what they ask, and take an answer whose id is the text of the number. */
  function heard(id: unknown): void {
    asked.delete(id);
    if (typeof id === 'string') asked.delete(Number(id));
  }

  function noteAsked(message: unknown): void {
    if (!isObject(message)) return;
    const { id, method, params } = message;
    if (method === CANCELLED && isObject(params)) asked.delete(params['requestId']);
    if (kindOf(message) !== 'request' || closed) return;
    if (ended) throw new Error('stdio: stdin has ended, so nobody would answer');
    if (asked.size < MOST) asked.add(id);
  }

  function written(message: unknown): Promise<void> {
    return new Promise((resolve, reject) => {
      if (closed) throw new Error(CLOSED);
      const line = `${JSON.stringify(message)}\n`;
      const done = (error?: Error): void => {
        waiting.delete(done);
        if (error === undefined) resolve();
        else reject(error);
      };
      waiting.add(done);
      if (output.write(line)) done();
    });
  }

  /** One listener for all that wait: one for each send would be a leak in the eyes of Node. */
  function settle(error?: Error): void {
    for (const done of waiting) done(error);
  }

  function failed(error: unknown): void {
    transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
  }
  /**
   * SDK v2 aborts what is still open here, SDK v1 waits for it without end: it is answered, but a handler that hangs holds no process. One
   * that waits for the peer is told that nothing will come.
   */
  function end(): void {
    if (ended) return;
    ended = true;
    late = setTimeout(() => void transport.close(), grace);
    (late as { unref?: () => void }).unref?.();
    for (const id of asked) take({ jsonrpc: '2.0', id, error: { code: CONNECTION_CLOSED, message: 'Connection closed' } });
    closeIfDone();
  }
  function closeIfDone(): void {
    if (ended && unanswered.size === 0) void transport.close();
  }
  /** Stays for good: what was written before the end may still fail after it, and an error nobody hears ends the process. */
  function broken(error: Error): void {
    if (closed) return;
    settle(error);
    failed(error);
    void transport.close();
  }
  return transport;
}

/** A request that an SDK takes; to what it drops nobody will ever answer. */
function isAnswerable(message: Record<string, unknown>): boolean {
  const { id, params } = message;
  if (kindOf(message) !== 'request' || !(typeof id === 'string' || Number.isSafeInteger(id))) return false;
  return params === undefined || (isObject(params) && (params['_meta'] === undefined || isObject(params['_meta'])));
}

function streamsOf({ stdin, stdout }: StdioOptions): { input: StdioInput; output: StdioOutput } {
  const streams = (globalThis as unknown as { process?: { stdin: StdioInput; stdout: StdioOutput } }).process;
  const input = stdin ?? streams?.stdin;
  const output = stdout ?? streams?.stdout;
  if (input === undefined || output === undefined) throw new TypeError('stdio: this runtime has no stdin and stdout; pass both');
  check('stdin', hasFunctions('is not a stream to read from', 'on', 'off', 'pause', 'listenerCount')(input));
  check('stdout', hasFunctions('is not a stream to write to', 'on', 'off', 'write')(output));
  return { input, output };
}

function check(name: string, problem: string | undefined): void {
  if (problem !== undefined) throw new TypeError(`stdio.${name}: ${problem}`);
}
