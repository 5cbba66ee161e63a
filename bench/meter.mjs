// @ts-check
/**
 * The meter for a cost of a few per cent of a call: long-lived processes, one for each arm and the bare one twice, take turns in short windows.
 * The ratio is taken within each round, and its median counts. The second bare process against the first is the spread of the meter: a row
 * whose ratio is that near to its target is not resolved. A group settles in about half a minute.
 */
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { paired, startArm, turned } from './harness.mjs';

/** @typedef {[file: string | URL, args?: string[]]} Script */
/** @typedef {{ window: number, warmUp: number, rounds: number }} Plan calls in a window, calls of each arm before anything counts, rounds */

/**
 * Runs all arms in turns. Gives µs of CPU a call, for each arm and round.
 * @template {string} Name
 * @param {Record<Name, (calls: number) => Promise<number>>} arms Each resolves to the µs of CPU that its calls took.
 * @param {Plan} plan
 * @returns {Promise<Record<Name, number[]>>}
 */
export async function takeTurns(arms, { window, warmUp, rounds }) {
  const names = /** @type {Name[]} */ (Object.keys(arms));
  const cost = /** @type {Record<Name, number[]>} */ ({});
  for (const name of names) cost[name] = [];
  const warm = Math.ceil(warmUp / window);
  for (let round = -warm; round < rounds; round++)
    for (const name of turned(names, round + warm)) {
      const spent = await arms[name](window);
      if (round >= 0) cost[name].push(spent / window);
    }
  return cost;
}

/**
 * The same with scripts as arms, each in a process of its own.
 * @template {string} Name
 * @param {Record<Name, Script>} scripts @param {Plan} plan
 */
export async function alternate(scripts, plan) {
  const names = /** @type {Name[]} */ (Object.keys(scripts));
  const starting = names.map((name) => startArm(scripts[name]));
  try {
    const running = await Promise.all(starting);
    const arms = /** @type {Record<Name, (calls: number) => Promise<number>>} */ (
      Object.fromEntries(names.map((name, at) => [name, running[at]?.run]))
    );
    return await takeTurns(arms, plan);
  } finally {
    // Also those that started beside one that failed.
    for (const one of await Promise.allSettled(starting)) if (one.status === 'fulfilled') await one.value.stop();
  }
}

/** One arm against its peer, which ran twice. @param {number[]} ours @param {number[]} peer @param {number[]} again */
export function beside(ours, peer, again) {
  const { ratio, p10, p90 } = paired(again, peer, 'ours/peer');
  const both = peer.map((one, round) => (one + (again[round] ?? NaN)) / 2);
  return { ...paired(ours, both, 'ours/peer'), rounds: ours.length, floor: { ratio, p10, p90 } };
}

/**
 * Binds a process to one core. Processes that wander over the cores scatter more than twice as much. Without `taskset`, or with a single core,
 * they wander. @param {number | undefined} pid @param {number} core
 */
export function bind(pid, core) {
  if (availableParallelism() > 1) spawnSync('taskset', ['-apc', String(core), String(pid)], { stdio: 'ignore' });
}

/**
 * Rows that share one set of running arms. `arms` of a row names ours, its peer, and the peer's second process.
 * @template {string} Name
 * @param {{ name: string, scripts: Record<Name, Script>, quick: Plan, full: Plan, rows: { name: string, peer: string, target: number, arms: [ours: Name, peer: Name, again: Name] }[] }} design
 * @returns {import('./harness.mjs').Group}
 */
export function group({ name, scripts, quick, full, rows }) {
  return {
    name,
    rows: rows.map(({ arms: _, ...row }) => ({ ...row, ratio: 'ours/peer' })),
    async measure(options) {
      const cost = await alternate(scripts, options.quick ? quick : full);
      return rows.map(({ arms: [ours, peer, again] }) => beside(cost[ours], cost[peer], cost[again]));
    },
  };
}
