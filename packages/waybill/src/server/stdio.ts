import { checkMaxLine } from '../transport/line.js';
import type { WireOptions } from '../wire/concern.js';
import { liftEnvironment } from '../wire/environment.js';
import { isObject, type Meta } from '../wire/json.js';
import { kindOf } from '../wire/message.js';
import { OpenRequests } from './stdio/open.js';
import { Lines, streamsOf, type StdioInput, type StdioOutput } from './stdio/streams.js';

export type { StdioInput, StdioListen, StdioOutput } from './stdio/streams.js';

/**
 * A stdio transport that lifts the literal `clientContext` before anybody is strict about it: both SDKs' own drop such a line without
 * a word, and the caller waits for its timeout (CTX-20, CTX-21). For `serveStdio(…, { transport })` of SDK v2, and for `connect` of both.
 */
export interface StdioTransport {
  /** Tells the layer that it may say so to clients. */
  readonly lifts: true;
  start(): Promise<void>;
  send(message: unknown): Promise<void>;
  close(): Promise<void>;
  onmessage?: (message: unknown, extra?: unknown) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
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
/** A timer that is asked for more fires at once. */
const LONGEST = 2 ** 31 - 1;

export function stdioTransport(options: StdioOptions, wire: WireOptions): StdioTransport {
  const { input, output } = streamsOf(options.stdin, options.stdout);
  const limit = checkMaxLine(options.maxLine, 'stdio.maxLine');
  const grace = options.grace ?? GRACE;
  if (!Number.isSafeInteger(grace) || grace < 0 || grace > LONGEST)
    throw new RangeError(`stdio.grace: is not a number of milliseconds from 0 to ${LONGEST}`);
  const decoder = new TextDecoder();
  const requests = new OpenRequests();
  const lines = new Lines(output);
  const settle = (): void => lines.settle();
  let rest = '';
  let open = false;
  let ended = false;
  let closed = false;
  let late: ReturnType<typeof setTimeout> | undefined;

  const transport: StdioTransport = {
    lifts: true,
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
      const given = isObject(message) ? message : {};
      let isOut = false;
      try {
        if (closed) throw new Error(CLOSED);
        if (ended && kindOf(given) === 'request') throw new Error('stdio: stdin has ended, so nobody would answer');
        requests.goes(given);
        await lines.write(`${JSON.stringify(message)}\n`);
        isOut = true;
      } finally {
        requests.gone(given, isOut);
        // A turn later: while its answer is on the way a call is an open one to the SDK, and its signal would tell its handler to stop.
        if (ended && requests.areServed) setTimeout(closeIfDone);
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
      lines.settle(new Error(CLOSED));
      if (input.listenerCount('data') === 0) input.pause();
      rest = '';
      transport.onclose?.();
      await Promise.resolve();
    },
  };

  function read(chunk: Uint8Array | string): void {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const [first = '', ...others] = text.split('\n');
    const whole = [rest + first, ...others];
    rest = whole.pop() ?? '';
    for (const line of whole) if (fits(line) && line.trim() !== '') deliver(line);
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

  function take(message: Meta): void {
    requests.came(message);
    try {
      transport.onmessage?.(message);
    } catch (error) {
      failed(error);
    }
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
    for (const id of requests.ours) take({ jsonrpc: '2.0', id, error: { code: CONNECTION_CLOSED, message: 'Connection closed' } });
    closeIfDone();
  }
  function closeIfDone(): void {
    if (ended && requests.areServed) void transport.close();
  }
  /** Stays for good: what was written before the end may still fail after it, and an error nobody hears ends the process. */
  function broken(error: Error): void {
    if (closed) return;
    lines.settle(error);
    failed(error);
    void transport.close();
  }
  return transport;
}
