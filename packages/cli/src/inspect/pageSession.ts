/** Calls the target under a context that the page changes, and tells the page everything that it shows. */
import type { Client, ElicitResult } from '@modelcontextprotocol/client';
import type { Exchange } from 'waybill';
import { type AttachOptions, clientContext, type PolicyClientContext, type StatefulClientContext } from 'waybill/client';
import { jar } from 'waybill/client/jar';
import { stdioIdentity } from 'waybill/client/node';
import * as hosts from 'waybill/hosts';
import { withState } from '../record/read.js';
import type { RecordedState } from '../record/record.js';
import { callOf } from './calls.js';
import { Connection } from './connection.js';
import { FIRST_CONTEXT, nested, SWITCHES, valuesOf } from './context.js';
import { failureOf } from './failure.js';
import { ExchangeLog, MAX_ANSWER, shown } from './log.js';
import { PagePolicy } from './policy.js';
import { Questions, type Reply } from './questions.js';
import type { PageSource } from './source.js';
import type { ContextAnswer, JarAnswer, JarChange, LedgerAnswer, LoggedIssue, PageContext, PageEvent, SendAnswer } from './protocol.js';

type Transport = Parameters<Client['connect']>[0];
type Waybill = StatefulClientContext & PolicyClientContext;

/** The server that the page looks at. It comes from the command line, never from the page. */
export interface InspectTarget {
  readonly name: string;
  /** For people: an address or a command, with secrets masked. */
  readonly address: string;
  readonly url?: string;
  /** The way to find the revision; `auto` by default. */
  readonly mode?: 'auto' | 'legacy' | { readonly pin: string };
  /** Milliseconds that one answer may take. */
  readonly timeout?: number;
  /** A transport that is not started. HTTP transports use this `fetch`. */
  open(fetch: typeof globalThis.fetch): Transport;
}

interface CallOptions {
  /** The call has this context in place of the one of the context bar. */
  readonly context?: PageContext;
  /** Answers to the questions that the server asks during this call, in their order. */
  readonly answers?: readonly Reply[];
  /** The call carries this state, and the jar of the page has no part in it. */
  readonly state?: RecordedState;
  /** Aborted when the page no longer waits for the call. */
  readonly signal?: AbortSignal;
}

export class PageSession implements PageSource {
  readonly questions: Questions;
  readonly log: ExchangeLog;
  readonly policy: PagePolicy;
  #context = FIRST_CONTEXT;
  #prepared: readonly Reply[] = [];
  #toldByReplays: LedgerAnswer['entries'] = [];
  readonly #connection: Connection;
  readonly #waybill: Waybill;
  readonly #inspected: InspectTarget;
  readonly #issues: LoggedIssue[] = [];
  readonly #tell: (event: PageEvent) => void;

  constructor(inspected: InspectTarget, tell: (event: PageEvent) => void) {
    this.#tell = tell;
    this.log = new ExchangeLog((exchange) => tell({ type: 'exchange', exchange }));
    this.questions = new Questions(tell);
    this.policy = new PagePolicy(this.questions);
    this.#inspected = inspected;
    this.#waybill = this.#newContext();
    this.#connection = this.#connectionOf(this.#waybill, tell);
  }

