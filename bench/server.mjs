// @ts-check
/**
 * The cost of the server layer beside the bare SDK. Both arms get the same request with its whole context and put the same answer on the
 * wire: the bare handler writes the language of its answer by hand.
 */
import { alternatingWindows } from './meter.mjs';

const arm = (/** @type {string} */ name) => new URL(`./arms/server-${name}.mjs`, import.meta.url);

/** Calls until an arm has settled; before that the compiler is measured. */
const PLAN = {
  memory: { quick: { window: 5000, warmUp: 30_000, rounds: 12 }, full: { window: 10_000, warmUp: 60_000, rounds: 40 } },
  http: { quick: { window: 1000, warmUp: 8000, rounds: 10 }, full: { window: 1000, warmUp: 10_000, rounds: 40 } },
};

/** @param {keyof typeof PLAN} kind @param {string} mode @param {string} [connection] */
function against(kind, mode, connection = '') {
  return (/** @type {{ quick: boolean }} */ { quick }) =>
    alternatingWindows({
      arms: { ours: [arm(kind), [mode, connection].filter(Boolean)], peer: [arm(kind), ['bare', connection].filter(Boolean)] },
      ...PLAN[kind][quick ? 'quick' : 'full'],
    });
}

const MEMORY = /** @type {const} */ ([
  ['modern', 'SDK v2 in memory, 2026-07-28'],
  ['legacy', 'SDK v2 in memory, 2025-11-25'],
]);

export const rows = [
  ...[
    ['language', 1.05],
    ['everything', 1.1],
  ].map(([mode, target]) => ({
    name: `server over HTTP, 32 at a time, ${mode} touched (server CPU)`,
    peer: 'bare createMcpHandler',
    ratio: 'ours/peer',
    target,
    measure: against('http', String(mode)),
  })),
  ...MEMORY.flatMap(([connection, name]) =>
    [
      ['language', 1.1],
      ['everything', 1.15],
    ].map(([mode, target]) => ({
      name: `server, ${name}, 32 at a time, ${mode} touched`,
      peer: 'bare SDK v2',
      ratio: 'ours/peer',
      target,
      measure: against('memory', String(mode), connection),
    })),
  ),
];
