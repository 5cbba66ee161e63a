import { type Message, short } from './json.js';
import { METHOD_NOT_FOUND, type Transport } from './keys.js';

export type HeaderLine = readonly [name: string, value: string];

/** One request and everything that came back for it. It may still grow after the answer: a second answer is a finding too. */
export interface Exchange {
  readonly sent: { readonly headers?: readonly HeaderLine[]; readonly message: Message };
  status?: number;
  headers?: readonly HeaderLine[];
  /** The answer came as an event stream. */
  streamed?: boolean;
  answer?: Message;
  /** Notifications and requests that arrived before the answer. */
  readonly others: Message[];
  /** Further answers with the same id. */
  readonly secondAnswers: Message[];
  /** Lines or bodies that are not JSON-RPC messages. */
  readonly notJsonRpc: string[];
  /** Why there is no answer. */
  problem?: string;
}

export const newExchange = (message: Message, headers?: readonly HeaderLine[]): Exchange => ({
  sent: { ...(headers !== undefined && { headers }), message },
  others: [],
  secondAnswers: [],
  notJsonRpc: [],
});

/** All values of a response header, one for each line. */
export const headerLines = (exchange: Exchange, name: string): string[] =>
  (exchange.headers ?? []).filter(([key]) => key.toLowerCase() === name.toLowerCase()).map(([, value]) => value);

export function header(exchange: Exchange, name: string): string | undefined {
  const lines = headerLines(exchange, name);
  return lines.length === 0 ? undefined : lines.join(', ');
}

/** Mentions an answer that came with the id of no request; empty if there is none. */
export function stray({ others }: Exchange): string {
  const found = others.find(({ method }) => method === undefined);
  return found === undefined ? '' : `; an answer came with the id ${short(found['id'])}`;
}

/** The answer to a request of the server: the kit supports none. */
export const methodNotFound = (id: unknown): Message => ({
  jsonrpc: '2.0',
  id,
  error: { code: METHOD_NOT_FOUND, message: 'Method not found' },
});

export interface SendOptions {
  readonly headers?: readonly HeaderLine[];
  readonly timeout: number;
}

/** A raw connection to a server. */
export interface Link {
  readonly transport: Transport;
  send(message: Message, options: SendOptions): Promise<Exchange>;
  /** False once nothing more can be sent over it. */
  readonly alive: boolean;
  close(): Promise<void>;
}
