// A host in its own process: sends requests to a server under a policy, and writes its ledger after each one.
//   node teller.mjs (FILE | redis://…) COUNT
import { clientContext } from 'waybill/client';
import { jar } from 'waybill/client/jar';
import { redisStore, sqliteStore } from 'waybill/client/node';
import { policy } from 'waybill/client/policy';

const [, , target, count] = process.argv;
const store = target.startsWith('redis:') ? redisStore(target) : sqliteStore(target);
const waybill = clientContext({ language: 'de', policy: policy({ default: { trace: 'never' } }), state: jar({ store }) });
const transport = { send: async () => undefined, close: async () => undefined };
waybill.attach(transport, { server: 'shop' });
for (let id = 0; id < Number(count); id++) {
  const _meta = { traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` };
  await transport.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'x', _meta } });
  await waybill.ledger.flush();
}
await waybill.jar.close();
