// @ts-check
/**
 * The cost of the server layer beside the bare SDK. Both arms get the same request with its whole context and put the same answer on the
 * wire: the bare handler writes the language of its answer by hand.
 */
import { group } from './meter.mjs';

export const title = 'Server: a tool call beside the bare SDK';

/** @param {'http' | 'memory'} kind @param {string} way @param {string} peer @param {[string, number][]} targets @param {string[]} more */
function against(kind, way, peer, targets, ...more) {
  const arm = (/** @type {string} */ mode) =>
    /** @type {[URL, string[]]} */ ([new URL(`./arms/server-${kind}.mjs`, import.meta.url), [mode, ...more]]);
  const isHttp = kind === 'http';
  return group({
    name: `server, ${way}`,
    scripts: { bare: arm('bare'), language: arm('language'), everything: arm('everything'), again: arm('bare') },
    // A server over HTTP takes some 8,000 calls to settle; before that the compiler is measured.
    quick: isHttp ? { window: 100, warmUp: 400, rounds: 4 } : { window: 500, warmUp: 2500, rounds: 5 },
    full: isHttp ? { window: 500, warmUp: 8000, rounds: 32 } : { window: 1000, warmUp: 20_000, rounds: 60 },
    rows: targets.map(([mode, target]) => ({
      name: `server, ${way}, ${mode} touched`,
      peer,
      target,
      arms: [/** @type {'language'} */ (mode), 'bare', 'again'],
    })),
  });
}

/** @type {[string, number][]} */
const IN_MEMORY = [
  ['language', 1.1],
  ['everything', 1.15],
];

export const rows = [
  against('http', 'HTTP, 32 at a time', 'bare createMcpHandler, CPU of the server', [
    ['language', 1.05],
    ['everything', 1.1],
  ]),
  against('memory', 'in memory, 2026-07-28', 'bare SDK v2', IN_MEMORY, 'modern'),
  against('memory', 'in memory, 2025-11-25', 'bare SDK v2', IN_MEMORY, 'legacy'),
];
