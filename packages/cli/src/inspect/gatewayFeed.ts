/** The feed of a gateway as a source of the page: its exchanges, as they end. The page asks for the feed and sends nothing else. */
import { setTimeout as wait } from 'node:timers/promises';
import type { ExchangeRecord } from '@waybill/gateway';
import { tryJson } from '../tryJson.js';
import { FIRST_CONTEXT } from './context.js';
import { failureOf } from './failure.js';
import { ExchangeLog } from './log.js';
import type { ContextAnswer, PageEvent, Problem, TargetInfo } from './protocol.js';
import { Questions } from './questions.js';
import { serverSentEvents } from './serverSentEvents.js';
import type { PageSource } from './source.js';

export interface FeedAddress {
  readonly url: URL;
  readonly token: string;
}

/** One exchange, as the feed describes it. */
type FeedRecord = Omit<ExchangeRecord, 'principal'>;

/** Why the feed is not there. `isFinal`: asking again would not help. */
type Ended = Problem & { readonly isFinal?: true };

const PAUSE = 2000;
/** A gateway sends its last exchanges again to each reader that comes back. */
const MAX_SEEN = 1000;

export class GatewayFeed implements PageSource {
  readonly log: ExchangeLog;
  readonly questions: Questions;
  readonly #from: FeedAddress;
  readonly #tell: (event: PageEvent) => void;
  readonly #seen = new Set<string>();
  #target: TargetInfo;
  #following = new AbortController();

  constructor(from: FeedAddress, tell: (event: PageEvent) => void) {
    this.#from = from;
    this.#tell = tell;
    this.#target = { kind: 'gateway', name: 'gateway', address: this.#address, status: 'connecting' };
    this.log = new ExchangeLog((exchange) => tell({ type: 'exchange', exchange }));
    this.questions = new Questions(tell);
    void this.#follow(this.#following.signal);
  }

  /** Without a query, which may be secret. */
  get #address(): string {
    return `${this.#from.url.origin}${this.#from.url.pathname}`;
  }

  context(): ContextAnswer {
    return { target: this.#target, context: FIRST_CONTEXT, switches: [] };
  }

  async reconnect(): Promise<void> {
    await this.close();
    this.#following = new AbortController();
    void this.#follow(this.#following.signal);
  }

  close(): Promise<void> {
    this.#following.abort();
    return Promise.resolve();
  }

  /** Reads the feed, and asks again while the gateway is away. A refusal is final until the user reconnects. */
  async #follow(signal: AbortSignal): Promise<void> {
    const isStopped = (): boolean => signal.aborted;
    while (!isStopped()) {
      const problem = await this.#read(signal).catch((error: unknown): Ended => failureOf(error));
      if (isStopped()) return;
      this.#say({ status: 'lost', problem: problem ?? { message: 'The gateway ended its feed.', hint: 'The page asks again by itself.' } });
      if (problem?.isFinal === true) return;
      await wait(PAUSE, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Returns when the feed ends, or with the reason why there is none. */
  async #read(signal: AbortSignal): Promise<Ended | undefined> {
    const headers = { Authorization: `Bearer ${this.#from.token}`, Accept: 'text/event-stream' };
    const response = await fetch(this.#from.url, { headers, signal, redirect: 'error' });
    if (!response.ok || response.body === null) return endedBy(response);
    for await (const { event, data } of serverSentEvents(response.body)) {
      if (event === 'gateway') this.#opened(JSON.parse(data) as { feed: string; upstreams: readonly { name: string }[] });
      else if (event === 'exchange') this.#take(JSON.parse(data) as FeedRecord);
    }
    return undefined;
  }

  #opened({ feed, upstreams }: { feed: string; upstreams: readonly { name: string }[] }): void {
    this.#say({ status: 'ready', title: upstreams.map(({ name }) => name).join(', '), revision: `feed: ${feed}` });
  }

  #take({ number, milliseconds, request, sent, answer, ...record }: FeedRecord): void {
    const mark = `${number} ${record.at}`;
    if (this.#seen.has(mark)) return;
    this.#seen.add(mark);
    const [oldest] = this.#seen;
    if (this.#seen.size > MAX_SEEN && oldest !== undefined) this.#seen.delete(oldest);
    const { method, name, at, status, outcome, ...hop } = record;
    this.log.open({
      ...{ method, at, status, outcome, ms: milliseconds, askedBy: 'us' },
      ...(name !== undefined && { name }),
      request: messageOf(request),
      ...(answer !== undefined && { answer: messageOf(answer) }),
      hop: { ...hop, ...(sent !== undefined && sent !== request && { sent: messageOf(sent) }) },
    });
  }

  #say(more: Omit<Partial<TargetInfo>, 'name' | 'address'> & Pick<TargetInfo, 'status'>): void {
    this.#target = { kind: 'gateway', name: 'gateway', address: this.#address, ...more };
    this.#tell({ type: 'target', target: this.#target });
  }
}

/** A body as JSON; of an event stream its last message, which is the answer. Anything else stays a text. */
function messageOf(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  const last = text.split('\n').findLast((line) => line.startsWith('data:'));
  return tryJson(text.startsWith('{') || last === undefined ? text : last.slice('data:'.length)) ?? text;
}

async function endedBy(response: Response): Promise<Ended> {
  const said = ((await response.json().catch(() => ({}))) as { error?: unknown }).error;
  const hints: Readonly<Record<number, string>> = {
    401: 'Set WAYBILL_TOKEN to the token of `admin` in its configuration, and start waybill inspect again.',
    404: 'Write `feed: names` or `feed: bodies` into its configuration, and take the address of `admin`. Then choose Reconnect.',
  };
  const hint = hints[response.status] ?? 'Check that this is the address of `admin`, then choose Reconnect.';
  return {
    message: `The gateway refuses its feed (${response.status})${typeof said === 'string' ? `: ${said}` : '.'}`,
    hint,
    isFinal: true,
  };
}
