// A host in its own process: fills names and a cart, prints what was acknowledged, and goes on until it is stopped or killed.
//   node writer.mjs (FILE | redis://…) ID COUNT
import { Jars } from '../../packages/waybill/dist/client/jar/jars.js';
import { redisStore, sqliteStore } from 'waybill/client/node';

const [, , target, id, count] = process.argv;
const store = target.startsWith('redis:') ? redisStore(target) : sqliteStore(target);
const jars = new Jars({ store, limits: { drawerItems: 256 } }, ({ problem }) => {
  if (!/^was set by two|^did not answer in time/.test(problem)) process.stderr.write(`${problem}\n`);
});
const MERGES = new Set(['cart']);
const conversation = jars.conversations.resume('', 'talk');

for (let n = 0; n < Number(count); n++) {
  const { values, ticket } = await jars.carry('', 'shop.example.com', conversation);
  // Works like a server that merges: everything it was sent, and one more.
  const carts = values.conflicts?.session?.get('cart') ?? [values.session?.get('cart') ?? []];
  const cart = [...new Set([...carts.flat(), `${id}.${n}`])];
  jars.apply(ticket, { session: new Map([['cart', cart]]), server: new Map([[`${id}.${n % 8}`, n]]) }, MERGES);
  await jars.sync.flush();
  process.stdout.write(`${n}\n`);
}
await jars.sync.close();
