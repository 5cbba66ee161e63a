import { clientContext } from 'waybill/client';
import { jar } from 'waybill/client/jar';
import { because, type Chapter, expecting } from '../chapter.js';
import type { Connected, Stage } from '../stage.js';

const ITEMS = ['tea', 'milk', 'bread'];

/** Each item goes to another replica, and the one before is killed. */
export const cart: Chapter = {
  title: 'A cart that survives while replicas are killed',
  show: async (stage) => {
    // Loopback may hold state only where it is named; a real server needs no such line, only `hosts` of waybill/hosts.
    const context = clientContext({ state: jar({ allowHosts: ['127.0.0.1'] }) });
    const conversation = context.jar.begin();
    const connect = (url: URL): Promise<Connected> => stage.connect(url, context, { attach: { server: 'shop', conversation } });
    const [without, { carts, last }] = [await shopping(stage, (url) => stage.connect(url)), await shopping(stage, connect)];
    await context.jar.close();
    return {
      call: 'add_to_cart, three times; after each the replica that answered is killed',
      without: without.carts.map(lineOf),
      with: carts.map(lineOf),
      because: because(last, 'tools/call', ['state']),
      type: ['waybill call add_to_cart item=tea --jar cart.db --conversation lunch -- waybill shop'],
      problems: expecting({ 'without context': [without.carts.at(-1), ['bread']], 'with context': [carts.at(-1), ITEMS] }),
    };
  },
};

const lineOf = (items: readonly string[], at: number): string => `add ${ITEMS[at] ?? ''}  →  ${items.join(', ')}`;

async function shopping(stage: Stage, connect: (url: URL) => Promise<Connected>): Promise<{ carts: string[][]; last: Connected }> {
  const replicas = await Promise.all(ITEMS.map(() => stage.serve()));
  const carts: string[][] = [];
  let last: Connected | undefined;
  for (const [at, replica] of replicas.entries()) {
    last = await connect(replica.url);
    const { structuredContent } = await last.client.callTool({ name: 'add_to_cart', arguments: { item: ITEMS[at] } });
    carts.push((structuredContent as { items: string[] }).items);
    await last.close();
    await replica.kill();
  }
  return { carts, last: last as Connected };
}
