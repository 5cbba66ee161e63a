// @ts-check
/**
 * The cost of the client layer beside a caller of the bare SDK that writes the same keys by hand, and of a policy beside a client without one.
 */
import { group } from './meter.mjs';

export const title = 'Client: a tool call beside the bare SDK';

const arm = (/** @type {string} */ file, /** @type {string[]} */ ...args) =>
  /** @type {[URL, string[]]} */ ([new URL(`./arms/${file}.mjs`, import.meta.url), args]);
const HAND = 'bare SDK v2, its caller writes the same keys';

/** @param {string} name @param {string} what @param {number} target @returns {{ name: string, peer: string, target: number, arms: [any, any, any] }} */
const row = (name, what, target) => ({
  name: `${name}, ${what} sent`,
  peer: HAND,
  target,
  arms: [what, `${what} by hand`, `${what} by hand again`],
});

const overHttp = 'client, HTTP, 32 at a time';
/** @param {'auto' | 'legacy'} mode */
const inMemory = (mode) => `client, in memory, ${mode === 'auto' ? '2026-07-28' : '2025-11-25'}`;
/** @param {string} file @param {string[]} before */
const scripts = (file, ...before) =>
  Object.fromEntries(
    ['language', 'everything'].flatMap((what) => [
      [what, arm(file, 'layer', ...before, what)],
      [`${what} by hand`, arm(file, 'hand', ...before, what)],
      [`${what} by hand again`, arm(file, 'hand', ...before, what)],
    ]),
  );
const MEMORY = { quick: { window: 500, warmUp: 2000, rounds: 4 }, full: { window: 1000, warmUp: 20_000, rounds: 60 } };

export const rows = [
  group({
    name: overHttp,
    scripts: scripts('client-http'),
    // Over HTTP both arms, the bare SDK too, take some 5,000 calls to settle.
    quick: { window: 60, warmUp: 180, rounds: 4 },
    full: { window: 250, warmUp: 5000, rounds: 32 },
    rows: [row(overHttp, 'language', 1.05), row(overHttp, 'everything', 1.1)],
  }),
  group({
    name: inMemory('auto'),
    scripts: {
      ...scripts('client-memory', 'auto'),
      'everything again': arm('client-memory', 'layer', 'auto', 'everything'),
      policy: arm('client-memory', 'policy', 'auto', 'everything'),
    },
    ...MEMORY,
    rows: [
      row(inMemory('auto'), 'language', 1.1),
      row(inMemory('auto'), 'everything', 1.15),
      {
        name: `${inMemory('auto')}, a policy of ten rules`,
        peer: 'the same client without a policy',
        target: 1.02,
        arms: ['policy', 'everything', 'everything again'],
      },
    ],
  }),
  group({
    name: inMemory('legacy'),
    scripts: scripts('client-memory', 'legacy'),
    ...MEMORY,
    rows: [row(inMemory('legacy'), 'language', 1.1), row(inMemory('legacy'), 'everything', 1.15)],
  }),
];
