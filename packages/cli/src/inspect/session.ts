/** One connection to the target, under a context that the page changes. It tells its listener everything that the page shows. */
import { Client, type ElicitResult } from '@modelcontextprotocol/client';
import { clientContext, type PolicyClientContext, type StatefulClientContext } from 'waybill/client';
import { jar } from 'waybill/client/jar';
import { stdioIdentity } from 'waybill/client/node';
import * as hosts from 'waybill/hosts';
import { FIRST_CONTEXT, nested, SWITCHES, valuesOf } from './context.js';
import { failureOf } from './failure.js';
import { HeaderTap } from './headers.js';
import { ExchangeLog, shown } from './log.js';
import { PagePolicy } from './policy.js';
import { Questions } from './questions.js';
import type { PageSource } from './source.js';
import type {
  ContextAnswer,
  JarAnswer,
  JarChange,
  LedgerAnswer,
  LoggedIssue,
  PageContext,
  PageEvent,
  SendAnswer,
  TargetInfo,
} from './protocol.js';

type Transport = Parameters<Client['connect']>[0];
type Exchange = Parameters<Parameters<StatefulClientContext['observe']>[0]>[0];

/** The server that the page looks at. It comes from the command line, never from the page. */
export interface InspectTarget {
  readonly name: string;
  /** For people: an address or a command, with secrets masked. */
  readonly address: string;
  readonly url?: string;
  /** How the revision is found; `auto` by default. */
  readonly mode?: 'auto' | 'legacy' | { readonly pin: string };
  /** Milliseconds that one answer may take. */
  readonly timeout?: number;
  /** A transport that is not started. HTTP transports use this `fetch`. */
  open(fetch: typeof globalThis.fetch): Transport;
}

const INFO = { name: 'waybill-inspect', title: 'Waybill', version: '0.1.0' };
const TIMEOUT = 30_000;

export class Session implements PageSource {
  readonly questions: Questions;
  readonly log: ExchangeLog;
  #context = FIRST_CONTEXT;
  #target: TargetInfo;
  #client: Client | undefined;
  #opened: Promise<Client> | undefined;
  readonly policy: PagePolicy;
  readonly #waybill: StatefulClientContext & PolicyClientContext;
  readonly #headers = new HeaderTap();
  readonly #issues: LoggedIssue[] = [];

  readonly #source: InspectTarget;
  readonly #tell: (event: PageEvent) => void;

