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

/** @param {boolean} quick */
const inMemory = (quick) => ({ window: 5000, warmUp: quick ? 30_000 : 60_000, rounds: quick ? 12 : 40 });

/** @param {string} file @param {(quick: boolean) => { window: number, warmUp: number, rounds: number }} windows @param {string[]} args */
const against =
  (file, windows, args) =>
  (/** @type {{ quick: boolean }} */ { quick }) =>
    alternatingWindows({ arms: { ours: arm(file, 'layer', ...args), peer: arm(file, 'hand', ...args) }, ...windows(quick) });

const HAND = 'bare SDK v2 whose caller writes the same _meta';
/** The values that a call carries, with the targets over HTTP and in memory. */
const WHAT = /** @type {const} */ ([
  ['language', 1.05, 1.1],
  ['everything', 1.1, 1.15],
]);
const MODES = /** @type {const} */ ([
  ['auto', '2026-07-28'],
  ['legacy', '2025-11-25'],
]);

/** The cost that the layer adds to a call, in µs of CPU; `floor` is what a second process of the peer "adds". @param {'auto' | 'legacy'} mode */
function added(mode) {
  return async (/** @type {{ quick: boolean }} */ { quick }) => {
    const figures = await processPairs({
      arms: { ours: arm('client-memory', 'layer', mode, 'everything'), peer: arm('client-memory', 'hand', mode, 'everything') },
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
    peer: HAND,
    ratio: 'ours/peer',
    target: 3,
    measure: added('auto'),
  },
  {
    name: 'client layer, µs added to a tool call in memory, SDK v2, 2025-11-25',
    peer: HAND,
    ratio: 'ours/peer',
    target: 3,
    measure: added('legacy'),
  },
  ...WHAT.map(([what, http]) => ({
    name: `client layer over HTTP, 32 at a time, ${what} sent (CPU of client and server)`,
    peer: HAND,
    ratio: /** @type {const} */ ('ours/peer'),
    target: http,
    measure: against('client-http', overHttp, [what]),
  })),
  ...MODES.flatMap(([mode, revision]) =>
    WHAT.map(([what, , memory]) => ({
      name: `client layer in memory, SDK v2, ${revision}, ${what} sent`,
      peer: HAND,
      ratio: /** @type {const} */ ('ours/peer'),
      target: memory,
      measure: against('client-memory', inMemory, [mode, what]),
    })),
  ),
  {
    name: 'policy of ten rules, CPU of a tool call in memory, SDK v2, 2026-07-28',
    peer: 'the same client without a policy',
    ratio: 'ours/peer',
    target: 1.02,
    measure: ({ quick }) =>
      processPairs({
        arms: { ours: arm('client-memory', 'policy', 'auto', 'everything'), peer: arm('client-memory', 'layer', 'auto', 'everything') },
        ...plan(quick),
      }),
  },
];
