/** The page's own HTTP server: static files for everybody on this machine, data only with the token. */
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { isApi, newToken, refusalOf } from './guard.js';
import { MAX_EXCHANGES, MAX_MESSAGE } from './log.js';
import type { PageEvent } from './protocol.js';
import { answerApi } from './routes.js';
import type { PageSource } from './source.js';

export interface Page<Source extends PageSource = PageSource> {
  /** The address with the token in its fragment, which no server and no log sees. */
  readonly address: string;
  readonly source: Source;
  close(): Promise<void>;
}

export interface PageOptions<Source extends PageSource = PageSource> {
  /** Opens what the page shows, once. Events for open pages are handed to `tell`. */
  readonly open: (tell: (event: PageEvent) => void) => Source;
  readonly port?: number;
  /** The folder with the built page. */
  readonly files: URL;
}

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const HEADERS = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};
const FILES: Readonly<Record<string, string>> = { '/': 'index.html', '/page.js': 'page.js', '/page.css': 'page.css' };
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Bytes that wait for one page. A new page may get this much at once: every exchange that is kept. */
const MAX_BEHIND = 2 * MAX_EXCHANGES * MAX_MESSAGE;

export async function servePage<Source extends PageSource>({ open, port = 0, files }: PageOptions<Source>): Promise<Page<Source>> {
  const token = newToken();
  const listeners = new Set<ServerResponse>();
  const tell = (event: PageEvent): void => {
    for (const listener of listeners) {
      // A page that sleeps reads nothing. It comes back by itself, and then gets the newest events.
      if (listener.writableLength > MAX_BEHIND) listener.destroy();
      else listener.write(`${JSON.stringify(event)}\n`);
    }
  };
  const source = open(tell);
  const server = createServer((request, response) => void handle(request, response));

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    try {
      const refusal = refusalOf(request, { port: portOf(server), token });
      if (refusal !== undefined) sendJson(response, refusal.status, { error: refusal.message });
      else if (!isApi(request)) await sendFile(request, response, files);
      else if (`${request.method ?? ''} ${request.url ?? ''}` === 'GET /api/events') listen(request, response);
      else await answerApi(request, source, { send: (status, body) => sendJson(response, status, body), gone: goneOf(response) });
    } catch (error) {
      if (!response.headersSent) sendJson(response, 500, { error: error instanceof Error ? error.message : String(error) });
      else response.destroy();
    }
  }

  /** Streams events as JSON lines. A new page first gets what it has missed. */
  function listen(request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    const missed: PageEvent[] = [
      { type: 'target', target: source.context().target },
      ...source.log.all().map((exchange): PageEvent => ({ type: 'exchange', exchange })),
      ...source.questions.open().map((question): PageEvent => ({ type: 'question', question })),
    ];
    for (const event of missed) response.write(`${JSON.stringify(event)}\n`);
    listeners.add(response);
    request.once('close', () => listeners.delete(response));
  }

  // The number, not the name: `localhost` may be another address, and a wildcard would open the page to the network.
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${portOf(server)}/#${token}`,
    source,
    async close() {
      for (const listener of listeners) listener.end();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await source.close();
    },
  };
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Aborted when the page closes the connection before it has its answer. */
function goneOf(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  // The rest of a body that is too large is not read, so the connection cannot serve another request.
  const more = status === 413 ? { Connection: 'close' } : {};
  response.writeHead(status, { 'Content-Type': 'application/json', ...more }).end(JSON.stringify(body));
}

async function sendFile(request: IncomingMessage, response: ServerResponse, files: URL): Promise<void> {
  const name = FILES[(request.url ?? '').split(/[?#]/)[0] ?? ''];
  if (name === undefined || request.method !== 'GET') {
    sendJson(response, 404, { error: 'There is nothing here.' });
    return;
  }
  response
    .writeHead(200, { 'Content-Type': `${TYPES[extname(name)] ?? 'text/plain'}; charset=utf-8` })
    .end(await readFile(new URL(name, files)));
}
