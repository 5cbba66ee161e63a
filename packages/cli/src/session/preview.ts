/** Shows the context that a request would carry. Nothing is sent, and no command is started: a real client talks to a server that is pretended. */
import { Client } from '@modelcontextprotocol/client';
import { keysOf } from 'waybill/adapter';
import type { Withheld } from 'waybill/client';
import { capabilitiesOf } from '../context/values.js';
import type { CommandAnswer, Run } from '../run.js';
import type { Target } from '../target/target.js';
import { attachOptions, makeContext, transportOf } from './context.js';
import { pretended } from './pretended.js';
import { modeOf } from './session.js';
import { concernsOf, markedLines } from './show.js';
import { type Crossing, WireTap } from './wire.js';

interface Previewed {
  readonly method: 'tools/call' | 'resources/read' | 'prompts/get';
  readonly params: object;
}

export async function preview(run: Run, target: Target, request: Previewed): Promise<CommandAnswer> {
  const without = await written(run, target, request);
  const { crossing, withheld } =
    run.options['policy'] === undefined ? { crossing: without, withheld: [] } : await planned(run, target, without);
  run.out.note(run.out.paintNote('dim', 'Nothing was sent. The request would be:'));
  return {
    result: { message: crossing.message, headers: crossing.headers ?? {}, concerns: concernsOf(crossing), withheld },
    text: [
      JSON.stringify(crossing.message, undefined, 2),
      ...markedLines(crossing, run.out.paint.bind(run.out), run.out.columns),
      ...withheld.map(({ field, rule, level }) => `    withheld     ${field} (${level}, by ${rule})`),
    ].join('\n'),
  };
}

/** The request as a client writes it without a policy. */
async function written(run: Run, target: Target, { method, params }: Previewed): Promise<Crossing> {
  const waybill = await makeContext({ ...run, options: { ...run.options, policy: undefined } }, target);
  let found: Crossing = { direction: 'sent', message: {} };
  const hear = (message: Crossing['message'], headers?: Headers): Crossing['message'] | undefined => {
    if (message['method'] === method) found = { direction: 'sent', message, ...(headers && { headers: WireTap.shown(headers) }) };
    return pretended(message);
  };
  const transport = transportOf(target, (_to, init) => {
    const text = typeof init?.body === 'string' ? init.body : undefined;
    const answer = text && hear(JSON.parse(text) as Crossing['message'], new Headers(init?.headers));
    return Promise.resolve(answer ? Response.json(answer) : new Response(undefined, { status: text === undefined ? 405 : 202 }));
  });
  if (target.kind === 'command') {
    transport.start = () => Promise.resolve();
    transport.send = (message: unknown) => {
      const answer = hear(message as Crossing['message']);
      if (answer !== undefined) queueMicrotask(() => transport.onmessage?.(answer as never));
      return Promise.resolve();
    };
  }
  const mode = modeOf(run);
  const options = waybill.clientOptions({
    capabilities: capabilitiesOf(run),
    versionNegotiation: { mode: mode === 'auto' ? { pin: '2026-07-28' } : mode },
  });
  const client = new Client({ name: 'waybill', version: '0.1.0' }, options);
  await client.connect(waybill.attach(transport, { client, ...attachOptions(run, waybill) }));
  run.cleanup.push(() => client.close());
  // The calls of this command follow progress, so their requests carry a token.
  await client.request({ method, params } as never, method === 'tools/call' ? { onprogress: () => undefined } : {});
  return found;
}

/** The same request under the policy. The layer's own preview makes it, so the user is not asked and the ledger counts nothing. */
async function planned(
  run: Run,
  target: Target,
  { message, headers }: Crossing,
): Promise<{ crossing: Crossing; withheld: readonly Withheld[] }> {
  const waybill = await makeContext(run, target);
  const transport = waybill.attach(
    transportOf(target, () => Promise.reject(new Error('nothing is sent'))),
    attachOptions(run, waybill),
  );
  const { _meta, ...params } = message['params'] as { _meta: Record<string, unknown> };
  const concerns = keysOf(['language', 'environment', 'state', 'trace']);
  const envelope = Object.fromEntries(Object.entries(_meta).filter(([key]) => !concerns.has(key)));
  const plan = await waybill.preview(transport, { ...message, params: { ...params, _meta: envelope } });
  const told = { direction: 'sent' as const, message: { ...message, params: { ...params, _meta: plan.meta } } };
  if (headers === undefined) return { crossing: told, withheld: plan.withheld };
  const others = Object.entries(headers).filter(([name]) => name.startsWith('mcp-'));
  const shown = WireTap.shown(new Headers({ ...Object.fromEntries(others), ...plan.headers }));
  return { crossing: { ...told, headers: shown }, withheld: plan.withheld };
}
