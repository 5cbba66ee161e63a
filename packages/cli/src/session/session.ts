/** A connection to a target, with the context of the flags on every request. */
import { Client } from '@modelcontextprotocol/client';
import type { JsonObject } from 'waybill';
import type { AttachOptions, ClientContext, ClientContextOptions } from 'waybill/client';
import { capabilitiesOf } from '../context/values.js';
import { usage } from '../failure.js';
import { isOn, type Run, textOf } from '../run.js';
import { type Target, timeoutOf } from '../target/target.js';
import { Child } from './child.js';
import { attachOptions, makeContext, transportOf } from './context.js';
import { Elicitor } from './elicit.js';
import { showCrossing } from './show.js';
import { connected, watchStderr } from './starting.js';
import { type Crossing, WireTap } from './wire.js';

export interface Session {
  readonly client: Client;
  readonly waybill: ClientContext;
  readonly tap: WireTap;
  readonly elicitor: Elicitor;
  readonly revision: string;
  /** For every request: how long it may take, and Ctrl-C. */
  readonly request: { readonly timeout: number; readonly signal: AbortSignal };
}

const MODES = { auto: 'auto', '2026-07-28': { pin: '2026-07-28' }, '2025-11-25': 'legacy' } as const;

/** Values that win over the flags: `doctor` and `catalog` choose their own, `replay` takes them from a record. */
export interface SessionOptions {
  readonly values?: Partial<ClientContextOptions>;
  readonly capabilities?: JsonObject;
  readonly revision?: string;
  /** The values that the transport is attached with, instead of the flags. */
  readonly attach?: (waybill: ClientContext) => Promise<AttachOptions>;
}

export async function openSession(run: Run, target: Target, given: SessionOptions = {}): Promise<Session> {
  const mode = modeOf(run, given.revision);
  const timeout = timeoutOf(run);
  const capabilities = given.capabilities ?? capabilitiesOf(run);
  const show = isOn(run, 'messages') ? (crossing: Crossing) => showCrossing(crossing, run) : undefined;
  const tap = new WireTap(show, { hasHeaders: target.kind === 'http' });
  const waybill = await makeContext(run, target, given.values);
  waybill.observe(tap.observer);
  const client = new Client(
    { name: 'waybill', version: '0.1.0' },
    waybill.clientOptions({ capabilities, versionNegotiation: { mode, probe: { timeoutMs: timeout / 2 } } }),
  );
  const stop = new AbortController();
  const request = { timeout, signal: AbortSignal.any([run.signal, stop.signal]) };
  const elicitor = new Elicitor(run, (failure) => stop.abort(failure));
  if ('elicitation' in capabilities) client.setRequestHandler('elicitation/create', ({ params }) => elicitor.answer(params));
  const transport = transportOf(target, tap.fetch(globalThis.fetch));
  const child = target.kind === 'command' ? new Child(transport) : undefined;
  watchStderr(transport, run);
  const attached = waybill.attach(tap.notifications(transport), {
    client,
    ...((await given.attach?.(waybill)) ?? attachOptions(run, waybill)),
  });
  const connecting = client.connect(attached, request);
  connecting.catch(() => undefined);
  run.cleanup.push(async () => {
    await client.close();
    // Before it is connected, the client does not close its transport, nor the probe process that finds the revision.
    await transport.close();
    await Promise.allSettled([connecting, child?.stop()]);
  });
  await connected(connecting, target, timeout, run);
  return { client, waybill, tap, elicitor, revision: client.getNegotiatedProtocolVersion() ?? 'unknown', request };
}

/** The way to find the revision, from `--revision`. */
export function modeOf(run: Run, preset = 'auto'): (typeof MODES)[keyof typeof MODES] {
  const revision = textOf(run, 'revision') ?? preset;
  if (!Object.hasOwn(MODES, revision)) throw usage(`--revision: expected ${Object.keys(MODES).join(', ')}`);
  return MODES[revision as keyof typeof MODES];
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
