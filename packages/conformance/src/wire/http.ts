/**
 * Streamable HTTP by node:http. `fetch` would add an Accept-Language header of its own, join repeated header lines and refuse to send
 * two, and each of these is something the checks are about.
 */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { createParser } from 'eventsource-parser';
import { type Exchange, type HeaderLine, type Link, methodNotFound, newExchange, type SendOptions, stray } from './exchange.js';
import { isObject, type Message } from './json.js';

/** A body beyond this is a finding, not something to keep in memory. */
export const MAX_BYTES = 8 * 1024 * 1024;
/** A stream that stays open after the answer is left after this time. */
const AFTER_ANSWER = 100;

export class HttpLink implements Link {
  readonly transport = 'http';
  readonly alive = true;
  readonly #url: URL;
  readonly #agent: HttpAgent | HttpsAgent;
  /** Headers that the user gave, credentials among them: reports show only their names. */
  readonly #secret: readonly HeaderLine[];

  constructor(url: URL, headers: readonly HeaderLine[] = []) {
    this.#url = url;
    const credentials = [url.username, url.password].map(decodeURIComponent).join(':');
    // node:http ignores the credentials of a URL if the headers are a list.
    const basic = ['Authorization', `Basic ${Buffer.from(credentials).toString('base64')}`] as const;
    this.#secret = credentials === ':' ? headers : [basic, ...headers];
    this.#agent = url.protocol === 'https:' ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  }

  send(message: Message, { headers = [], timeout }: SendOptions): Promise<Exchange> {
    const body = JSON.stringify(message);
    // Without a length node:http sends chunks, which many small servers cannot read.
    const linesWith = (secret: readonly HeaderLine[]): HeaderLine[] => [
      ['Host', this.#url.host],
      ['Content-Type', 'application/json'],
      ['Content-Length', String(Buffer.byteLength(body))],
      ['Accept', 'application/json, text/event-stream'],
      ...secret,
      ...headers,
    ];
    const exchange = newExchange(message, linesWith(this.#secret.map(([name]) => [name, '***'])));
    return new Promise((resolve) => {
      const post = this.#url.protocol === 'https:' ? httpsRequest : httpRequest;
      // node:http sends repeated names as separate lines when they come as a flat list.
      const request = post(this.#url, { method: 'POST', agent: this.#agent, headers: linesWith(this.#secret).flat() });
      let after: NodeJS.Timeout | undefined;
      const finish = (problem?: string) => {
        clearTimeout(limit);
        clearTimeout(after);
        if (exchange.answer === undefined && problem !== undefined) exchange.problem ??= problem;
        resolve(exchange);
      };
      const limit = setTimeout(() => {
        finish(`no answer within ${timeout} ms${stray(exchange)}`);
        request.destroy();
      }, timeout);
      request.on('error', (error) => finish(`the connection failed: ${reason(error)}`));
      request.on('response', (response) => {
        exchange.status = response.statusCode ?? 0;
        exchange.headers = pairs(response.rawHeaders);
        const take = (text: string) => {
          this.#take(text, exchange, headers, timeout);
          if (exchange.answer !== undefined && exchange.streamed)
            after ??= setTimeout(() => {
              finish();
              request.destroy();
            }, AFTER_ANSWER);
        };
        exchange.streamed = /^text\/event-stream\b/i.test(response.headers['content-type'] ?? '');
        readBody(response, exchange.streamed, take, (problem) => {
          finish(problem ?? (exchange.answer === undefined ? noAnswer(exchange) : undefined));
          if (problem !== undefined) request.destroy();
        });
      });
      request.end(body);
    });
  }

  #take(text: string, exchange: Exchange, headers: readonly HeaderLine[], timeout: number): void {
    const message = parse(text);
    if (message === undefined) {
      if (text.trim() !== '') exchange.notJsonRpc.push(text.slice(0, 500));
      return;
    }
    const answers = message['method'] === undefined;
    // An error about a message that could not be read has no id; over HTTP it can only belong to this request.
    if (answers && (message['id'] === exchange.sent.message['id'] || (message['id'] ?? null) === null)) {
      if (exchange.answer === undefined) exchange.answer = message;
      else exchange.secondAnswers.push(message);
      return;
    }
    exchange.others.push(message);
    if (message['id'] === undefined || answers) return;
    const kept = headers.filter(([name]) => !/^(mcp-(method|name)|accept-language)$/i.test(name));
    void this.send(methodNotFound(message['id']), { headers: kept, timeout });
  }

  close(): Promise<void> {
    this.#agent.destroy();
    return Promise.resolve();
  }
}

function pairs(flat: readonly string[]): HeaderLine[] {
  const lines: HeaderLine[] = [];
  for (let index = 0; index + 1 < flat.length; index += 2) lines.push([flat[index] ?? '', flat[index + 1] ?? '']);
  return lines;
}

function readBody(response: IncomingMessage, streamed: boolean, take: (text: string) => void, done: (problem?: string) => void): void {
  let size = 0;
  let text = '';
  const parser = createParser({ onEvent: ({ data }) => take(data) });
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    size += chunk.length;
    if (size > MAX_BYTES) {
      done(`the answer is larger than ${MAX_BYTES / 1024 / 1024} MB`);
      return;
    }
    if (streamed) parser.feed(chunk);
    else text += chunk;
  });
  response.on('error', (error) => done(`the connection failed: ${reason(error)}`));
  response.on('end', () => {
    if (!streamed) take(text);
    done();
  });
}

function noAnswer(exchange: Exchange): string {
  const body = exchange.notJsonRpc.length > 0 ? 'with a body that is no JSON-RPC message' : 'without an answer';
  return `HTTP ${exchange.status ?? 0} ${body}${stray(exchange)}`;
}

export function parse(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && value['jsonrpc'] === '2.0' ? value : undefined;
  } catch {
    return undefined;
  }
}

export const reason = (error: unknown): string =>
  error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error);
