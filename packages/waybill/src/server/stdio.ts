import type { WireOptions } from '../wire/concern.js';
import { liftEnvironment } from '../wire/environment.js';
import { isObject } from '../wire/json.js';

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
  readonly once: Listening;
  readonly off: Listening;
  write(text: string): boolean;
}

export interface StdioOptions {
  readonly stdin?: StdioInput;
  readonly stdout?: StdioOutput;
  /** Characters in one line; a longer one ends the connection, as in the SDKs. */
  readonly maxLine?: number;
}

/** The members a JSON-RPC message may have; the SDKs drop a line with another. */
const MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);
const MAX_LINE = 10 * 1024 * 1024;

export function stdioTransport(options: StdioOptions, wire: WireOptions): StdioTransport {
  const streams = (globalThis as unknown as { process?: { stdin: StdioInput; stdout: StdioOutput } }).process;
  const input = options.stdin ?? streams?.stdin;
  const output = options.stdout ?? streams?.stdout;
  if (input === undefined || output === undefined) throw new TypeError('stdio: this runtime has no stdin and stdout; pass both');
  const limit = options.maxLine ?? MAX_LINE;
  if (!Number.isSafeInteger(limit) || limit <= 0) throw new RangeError('stdio.maxLine: is not a positive integer');
  const decoder = new TextDecoder();
  let rest = '';
  let open = false;
  let closed = false;

  const transport: StdioTransport = {
    start: async () => {
      if (open) throw new Error('stdio: already started; connect() starts a transport by itself');
      open = true;
      input.on('data', read);
      input.on('error', failed);
      input.on('end', end);
      input.on('close', end);
      output.on('error', broken);
      await Promise.resolve();
    },
    send: (message) =>
      closed ? Promise.reject(new Error('stdio: the transport is closed')) : written(output, `${JSON.stringify(message)}\n`),
    close: async () => {
      if (closed) return;
      closed = true;
      input.off('data', read);
      input.off('error', failed);
      input.off('end', end);
      input.off('close', end);
      if (input.listenerCount('data') === 0) input.pause();
      rest = '';
      transport.onclose?.();
      await Promise.resolve();
    },
  };

  function read(chunk: Uint8Array | string): void {
    rest += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    for (let at = rest.indexOf('\n'); at >= 0 && !closed; at = rest.indexOf('\n')) {
      const line = rest.slice(0, at);
      rest = rest.slice(at + 1);
      if (line.trim() !== '') deliver(line);
    }
    if (rest.length <= limit) return;
    failed(new Error(`stdio: a line is longer than ${limit} characters`));
    end();
  }

  function deliver(line: string): void {
    try {
      const message = liftEnvironment(JSON.parse(line) as unknown, wire);
      const stray = isObject(message) ? Object.keys(message).find((name) => !MEMBERS.has(name)) : undefined;
      if (!isObject(message) || message['jsonrpc'] !== '2.0') throw new Error('stdio: a line is not a JSON-RPC message');
      if (stray !== undefined) throw new Error(`stdio: a message has an unknown member ${JSON.stringify(stray.slice(0, 64))}`);
      transport.onmessage?.(message);
    } catch (error) {
      failed(error instanceof Error ? error : new Error(String(error)));
    }
  }

  function failed(error: Error): void {
    transport.onerror?.(error);
  }
  function end(): void {
    void transport.close();
  }
  /** Stays for good: what was written before the end may still fail after it, and an error nobody hears ends the process. */
  function broken(error: Error): void {
    if (closed) return;
    failed(error);
    end();
  }
  return transport;
}

function written(output: StdioOutput, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error): void => {
      output.off('error', settle);
      output.off('drain', drained);
      if (error === undefined) resolve();
      else reject(error);
    };
    const drained = (): void => settle();
    output.once('error', settle);
    if (output.write(text)) settle();
    else output.once('drain', drained);
  });
}
