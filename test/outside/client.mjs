import path from 'node:path';
import { concernNames, kindOf, strip } from 'waybill/adapter';
import { keys } from 'waybill';
import { clientContext } from 'waybill/client';
import { jar } from 'waybill/client/jar';
import { rows, same, tally } from './cases.mjs';
import { asMessage, validators } from './schema.mjs';

const REVISIONS = ['2025-11-25', '2026-07-28'];

/**
 * Sends the specification's own messages through a client with everything on: requests fit the schema as before, answers arrive unchanged.
 */
export async function clientLayer(dir) {
  const all = rows(dir, 'cases.jsonl').map((one) => ({ ...one, message: asMessage(one) }));
  const of = (...kinds) => all.filter(({ message }) => kinds.includes(kindOf(message)));
  const schemas = REVISIONS.map((revision) => [revision, validators(path.join(dir, `schema-${revision}.json`))]);
  return [
    await tally('requests through the client change by its own keys alone', of('request'), async ({ message }) => {
      const back = strip(await sent(message), concernNames);
      const [meta = {}, before = {}] = [back.params?._meta, strip(message, concernNames).params?._meta];
      delete meta['com.example/correlation'];
      const { _meta: _, capabilities: declared, ...params } = back.params ?? {};
      const { _meta: __, capabilities: built, ...own } = message.params ?? {};
      if (!same(meta, before) || !same(params, own)) return `became ${JSON.stringify(back)}`;
      return built === undefined || declared.extensions[keys.EXTENSION_ID] !== undefined ? undefined : 'does not declare the extension';
    }),
    ...(await Promise.all(
      schemas.map(([revision, validate]) =>
        tally(`requests through the client fit the schema of ${revision} as before`, of('request'), async ({ type, message }) => {
          if (!validate.has(type) || !validate.test(type, message)) return undefined;
          const written = JSON.parse(JSON.stringify(await sent(message)));
          return validate.test(type, written) ? undefined : `no longer fits: ${JSON.stringify(written)}`;
        }),
      ),
    )),
    await tally('answers reach the application as they came', of('result', 'error'), async ({ message }) => {
      const got = await answered(message);
      return same(got, message) ? undefined : `became ${JSON.stringify(got)}`;
    }),
  ];
}

function attached(answer) {
  const seen = { sent: undefined, got: undefined };
  const transport = {
    send(message) {
      seen.sent = message;
      if (answer !== undefined) transport.onmessage(answer);
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
  const waybill = clientContext({
    language: 'fr-CH, fr;q=0.9',
    environment: { timezone: 'Europe/Zurich', locale: 'fr-CH', location: { country: 'CH' } },
    environmentEverywhere: true,
    baggage: ['k'],
    trace: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', tracestate: 'v=1', baggage: 'k=v' },
    meta: { 'com.example/correlation': 'abc' },
    state: jar(),
  });
  waybill.attach(transport, { server: 'example' });
  transport.onmessage = (message) => (seen.got = message);
  return { transport, seen };
}

async function sent(message) {
  const { transport, seen } = attached();
  await transport.send(message);
  return seen.sent;
}

async function answered(message) {
  const { transport, seen } = attached(message);
  await transport.send({ jsonrpc: '2.0', id: message.id, method: 'tools/call', params: { name: 'x' } });
  return seen.got;
}
