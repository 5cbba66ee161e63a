/** Serves one upstream over stdin and stdout, for a desktop host that starts the gateway as a command. One pipe is one client. */
import type { Readable, Writable } from 'node:stream';
import { discard, Refusal, type Answer } from '../answer.js';
import { drained } from '../chunks.js';
import type { Caller } from '../face.js';
import type { UpstreamHop } from '../hop.js';
import type { Exchange, Exchanges } from '../operations/exchanges.js';
import type { JsonObject } from 'waybill';
import type { Counted } from './limits.js';
import { at, own, textOf } from '../json/values.js';
import type { Era } from '../config/types.js';
import { errorText, idKey, idTextOf, messageOf, readMessage, type Message } from '../message.js';
import { declaredBy, eraOf } from '../revision.js';
import { messagesOf } from '../sse.js';
import { lines } from '../upstream/process.js';
import { forManyListeners } from '../signals.js';

/** Milliseconds that calls have to be answered in, once stdin has ended. */
const GRACE = 1_500;

export interface PipeOptions {
  readonly caller: Caller;
  readonly exchanges: Exchanges;
  /** Counts a request against the limits of the caller. Throws a refusal. Returns what to call when it has ended. */
  readonly enter: (kind: Counted) => () => void;
  /** Returns the parsed text; undefined, or throws, if it is not JSON or breaks a limit. */
  readonly parse: (text: string) => unknown;
}

/** Resolves when stdin has ended, and every answer that came soon after is written; or when nobody reads them any more. */
export function servePipe(hop: UpstreamHop, input: Readable, output: Writable, options: PipeOptions): Promise<void> {
  const { caller, exchanges, enter, parse } = options;
  const over = forManyListeners();
  const listening = new AbortController();
  const calls = new Map<string, AbortController>();
  const running = new Set<Promise<void>>();
  let session: string | undefined;
  let version: string | undefined;
  let declared: JsonObject | undefined;
  /** A client may write on before `initialize` is answered. Only then is its session known. */
  let opening: Promise<unknown> | undefined;

  const write = (text: string): void | Promise<void> => {
    if (over.signal.aborted || output.write(`${text.replaceAll(/[\n\r]/g, ' ')}\n`)) return;
    return drained(output);
  };
  const pass = async (answer: Answer, exchange?: Exchange, seen: (text: string) => void = () => undefined): Promise<void> => {
    for await (const { text } of messagesOf(answer, hop.name)) {
      if (text === '') continue;
      seen(text);
      exchange?.wrote(text);
      await write(text);
    }
  };
  const incoming = (era: Era, signal: AbortSignal, exchange?: Exchange) => ({
    ...{ era, caller, session, declared, version, received: {}, signal },
    ...(exchange && { exchange }),
  });

  async function listen(): Promise<void> {
    const answer = await hop.get(incoming('legacy', listening.signal));
    if (answer.kind === 'http' && answer.status !== 200) discard(answer);
    else await pass(answer);
  }

  async function take(message: Message): Promise<void> {
    const era = eraOf(message, version);
    if (era === 'modern' && message.method === 'notifications/cancelled') {
      calls.get(idKey(own(message.params, 'requestId')))?.abort();
      return;
    }
    const exchange = exchanges.begin('POST');
    if (exchange) Object.assign(exchange, { upstream: hop.name, principal: caller.principal });
    exchange?.request(message);
    let status = 200;
    const call = new AbortController();
    const key = message.kind === 'request' ? idKey(message.id) : undefined;
    const stop = (): void => call.abort();
    over.signal.addEventListener('abort', stop, { once: true });
    if (key !== undefined) calls.set(key, call);
    let leave: (() => void) | undefined;
    try {
      if (message.kind === 'request') leave = enter(message.method === 'subscriptions/listen' ? 'streams' : 'calls');
      const isOpening = message.method === 'initialize';
      // Before the rules change the message: `state: keep` adds a capability that the client does not have.
      if (isOpening) declared = declaredBy(message, era);
      const answer = await hop.post(message, incoming(era, call.signal, exchange));
      if (isOpening) session = answer.headers?.['mcp-session-id'];
      await pass(answer, exchange, isOpening ? (text) => (version = versionIn(text) ?? version) : undefined);
      if (message.method === 'notifications/initialized') run(listen().catch(() => undefined));
    } catch (error) {
      if (call.signal.aborted) status = 499;
      if (call.signal.aborted || message.kind !== 'request') return;
      const refusal = error instanceof Refusal ? error : new Refusal(500, -32603, 'Internal error');
      const { code, message: problem, data } = refusal;
      ({ status } = refusal);
      await write(errorText(message.idText, code, problem, data));
    } finally {
      leave?.();
      over.signal.removeEventListener('abort', stop);
      if (key !== undefined) calls.delete(key);
      exchange?.end(status);
    }
  }

  function run(work: Promise<void>): void {
    running.add(work);
    void work.finally(() => running.delete(work));
  }

  lines(input, (line) => {
    const message = read(line, parse);
    if (typeof message === 'string') {
      void write(message);
      return;
    }
    const before = opening;
    const work = before === undefined ? take(message) : before.then(() => take(message));
    if (message.method === 'initialize') opening = work;
    run(work);
  });
  return new Promise((resolve) => {
    const end = async (): Promise<void> => {
      listening.abort();
      const timer = setTimeout(() => over.abort(), GRACE);
      await Promise.all(running);
      clearTimeout(timer);
      resolve();
    };
    input.once('end', () => void end());
    input.once('close', () => void end());
    // The host reads no more answers.
    const abandon = (): void => {
      over.abort();
      void end();
    };
    output.on('error', abandon).once('close', abandon);
  });
}

/** Returns the message, or the text of the error that answers a line which is none. */
function read(line: string, parse: (text: string) => unknown): Message | string {
  let value: unknown;
  try {
    value = parse(line);
  } catch {
    value = undefined;
  }
  if (value === undefined) return errorText('null', -32700, 'Parse error: the line is not JSON, or breaks a limit');
  if (Array.isArray(value)) return errorText('null', -32600, 'Invalid Request: batches are not supported');
  return messageOf(line, value) ?? errorText(idTextOf(line, value), -32600, 'Invalid Request: the line is not a JSON-RPC message');
}

function versionIn(text: string): string | undefined {
  return textOf(at(readMessage(text)?.value, 'result', 'protocolVersion'));
}
