/** Records what crossed the wire, below every layer. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Message = Record<string, any>;
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** One HTTP exchange: the request, and every message of the answer, in the order of the requests. */
export interface HttpExchange {
  method: string;
  headers: Record<string, string>;
  body?: any;
  status?: number;
  type?: string | null;
  answers: Message[];
}

export interface Wire {
  /** Messages from the client and from the server. On HTTP, in the order in which their exchanges began. */
  readonly sent: Message[];
  readonly received: Message[];
  readonly http: HttpExchange[];
}

/** In-memory and HTTP journeys write here while they run. */
export class Recorder implements Wire {
  readonly #sent: Message[] = [];
  readonly #received: Message[] = [];
  readonly http: HttpExchange[] = [];
  #streamed: () => void = () => undefined;
  /** Resolves when the client of a legacy HTTP connection has the answer to the GET that opens the standalone stream. */
  readonly standalone: Promise<void> = new Promise((resolve) => {
    this.#streamed = resolve;
  });

  get sent(): Message[] {
    return [...this.#sent, ...this.http.flatMap(({ body }) => (body === undefined ? [] : [body].flat()))];
  }
  get received(): Message[] {
    return [...this.#received, ...this.http.flatMap(({ answers }) => answers)];
  }

  note(direction: 'sent' | 'received', message: unknown): void {
    (direction === 'sent' ? this.#sent : this.#received).push(structuredClone(message) as Message);
  }

  /** The lowest `fetch` of a journey. A pass-through stream, not a clone: cancelling the answer must still reach the server. */
  fetch(): Fetch {
    return async (url, init) => {
      const exchange: HttpExchange = {
        method: init?.method ?? 'GET',
        headers: Object.fromEntries(new Headers(init?.headers)),
        ...(typeof init?.body === 'string' && { body: JSON.parse(init.body) }),
        answers: [],
      };
      this.http.push(exchange);
      const response = await fetch(url, init);
      exchange.status = response.status;
      exchange.type = response.headers.get('content-type');
      if (exchange.method === 'GET') this.#streamed();
      if (response.body === null) return response;
      const body = response.body.pipeThrough(splitter(exchange));
      return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
    };
  }
}

function splitter(exchange: HttpExchange): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const stream = exchange.type?.startsWith('text/event-stream') === true;
  let rest = '';
  return new TransformStream({
    transform(chunk, controller) {
      rest += decoder.decode(chunk, { stream: true });
      if (stream) {
        const events = rest.split('\n\n');
        rest = events.pop()!;
        for (const event of events) {
          const data = event.split('\n').find((line) => line.startsWith('data: '));
          if (data !== undefined && data.length > 6) exchange.answers.push(JSON.parse(data.slice(6)));
        }
      }
      controller.enqueue(chunk);
    },
    flush() {
      if (!stream && rest !== '') exchange.answers.push(...[parsed(rest)].flat());
    },
  });
}

function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return { text };
  }
}

/** Files that the child processes of a stdio journey write, one for each process, in the order of their starts. */
export class WireFiles {
  readonly #folder = mkdtempSync(join(tmpdir(), 'journey-'));
  readonly path: string = join(this.#folder, 'wire');

  /** One wire for each process: with automatic negotiation the first is the probe. */
  read(): Wire[] {
    const processes = readdirSync(this.#folder).sort((a, b) => Number(a.split('.')[1]) - Number(b.split('.')[1]));
    return processes.map((file) => {
      const lines = readFileSync(join(this.#folder, file), 'utf8').trim().split('\n');
      const all = lines.map((line) => JSON.parse(line) as { direction: string; line: string });
      const of = (direction: string): Message[] => all.filter((one) => one.direction === direction).map((one) => parsed(one.line));
      return { sent: of('sent'), received: of('received'), http: [] };
    });
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