  constructor(source: InspectTarget, tell: (event: PageEvent) => void) {
    this.#source = source;
    this.#tell = tell;
    this.#target = { name: source.name, address: source.address, status: 'connecting' };
    this.log = new ExchangeLog((exchange) => tell({ type: 'exchange', exchange }));
    this.questions = new Questions(tell);
    this.policy = new PagePolicy(this.questions);
    this.#waybill = clientContext({
      ...valuesOf(this.#context),
      state: jar({ hosts, stdio: stdioIdentity(), allowHosts: loopbackOf(source.url) }),
      policy: this.policy.handed,
      tools: { unmet: 'disable' },
      onIssue: ({ concern, key, problem }) => this.#issue({ concern, key, problem }),
    });
    this.#waybill.observe((exchange) => this.#observe(exchange));
  }

  get #timeout(): number {
    return this.#source.timeout ?? TIMEOUT;
  }

  context(): ContextAnswer {
    return { target: this.#target, context: this.#context, switches: SWITCHES };
  }

  /** Throws what the library says about a value it does not take; then nothing has changed. */
  async change(context: PageContext): Promise<void> {
    const before = this.#context;
    this.#waybill.update(valuesOf(context));
    this.#context = context;
    // On 2025-11-25 only `initialize` declares capabilities, so a change needs a new connection.
    const isLegacy = this.#client?.getProtocolEra() === 'legacy';
    if (isLegacy && before.capabilities.join() !== context.capabilities.join()) await this.reconnect();
  }

  async send(method: string, params: Record<string, unknown>, over?: PageContext): Promise<SendAnswer> {
    const start = performance.now();
    const ms = (): number => Math.round((performance.now() - start) * 10) / 10;
    try {
      const client = await this.connected();
      const call = CALLS[method];
      if (call === undefined) throw new Error(`The page sends ${Object.keys(CALLS).join(', ')}; not ${method}.`);
      const onprogress = (progress: Progress): void => this.#tell({ type: 'progress', ...progress });
      const run = (): Promise<unknown> => call(client, params as never, { timeout: this.#timeout, onprogress });
      const result = await (over === undefined ? run() : this.#waybill.run(valuesOf(over), run));
      const language = this.#waybill.languageOf(result);
      return { result: shown(result), ...(language !== undefined && { language }), ms: ms() };
    } catch (error) {
      const language = this.#waybill.languageOf(error);
      return { error: failureOf(error), ...(language !== undefined && { language }), ms: ms() };
    }
  }

  connected(): Promise<Client> {
    return (this.#opened ??= this.#connect());
  }

  async reconnect(): Promise<void> {
    await this.close();
    await this.connected();
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = this.#opened = undefined;
    this.questions.cancelAll();
    await client?.close().catch(() => undefined);
  }

  async jar(): Promise<JarAnswer> {
    const drawers = await this.#waybill.jar.list();
    const items = (await Promise.all(drawers.map(({ server }) => this.#waybill.jar.show(server)))).flat();
    const issues = this.#issues.filter(({ concern }) => concern === 'state');
    return { server: drawers[0]?.server ?? '', items: items.map((item) => ({ ...item })), issues };
  }

  async ledger(): Promise<LedgerAnswer> {
    return { entries: await this.#waybill.ledger.list() };
  }

  async clearLedger(): Promise<void> {
    await this.#waybill.ledger.clear();
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

  async #connect(): Promise<Client> {
    this.#say({ status: 'connecting' });
    const capabilities = { ...nested(SWITCHES), ...nested(this.#context.capabilities) };
    const client = new Client(
      INFO,
      this.#waybill.clientOptions({ capabilities, versionNegotiation: { mode: this.#source.mode ?? 'auto' } }),
    );
    client.setRequestHandler('elicitation/create', ({ params }) => this.#elicit(params));
    client.onclose = () => {
      if (this.#client === client) this.#lose(new Error('The server ended the connection.'));
    };
    try {
      const transport = this.#source.open(this.#headers.fetch);
      await client.connect(this.#waybill.attach(transport, { client }), { timeout: this.#timeout });
    } catch (error) {
      await client.close().catch(() => undefined);
      this.#lose(error);
      throw error;
    }
    this.#client = client;
    const { name, title, version } = client.getServerVersion() ?? {};
    const revision = client.getNegotiatedProtocolVersion();
    this.#say({ status: 'ready', title: title ?? name ?? this.#source.name, ...(version && { version }), ...(revision && { revision }) });
    return client;
  }

  async #elicit(params: { message: string; requestedSchema?: unknown; url?: string }): Promise<ElicitResult> {
    const { message, requestedSchema: schema, url } = params;
    const language = this.#waybill.languageOf(params);
    const about = {
      ...(language !== undefined && { language }),
      ...(schema !== undefined && { schema }),
      ...(url !== undefined && { url }),
    };
    const { action, content } = await this.questions.ask({ message, ...about });
    return action === 'accept' ? { action, ...(content && { content }) } : { action: action === 'decline' ? 'decline' : 'cancel' };
  }

  #lose(error: unknown): void {
    this.#client = this.#opened = undefined;
    const { message, hint } = failureOf(error);
    this.#say({ status: 'lost', problem: { message, ...(hint !== undefined && { hint }) } });
  }

  #say(more: Omit<Partial<TargetInfo>, 'name' | 'address'> & Pick<TargetInfo, 'status'>): void {
    this.#target = { name: this.#source.name, address: this.#source.address, ...more };
    this.#tell({ type: 'target', target: this.#target });
  }

  #observe(exchange: Exchange): (ended: Exchange) => void {
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
      const tapped = exchange.sender === 'us' ? this.#headers.take(id) : undefined;
      this.log.update(number, { ms: Date.now() - at, outcome: outcome ?? 'open', ...(answer && { answer }), ...tapped });
    };
  }

  #issue(issue: LoggedIssue): void {
    this.#issues.push(issue);
    if (this.#issues.length > 200) this.#issues.shift();
    if (!this.log.addIssue(issue)) this.#tell({ type: 'issue', issue });
  }
}

type Progress = { progress: number; total?: number; message?: string };
type Call = (client: Client, params: never, options: { timeout: number; onprogress: (progress: Progress) => void }) => Promise<unknown>;

/** The requests that the page sends, each by the SDK's own method: it walks pages and answers questions of the server. */
const CALLS: Readonly<Record<string, Call>> = {
  'tools/list': (client, _, { timeout }) => client.listTools(undefined, { timeout }),
  // The SDK writes to stdout when it lists what a server does not have.
  'prompts/list': async (client, _, { timeout }) =>
    client.getServerCapabilities()?.prompts ? client.listPrompts(undefined, { timeout }) : {},
  'resources/list': async (client, _, { timeout }) =>
    client.getServerCapabilities()?.resources ? client.listResources(undefined, { timeout }) : {},
  'tools/call': (client, params, { timeout, onprogress }) =>
    client.callTool(params, { timeout, resetTimeoutOnProgress: true, onprogress: onprogress as never }),
  'prompts/get': (client, params, { timeout }) => client.getPrompt(params, { timeout }),
  'resources/read': (client, params, { timeout }) => client.readResource(params, { timeout }),
};

/** A server on this machine may keep state: the user named it on the command line. */
function loopbackOf(url: string | undefined): string[] {
  const host = url === undefined ? '' : new URL(url).hostname;
  return ['127.0.0.1', 'localhost', '[::1]'].includes(host) ? [host] : [];
}
