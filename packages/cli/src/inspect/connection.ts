/** The connection to the target: opened by the first call, and again after it was lost. */
import { Client } from '@modelcontextprotocol/client';
import type { JsonObject } from 'waybill';
import type { AttachOptions, ClientContext } from 'waybill/client';
import { failureOf } from './failure.js';
import { HeaderTap } from './headers.js';
import type { PageEvent, TargetInfo } from './protocol.js';
import type { InspectTarget } from './pageSession.js';

const INFO = { name: 'waybill-inspect', title: 'Waybill', version: '0.1.0' };
const TIMEOUT = 30_000;

interface ConnectionOptions {
  readonly inspected: InspectTarget;
  readonly waybill: ClientContext;
  /** The server and conversation whose state goes along, in place of its own. */
  readonly attach?: AttachOptions;
  readonly tell: (event: PageEvent) => void;
  readonly capabilities: () => JsonObject;
  /** Registers the handlers of a client that is not connected yet. */
  readonly prepare: (client: Client) => void;
}

export class Connection {
  readonly headers: HeaderTap = new HeaderTap();
  readonly timeout: number;
  target: TargetInfo;
  #client: Client | undefined;
  #opening: Promise<Client> | undefined;
  readonly #options: ConnectionOptions;

  constructor(options: ConnectionOptions) {
    const { name, address, timeout = TIMEOUT } = options.inspected;
    this.#options = options;
    this.timeout = timeout;
    this.target = { name, address, status: 'connecting' };
  }

  get isLegacy(): boolean {
    return this.#client?.getProtocolEra() === 'legacy';
  }

  open(): Promise<Client> {
    return (this.#opening ??= this.#open());
  }

  async reopen(): Promise<void> {
    await this.close();
    await this.open();
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = this.#opening = undefined;
    await client?.close().catch(() => undefined);
  }

  async #open(): Promise<Client> {
    const { inspected, waybill, attach, capabilities, prepare } = this.#options;
    this.#say({ status: 'connecting' });
    const negotiation = { versionNegotiation: { mode: inspected.mode ?? 'auto' } };
    const client = new Client(INFO, waybill.clientOptions({ capabilities: capabilities(), ...negotiation }));
    prepare(client);
    this.#client = client;
    try {
      await client.connect(waybill.attach(inspected.open(this.headers.fetch), { client, ...attach }), { timeout: this.timeout });
    } catch (error) {
      await client.close().catch(() => undefined);
      this.#lose(client, error);
      throw error;
    }
    client.onclose = () => this.#lose(client, new Error('The server ended the connection.'));
    const { name, title } = client.getServerVersion() ?? {};
    const revision = client.getNegotiatedProtocolVersion();
    this.#say({ status: 'ready', title: title ?? name ?? inspected.name, ...(revision && { revision }) });
    return client;
  }

  /** A client that was closed on purpose, or replaced while it connected, says nothing about the target any more. */
  #lose(client: Client, error: unknown): void {
    if (this.#client !== client) return;
    this.#client = this.#opening = undefined;
    const { message, hint } = failureOf(error);
    this.#say({ status: 'lost', problem: { message, ...(hint !== undefined && { hint }) } });
  }

  #say(more: Omit<Partial<TargetInfo>, 'name' | 'address'> & Pick<TargetInfo, 'status'>): void {
    const { name, address } = this.target;
    this.target = { name, address, ...more };
    this.#options.tell({ type: 'target', target: this.target });
  }
}
