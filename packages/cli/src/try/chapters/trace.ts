import { parseTraceparent } from 'waybill/adapter';
import { clientContext } from 'waybill/client';
import { because, type Chapter, expecting } from '../chapter.js';
import { pad } from '../../table.js';

interface Hop {
  readonly parent: Readonly<Record<string, string>> | null;
  readonly started: number;
  readonly ended: number;
}

const NAMES = ['client → shop', 'shop → warehouse', 'warehouse → supplier'];
/** Name, bar and time fit a terminal of 80 columns. */
const WIDTH = 34;

const traceOf = ({ parent }: Hop): string | undefined => {
  const [text = ''] = Object.values(parent ?? {});
  return parseTraceparent(text)?.traceId;
};

export const trace: Chapter = {
  title: 'One trace over three hops',
  show: async (stage) => {
    const [shop, warehouse, supplier] = await Promise.all([stage.shop, stage.serve(), stage.serve()]);
    const call = { name: 'stock', arguments: { at: [warehouse.url.href, supplier.url.href] } };
    const [bare, aware] = await Promise.all([stage.connect(shop.url), stage.connect(shop.url, clientContext({ trace: 'start' }))]);
    const hops = async ({ client }: typeof bare): Promise<Hop[]> =>
      ((await client.callTool(call)).structuredContent as { hops: Hop[] }).hops;
    const without = await hops(bare);
    const found = await hops(aware);
    const traces = new Set(found.map(traceOf));
    return {
      call: 'stock: the shop asks its warehouse, which asks its supplier',
      without: without.map((hop, at) => `${pad(NAMES[at] ?? '', 21)} trace ${traceOf(hop) ?? 'unknown'}`),
      with: [`trace ${[...traces].join(', ')}`, ...waterfall(found)],
      because: because(aware, 'tools/call', ['trace']),
      type: ['waybill call stock --trace start --messages -- waybill shop'],
      problems: expecting({
        hops: [found.length, 3],
        traces: [traces.size, 1],
        'without context': [without.map(traceOf), [null, null, null]],
      }),
    };
  },
};

/** One bar for each hop, on one scale of time. */
function waterfall(hops: readonly Hop[]): string[] {
  const from = Math.min(...hops.map(({ started }) => started));
  const scale = WIDTH / Math.max(1, Math.max(...hops.map(({ ended }) => ended)) - from);
  return hops.map(({ started, ended }, at) => {
    const begin = Math.min(WIDTH - 1, Math.round((started - from) * scale));
    const length = Math.max(1, Math.round((ended - started) * scale));
    return `${pad(NAMES[at] ?? '', 21)} ${pad(' '.repeat(begin) + '█'.repeat(Math.min(length, WIDTH - begin)), WIDTH)} ${ended - started} ms`;
  });
}
