/** Shows the context that a request would carry. Nothing is sent, and no command is started: the transport below the layer only writes down. */
import { keys } from 'waybill';
import { capabilitiesOf } from '../context/values.js';
import type { Outcome, Run } from '../run.js';
import type { Target } from '../target/target.js';
import { attachOptions, makeContext, transportOf } from './context.js';
import { concernsOf, markedLines } from './show.js';
import { type Crossing, WireTap } from './wire.js';

export async function preview(run: Run, target: Target, request: { readonly method: string; readonly params: object }): Promise<Outcome> {
  const waybill = await makeContext(run, target);
  let sent: Crossing | undefined;
  const transport = transportOf(target, (_to, init) => {
    sent = {
      direction: 'sent',
      message: JSON.parse(init?.body as string) as Crossing['message'],
      headers: WireTap.shown(new Headers(init?.headers)),
    };
    return Promise.resolve(new Response(undefined, { status: 202 }));
  });
  if (target.kind === 'command')
    transport.send = (message: unknown) => {
      sent = { direction: 'sent', message: message as Crossing['message'] };
      return Promise.resolve();
    };
  const attached = waybill.attach(transport, attachOptions(run, waybill));
  if (target.kind === 'http') await transport.start();
  // SDK v2 declares the capabilities of each request in its envelope.
  const params: Record<string, unknown> = { ...request.params, _meta: { [keys.CLIENT_CAPABILITIES]: capabilitiesOf(run) } };
  const message = { jsonrpc: '2.0', id: 1, method: request.method, params };
  // Under a policy the layer tells it itself, so that nobody is asked and the ledger counts nothing.
  const planned = waybill.ledger === undefined ? undefined : await waybill.preview(transport, message);
  if (planned === undefined) await attached.send(message as never);
  else
    sent = {
      direction: 'sent',
      message: { ...message, params: { ...params, _meta: planned.meta } },
      headers: WireTap.shown(new Headers(planned.headers)),
    };
  const withheld = planned?.withheld ?? [];
  const crossing = sent ?? { direction: 'sent', message: {} };
  run.out.note(run.out.paintNote('dim', 'Nothing was sent. The request would be:'));
  return {
    result: { message: crossing.message, headers: crossing.headers ?? {}, concerns: concernsOf(crossing), withheld },
    text: [
      JSON.stringify(crossing.message, undefined, 2),
      ...markedLines(crossing, run.out.paint.bind(run.out)),
      ...withheld.map(({ field, rule, level }) => `    withheld     ${field} (${level}, by ${rule})`),
    ].join('\n'),
  };
}
