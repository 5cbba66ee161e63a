// @ts-check
/**
 * A meter for servers that settles in about a minute: long-lived processes (ours, the bare peer, the bare peer again) take turns in windows of
 * some thousand calls. The ratio is taken for each round, and its median counts. The peer against itself is the spread of the meter:
 * where the target lies within it, the row is not resolved. Fresh process pairs need 25 pairs and 18 minutes for the same answer, and with
 * few pairs they measure the compiler.
 */
import { paired, startArm, turned } from './harness.mjs';

/**
 * @param {object} design
 * @param {{ ours: [file: string | URL, args?: string[]], peer: [file: string | URL, args?: string[]] }} design.arms
 * @param {number} design.window calls in one window
 * @param {number} design.warmUp calls of each process before anything counts
 * @param {number} design.rounds
 */
export async function alternatingWindows({ arms, window, warmUp, rounds }) {
  const names = /** @type {const} */ (['ours', 'peer', 'again']);
  /** @type {Record<typeof names[number], number[]>} */
  const cost = { ours: [], peer: [], again: [] };
  const running = new Map();
  try {
    for (const name of names) running.set(name, await startArm(arms[name === 'ours' ? 'ours' : 'peer']));
    for (let done = 0; done < warmUp; done += window) for (const name of names) await running.get(name).run(window);
    for (let round = 0; round < rounds; round++)
      for (const name of turned(names, round)) cost[name].push((await running.get(name).run(window)) / window);
  } finally {
    for (const arm of running.values()) await arm.stop();
  }
  const both = cost.peer.map((one, round) => (one + (cost.again[round] ?? NaN)) / 2);
  const { ratio, p10, p90 } = paired(cost.again, cost.peer, 'ours/peer');
  return { ...paired(cost.ours, both, 'ours/peer'), rounds, floor: { ratio, p10, p90 } };
}
