import { checkMaxLine } from '../transport/body.js';
import type { WireOptions } from '../wire/concern.js';
import { expectMilliseconds } from '../wire/check.js';
import { liftEnvironment } from '../wire/environment.js';
import { isObject, type Meta } from '../wire/json.js';
import { kindOf } from '../wire/message.js';
import { OpenRequests } from './stdio/openRequests.js';
import { Lines, streamsOf, type StdioInput, type StdioOutput } from './stdio/streams.js';

export type { StdioInput, StdioListen, StdioOutput } from './stdio/streams.js';

// CTX-20, CTX-21
/**
 * A stdio transport that moves the literal `clientContext` into `_meta` before any strict check: the transports of both SDKs drop such a
 * line silently, and the caller waits for its timeout. For `serveStdio(…, { transport })` of SDK v2, and for `connect` of both.
 */
export interface StdioTransport {
  /** Lets the layer declare `lifts` to clients. */
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
  /** The longest line, in characters; a longer one is not delivered and ends the connection, as in the SDKs. */
  readonly maxLine?: number;
  /** Milliseconds after the end of stdin in which requests that were read are still answered. Default: one minute. */
  readonly grace?: number;
}

/** The members that a JSON-RPC message may have; the SDKs drop a line with another one. */
const MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);
const CLOSED = 'stdio: the transport is closed';
/** The code that SDK v1 gives to a caller whose connection ends. */
const CONNECTION_CLOSED = -32_000;
/** By default, clients of both SDKs do not wait longer for an answer. */
const GRACE = 60_000;

export function stdioTransport(options: StdioOptions, wire: WireOptions): StdioTransport {
  const { input, output } = streamsOf(options.stdin, options.stdout);
  const limit = checkMaxLine(options.maxLine, 'stdio.maxLine');
  const grace = options.grace ?? GRACE;
  expectMilliseconds(grace, 'stdio.grace');
  const decoder = new TextDecoder();
  const requests = new OpenRequests();
  const lines = new Lines(output);
  const settle = (): void => lines.settle();
  let rest = '';
  let open = false;
  let ended = false;
  let closed = false;
  let graceTimer: ReturnType<typeof setTimeout> | undefined;

  const transport: StdioTransport = {
    lifts: true,
    start: async () => {
      if (open) throw new Error('stdio: already started; remove start(), connect() starts a transport itself');
      open = true;
      input.on('data', read);
      input.on('error', reportError);
      input.on('end', end);
      input.on('close', end);
      output.on('error', outputFailed);
      output.on('drain', settle);
      await Promise.resolve();
    },
    send: async (message) => {
      const given = isObject(message) ? message : {};
      let isOut = false;
      try {
        if (closed) throw new Error(CLOSED);
        if (ended && kindOf(given) === 'request') throw new Error('stdio: stdin has ended, so no answer can come');
        requests.noteOutgoing(given);
        await lines.write(`${JSON.stringify(message)}\n`);
        isOut = true;
      } finally {
        requests.noteSent(given, isOut);
        // One turn later: while its answer is being sent, a call is open for the SDK, and its signal would stop its handler.
        if (ended && requests.areAnswered) setTimeout(closeIfDone);
      }
    },
    close: async () => {
      if (closed) return;
      closed = true;
      clearTimeout(graceTimer);
      input.off('data', read);
      input.off('error', reportError);
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

  /**
   * Tells whether the connection goes on with this line: the first line that is too long ends it, and so may the handler of an earlier one.
   */
  function fits(line: string): boolean {
    if (!closed && line.length > limit) {
      reportError(new Error(`stdio: a line is longer than ${limit} characters`));
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
      reportError(error);
    }
  }

  function take(message: Meta): void {
    requests.noteIncoming(message);
    try {
      transport.onmessage?.(message);
    } catch (error) {
      reportError(error);
    }
  }

  function reportError(error: unknown): void {
    transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
  }
  /**
   * SDK v2 aborts open calls here, SDK v1 waits for them for ever. Here they are answered, but a handler that hangs does not keep the
   * process alive. A handler that waits for the peer gets an error.
   */
  function end(): void {
    if (ended) return;
    ended = true;
    graceTimer = setTimeout(() => void transport.close(), grace);
    (graceTimer as { unref?: () => void }).unref?.();
    for (const id of requests.ours) take({ jsonrpc: '2.0', id, error: { code: CONNECTION_CLOSED, message: 'Connection closed' } });
    closeIfDone();
  }
  function closeIfDone(): void {
    if (ended && requests.areAnswered) void transport.close();
  }
  /** This listener stays: an earlier write may still fail after the end, and an unhandled error ends the process. */
  function outputFailed(error: Error): void {
    if (closed) return;
    lines.settle(error);
    reportError(error);
    void transport.close();
  }
  return transport;
}
