/** The stage of `waybill try`: real servers in processes of their own, on loopback and stdio, and real clients without and with Waybill. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { AttachOptions, ClientContext } from 'waybill/client';
import { shopServer } from '../commands/shop.js';
import { Failure } from '../failure.js';
import type { Run } from '../run.js';
import { WireTap } from '../session/wire.js';

/** The night on which October ends: in Vienna and Tokyo it is November already. */
export const NIGHT = '2026-10-31T23:40:00Z';

interface Replica {
  readonly url: URL;
  /** Kills the process at once, as if the machine had failed. */
  kill(): Promise<void>;
}

export interface Connected {
  readonly client: Client;
  readonly tap: WireTap;
  close(): Promise<void>;
}

export class Stage {
  readonly #run: Run;
  #shared: Promise<Replica> | undefined;

  constructor(run: Run) {
    this.#run = run;
  }

  /** One shop that the chapters share. */
  get shop(): Promise<Replica> {
    return (this.#shared ??= this.serve());
  }

  /** A shop of its own, over HTTP on a free port of loopback. */
  async serve(): Promise<Replica> {
    const child = spawn(process.execPath, [shopServer(), '--http', '0', '--clock', NIGHT], { stdio: ['ignore', 'pipe', 'ignore'] });
    this.#run.cleanup.push(() => killed(child));
    for await (const line of createInterface({ input: child.stdout })) return { url: new URL(line), kill: () => killed(child) };
    throw new Failure('unreachable', 'a server of the demonstration did not start', 'waybill shop --http 0 shows why.');
  }

  /** A client over HTTP; without a context it is a bare one. */
  connect(url: URL, context?: ClientContext, options: StageOptions = {}): Promise<Connected> {
    return this.#connect(new StreamableHTTPClientTransport(url), context, options);
  }

  /** A client over stdio, with a shop process of its own. */
  connectStdio(context?: ClientContext, options: StageOptions = {}): Promise<Connected> {
    const args = [shopServer(), '--stdio', '--clock', NIGHT, ...(options.flags ?? [])];
    return this.#connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }), context, options);
  }

  async #connect(
    transport: StdioClientTransport | StreamableHTTPClientTransport,
    context: ClientContext | undefined,
    { capabilities = {}, attach, answer }: StageOptions,
  ): Promise<Connected> {
    const tap = new WireTap();
    const options = { capabilities, versionNegotiation: { mode: 'auto' as const } };
    const client = new Client({ name: 'try', version: '1' }, context === undefined ? options : context.clientOptions(options));
    if (answer !== undefined) client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: answer }));
    context?.observe(tap.observer);
    const close = () => client.close();
    this.#run.cleanup.push(close);
    await client.connect(context === undefined ? transport : context.attach(transport, attach));
    return { client, tap, close };
  }
}

interface StageOptions {
  readonly capabilities?: Readonly<Record<string, Record<string, object>>>;
  readonly attach?: AttachOptions;
  readonly answer?: Record<string, string | number>;
  readonly flags?: readonly string[];
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const over = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await over;
}

/** The text of an answer. */
export const textOf = (result: unknown): string =>
  (result as { content: { text?: string }[] }).content.map(({ text }) => text ?? '').join(' ');
