/** A connection to a target, with the context of the flags on every request. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { clientContext, type ClientContext, type ClientContextOptions } from 'waybill/client';
import { capabilitiesOf, contextOf } from '../context/values.js';
import { usage } from '../failure.js';
import { isOn, type Run, textOf } from '../run.js';
import { type Target, timeoutOf } from '../target/target.js';
import { Child } from './child.js';
import { Elicitor } from './elicit.js';
import { jarOf } from './jar.js';
import { showCrossing } from './show.js';
import { Starting } from './starting.js';
import { WireTap } from './wire.js';

export interface Session {
  readonly client: Client;
  readonly waybill: ClientContext;
  readonly tap: WireTap;
  readonly elicitor: Elicitor;
  readonly target: Target;
  readonly revision: string;
  /** For every request: how long it may take, and Ctrl-C. */
  readonly request: { readonly timeout: number; readonly signal: AbortSignal };
}

const MODES = { auto: 'auto', '2026-07-28': { pin: '2026-07-28' }, '2025-11-25': 'legacy' } as const;

/** `values` go before those of the flags: `compare` makes one session for each of its contexts. */
export async function openSession(run: Run, target: Target, values: Partial<ClientContextOptions> = {}): Promise<Session> {
  const revision = textOf(run, 'revision') ?? 'auto';
  if (!Object.hasOwn(MODES, revision)) throw usage(`--revision: expected ${Object.keys(MODES).join(', ')}`);
  const timeout = timeoutOf(run);
  const capabilities = capabilitiesOf(run);
  const state = await jarOf(run, target);
  const tap = new WireTap(isOn(run, 'messages') ? (crossing) => showCrossing(crossing, run) : undefined);
  const waybill = clientContext({
    ...contextOf(run),
    ...values,
    ...(state !== undefined && { state }),
    tools: { unmet: 'disable' },
    onIssue: (issue) => run.about.issues.push(issue),
    onFault: (error) => run.about.issues.push({ concern: 'meta', key: 'fault', problem: String(error) }),
  });
  waybill.observe(tap.observer);
  run.cleanup.push(() => waybill.jar?.close());
  const client = new Client(
    { name: 'waybill', version: '0.1.0' },
    waybill.clientOptions({
      capabilities,
      versionNegotiation: { mode: MODES[revision as keyof typeof MODES], probe: { timeoutMs: timeout / 2 } },
    }),
  );
  const stop = new AbortController();
  const request = { timeout, signal: AbortSignal.any([run.signal, stop.signal]) };
  const elicitor = new Elicitor(run, (failure) => stop.abort(failure));
  if ('elicitation' in capabilities) client.setRequestHandler('elicitation/create', ({ params }) => elicitor.answer(params));
  const starting = new Starting(run, target, timeout);
  const transport = transportOf(target, tap);
  const child = target.kind === 'command' ? new Child(transport) : undefined;
  starting.watch(transport);
  const conversation = textOf(run, 'conversation');
  const principal = textOf(run, 'principal');
  const talk = conversation === undefined ? undefined : waybill.jar?.resume(conversation, principal === undefined ? {} : { principal });
  const attached = waybill.attach(tap.notifications(transport), { client, ...(talk !== undefined && { conversation: talk }) });
  const connecting = client.connect(attached, request);
  connecting.catch(() => undefined);
  run.cleanup.push(async () => {
    await client.close();
    // Before it is connected, the client does not close its transport, nor the process that was started only to ask for the revision.
    await transport.close();
    await Promise.allSettled([connecting, child?.stop()]);
  });
  await starting.during(connecting);
  return { client, waybill, tap, elicitor, target, revision: client.getNegotiatedProtocolVersion() ?? 'unknown', request };
}

function transportOf(target: Target, tap: WireTap): StdioClientTransport | StreamableHTTPClientTransport {
  if (target.kind === 'http')
    return new StreamableHTTPClientTransport(target.url, {
      fetch: tap.fetch(globalThis.fetch),
      requestInit: { headers: target.headers },
      reconnectionOptions: { maxRetries: 0, initialReconnectionDelay: 1, maxReconnectionDelay: 1, reconnectionDelayGrowFactor: 1 },
    });
  const { command, args, cwd } = target;
  const env = target.env ?? (process.env as Record<string, string>);
  return new StdioClientTransport({ command, args: [...args], env, stderr: 'pipe', ...(cwd !== undefined && { cwd }) });
}

/** Waits for one request of a session. A question that nobody could answer ends it with that failure. */
export async function settled<T>(session: Session, answer: Promise<T>): Promise<T> {
  try {
    const result = await answer;
    if (session.elicitor.failure !== undefined) throw session.elicitor.failure;
    return result;
  } catch (error) {
    throw session.elicitor.failure ?? error;
  }
}