  #newContext(): Waybill {
    return clientContext({
      ...valuesOf(this.#context),
      state: jar({ hosts, stdio: stdioIdentity(), allowHosts: loopbackOf(this.#inspected.url) }),
      policy: this.policy.forClient,
      tools: { unmet: 'disable' },
      onIssue: ({ concern, key, problem }) => this.#issue({ concern, key, problem }),
    });
  }

  #connectionOf(waybill: Waybill, tell: (event: PageEvent) => void, attach: AttachOptions = {}): Connection {
    const connection = new Connection({
      inspected: this.#inspected,
      tell,
      waybill,
      attach,
      capabilities: () => ({ ...nested(SWITCHES), ...nested(this.#context.capabilities) }),
      prepare: (client) => client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) => this.#elicit(params, mcpReq.signal)),
    });
    waybill.observe((exchange) => this.#observe(exchange, connection));
    return connection;
  }

  context(): ContextAnswer {
    return { target: this.#connection.target, context: this.#context, switches: SWITCHES };
  }

  /** Throws what the library says about a value it does not take; then nothing has changed. */
  async change(context: PageContext): Promise<void> {
    const before = this.#context;
    this.#waybill.update(valuesOf(context));
    this.#context = context;
    // On 2025-11-25 only `initialize` declares capabilities, so a change needs a new connection.
    if (this.#connection.isLegacy && before.capabilities.join() !== context.capabilities.join()) await this.reconnect();
  }

  async send(method: string, params: Record<string, unknown>, options: CallOptions = {}): Promise<SendAnswer> {
    const { state, ...others } = options;
    if (state === undefined) return this.#sendOn(this.#connection, this.#waybill, method, params, others);
    // A connection of its own: the state of a record is neither mixed with the page's nor kept.
    const waybill = this.#newContext();
    const connection = this.#connectionOf(waybill, () => undefined, await withState(waybill, state));
    try {
      return await this.#sendOn(connection, waybill, method, params, others);
    } finally {
      this.#toldByReplays = [...this.#toldByReplays, ...(await waybill.ledger.list())].slice(-200);
      await connection.close();
      await waybill.jar.close();
    }
  }

  async #sendOn(
    connection: Connection,
    waybill: Waybill,
    method: string,
    params: Record<string, unknown>,
    { context, answers, signal = new AbortController().signal }: Omit<CallOptions, 'state'>,
  ): Promise<SendAnswer> {
    const start = performance.now();
    const ended = (subject: unknown): { ms: number; language?: string } => {
      const language = waybill.languageOf(subject);
      return { ms: Math.round((performance.now() - start) * 10) / 10, ...(language !== undefined && { language }) };
    };
    try {
      const call = callOf(method);
      const client = await connection.open();
      if (answers !== undefined) this.#prepared = answers;
      const { timeout } = connection;
      const run = (): Promise<unknown> =>
        call(client, params as never, { timeout, signal, onprogress: (progress) => this.#tell({ type: 'progress', ...progress }) });
      const result = await (context === undefined ? run() : waybill.run(valuesOf(context), run));
      return { result: shown(result, MAX_ANSWER), ...ended(result) };
    } catch (error) {
      return { error: failureOf(error), ...ended(error) };
    } finally {
      if (answers !== undefined) this.#prepared = [];
    }
  }

  async reconnect(): Promise<void> {
    this.questions.cancelAll();
    await this.#connection.reopen();
  }

  async close(): Promise<void> {
    this.questions.cancelAll();
    await this.#connection.close();
  }

  async jar(): Promise<JarAnswer> {
    const drawers = await this.#waybill.jar.list();
    const items = (await Promise.all(drawers.map(({ server }) => this.#waybill.jar.show(server)))).flat();
    const issues = this.#issues.filter(({ concern }) => concern === 'state');
    return { server: drawers[0]?.server ?? '', items: items.map((item) => ({ ...item })), issues };
  }

  async changeJar(change: JarChange): Promise<void> {
    const [drawer] = await this.#waybill.jar.list();
    if (drawer === undefined) return;
    if ('clear' in change) {
      await this.#waybill.jar.clear({ server: drawer.server });
      return;
    }
    const { name, value, scope, conversation } = change;
    const part = { scope, ...(conversation !== undefined && { conversation }) };
    await this.#waybill.jar.edit(drawer.server, name, value as never, part);
  }

  async ledger(): Promise<LedgerAnswer> {
    return { entries: [...(await this.#waybill.ledger.list()), ...this.#toldByReplays] };
  }

  async clearLedger(): Promise<void> {
    this.#toldByReplays = [];
    await this.#waybill.ledger.clear();
  }

  async #elicit(params: { message: string; requestedSchema?: unknown; url?: string }, signal: AbortSignal): Promise<ElicitResult> {
    const [prepared, ...others] = this.#prepared;
    this.#prepared = others;
    const { message, requestedSchema: schema, url } = params;
    const language = this.#waybill.languageOf(params);
    const about = {
      ...(language !== undefined && { language }),
      ...(schema !== undefined && { schema }),
      ...(url !== undefined && { url }),
    };
    const { action, content } = prepared ?? (await this.questions.ask({ message, ...about }, signal));
    return action === 'accept' ? { action, ...(content && { content }) } : { action: action === 'decline' ? 'decline' : 'cancel' };
  }

  #observe(exchange: Exchange, { headers }: Connection): (ended: Exchange) => void {
    const { params } = exchange.request as { params?: { name?: unknown; uri?: unknown } };
    const name = params?.name ?? params?.uri;
    const at = Date.now();
    const number = this.log.open({
      at,
      method: exchange.method,
      ...(typeof name === 'string' && { name }),
      askedBy: exchange.sender,
      request: exchange.request,
    });
    return ({ id, outcome, answer }) => {
      const tapped = exchange.sender === 'us' ? headers.take(id) : undefined;
      this.log.update(number, { ms: Date.now() - at, outcome: outcome ?? 'open', ...(answer && { answer }), ...tapped });
    };
  }

  #issue(issue: LoggedIssue): void {
    this.#issues.push(issue);
    if (this.#issues.length > 200) this.#issues.shift();
    if (!this.log.addIssue(issue)) this.#tell({ type: 'issue', issue });
  }
}

/** A server on this machine may keep state: the user named it on the command line. */
function loopbackOf(url: string | undefined): string[] {
  const host = url === undefined ? '' : new URL(url).hostname;
  return ['127.0.0.1', 'localhost', '[::1]'].includes(host) ? [host] : [];
}
