// @ts-check
/**
 * What the server layer costs beside the bare SDK: fresh process pairs in interleaved blocks, with a second bare process as noise floor. Both
 * arms get the same request with its whole context and put the same answer on the wire: the bare handler writes the language of its answer by hand.
 */
import { processPairs } from './harness.mjs';

const arm = (/** @type {string} */ name) => new URL(`./arms/server-${name}.mjs`, import.meta.url);

/** µs of CPU until an arm has settled: about 60,000 calls in memory, 8,000 over HTTP. Before that it is the compiler that is measured. */
const WARM_UP = { memory: 3_000_000, http: 10_000_000 };

/** @param {keyof typeof WARM_UP} kind @param {string} mode @param {string} [connection] */
function against(kind, mode, connection = '') {
  return (/** @type {{ quick: boolean }} */ { quick }) =>
    processPairs({
      arms: { ours: [arm(kind), [mode, connection].filter(Boolean)], peer: [arm(kind), ['bare', connection].filter(Boolean)] },
      ...(quick ? { pairs: 2, blocks: 2, block: 100_000, warmUp: 800_000 } : { pairs: 25, warmUp: WARM_UP[kind] }),
    });
}

const MEMORY = /** @type {const} */ ([
  ['modern', 'SDK v2 in memory, 2026-07-28'],
  ['legacy', 'SDK v2 in memory, 2025-11-25'],
]);

export const rows = [
  ...[
    ['language', 1.02],
    ['everything', 1.05],
  ].map(([mode, target]) => ({
    name: `server over HTTP, 32 at a time, ${mode} touched (server CPU)`,
    peer: 'bare createMcpHandler',
    ratio: 'ours/peer',
    target,
    measure: against('http', String(mode)),
  })),
  ...MEMORY.flatMap(([connection, name]) =>
    [
      ['language', 1.05],
      ['everything', 1.1],
    ].map(([mode, target]) => ({
      name: `server, ${name}, 32 at a time, ${mode} touched`,
      peer: 'bare SDK v2',
      ratio: 'ours/peer',
      target,
      measure: against('memory', String(mode), connection),
    })),
  ),
];
