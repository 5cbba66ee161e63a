// @ts-check
import { processPairs } from './harness.mjs';
import { alternatingWindows } from './meter.mjs';

const arm = (/** @type {string} */ file, /** @type {string[]} */ ...args) =>
  /** @type {[URL, string[]]} */ ([new URL(`./arms/${file}.mjs`, import.meta.url), args]);

/** Enough for a look, and enough to state ±2 %. @param {boolean} quick */
const plan = (quick) =>
  quick ? { pairs: 2, blocks: 2, block: 150_000, warmUp: 1_500_000 } : { pairs: 25, blocks: 4, block: 300_000, warmUp: 3_000_000 };

/**
 * Over HTTP both arms, the bare SDK too, take some 5,000 calls to settle: 3,000 µs of CPU a call in the first thousand, 1,100 in the end.
 * @param {boolean} quick
 */
const overHttp = (quick) => ({ window: 500, warmUp: quick ? 4000 : 8000, rounds: quick ? 10 : 40 });

/** The cost that the layer adds to a call, in µs of CPU; `floor` is what a second process of the peer "adds". @param {'auto' | 'legacy'} mode */
function added(mode) {
  return async (/** @type {{ quick: boolean }} */ { quick }) => {
    const figures = await processPairs({
      arms: { ours: arm('client-memory', 'layer', mode), peer: arm('client-memory', 'hand', mode) },
      ...plan(quick),
    });
    const { peer, floor } = figures;
    const micros = (/** @type {number} */ ratio) => Number(((ratio - 1) * peer).toPrecision(3));
    return {
      ...figures,
      ratio: micros(figures.ratio),
      p10: micros(figures.p10),
      p90: micros(figures.p90),
      floor: { ratio: micros(floor.ratio), p10: micros(floor.p10), p90: micros(floor.p90) },
      unit: 'µs added',
    };
  };
}

/** @type {import('./harness.mjs').Row[]} */
export const rows = [
  {
    name: 'client layer, µs added to a tool call in memory, SDK v2, 2026-07-28',
    peer: 'bare SDK v2 whose caller writes the same _meta',
    ratio: 'ours/peer',
    target: 3,
    measure: added('auto'),
  },
  {
    name: 'client layer, µs added to a tool call in memory, SDK v2, 2025-11-25',
    peer: 'bare SDK v2 whose caller writes the same _meta',
    ratio: 'ours/peer',
    target: 3,
    measure: added('legacy'),
  },
  {
    name: 'client layer, CPU of a tool call over HTTP, 32 at a time, client and server',
    peer: 'bare SDK v2 whose caller writes the same _meta',
    ratio: 'ours/peer',
    target: 1.05,
    measure: ({ quick }) =>
      alternatingWindows({ arms: { ours: arm('client-http', 'layer'), peer: arm('client-http', 'hand') }, ...overHttp(quick) }),
  },
  {
    name: 'policy of ten rules, CPU of a tool call in memory, SDK v2, 2026-07-28',
    peer: 'the same client without a policy',
    ratio: 'ours/peer',
    target: 1.02,
    measure: ({ quick }) =>
      processPairs({ arms: { ours: arm('client-memory', 'policy', 'auto'), peer: arm('client-memory', 'layer', 'auto') }, ...plan(quick) }),
  },
];
