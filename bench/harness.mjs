// @ts-check
import { fork } from 'node:child_process';

/**
 * Races between our code and a peer's, built for a noisy machine: CPU time instead of the clock, both arms in every round in random order,
 * the ratio taken per round and then its median with p10 and p90. No `global.gc()`: it flushes the code of the arm that idles.
 * A collection costs several milliseconds and comes every dozen or so: a round is many short batches, so that each holds its share of them.
 * With one batch a round the median sees either no collection or only those, and jumps between the two.
 *
 * A row names its peer and what is to be reached. `ratio` says which way round: 'peer/ours' is how many times faster we are (met when at
 * least the target), 'ours/peer' what we cost beside it (met when at most the target). All times are µs of CPU per operation.
 *
 * @typedef {'peer/ours' | 'ours/peer'} Direction
 * @typedef {(n: number) => unknown} Arm runs n operations; may be asynchronous
 * @typedef {{ ours: number, peer: number, ratio: number, p10: number, p90: number }} Figures
 * @typedef {{ quick: boolean }} Options
 * @typedef {object} Row
 * @property {string} name
 * @property {string} peer the library or base it is raced against
 * @property {Direction} ratio
 * @property {number} target
 * @property {{ ours: Arm, peer: Arm }} [arms]
 * @property {() => unknown} [check] throws, or gives false, when the arms do not do the same work
 * @property {(options: Options) => Promise<Figures & Record<string, unknown>>} [measure] for designs of their own: gives the figures itself
 *
 * @typedef {object} Tools what a test replaces: the meter and the dice
 * @property {() => number} [cpu] CPU time so far in µs
 * @property {() => number} [random]
 */

const BATCH = 4_000; // µs of CPU in one batch: far above the meter's grain
const BATCHES = 10; // of each arm in one round
const quickPlan = { warmUp: 100_000, rounds: 18, budget: 1_500_000 };
const fullPlan = { warmUp: 500_000, rounds: 100, budget: 9_000_000 };

/** User and system time of the whole process in µs: collection and compilation are part of what an arm costs. */
export function cpuTime() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** @param {Row} row @param {Options} options @param {Tools} [tools] */
export async function runRow(row, options, tools = {}) {
  if ((await row.check?.()) === false) throw new Error(`${row.name}: the arms do not give the same answer`);
  const { arms, measure } = row;
  if (!measure && !arms) throw new TypeError(`${row.name}: a row has either arms or measure`);
  const figures = measure
    ? await measure(options)
    : await race(/** @type {{ ours: Arm, peer: Arm }} */ (arms), { ...options, ratio: row.ratio }, tools);
  return verdict(row, figures);
}

/** One figure as it is printed. @param {Row} row @param {Figures & Record<string, unknown>} figures */
export function verdict(row, figures) {
  const { ours, peer, ratio, p10, p90, ...more } = figures;
  const met = row.ratio === 'peer/ours' ? ratio >= row.target : ratio <= row.target;
  return {
    name: row.name,
    ...rounded({ ours, peer, ratio, p10, p90 }),
    target: row.target,
    met,
    verdict: isWithinSpread(row.target, ratio, more) ? 'not resolved' : met ? 'met' : 'missed',
    direction: row.ratio,
    against: row.peer,
    ...more,
  };
}

/**
 * Whether the peer measured against itself differs by as much as the ratio differs from its target: then neither verdict would hold. The
 * spread is that of the median, so it shrinks with the number of rounds or pairs.
 * @param {number} target @param {number} ratio @param {{ floor?: { ratio: number, p10: number, p90: number }, rounds?: number, pairs?: number, unit?: string }} more
 */
function isWithinSpread(target, ratio, { floor, rounds, pairs = 1, unit }) {
  if (floor === undefined) return false;
  const spread = Math.max(Math.abs(floor.ratio - (unit === undefined ? 1 : 0)), (floor.p90 - floor.p10) / Math.sqrt(rounds ?? pairs));
  return Math.abs(ratio - target) <= spread;
}

/** @param {{ ours: Arm, peer: Arm }} arms @param {Options & { ratio: Direction }} options @param {Tools} [tools] @returns {Promise<Figures>} */
export async function race(arms, { quick, ratio }, { cpu = cpuTime, random = Math.random } = {}) {
  const plan = quick ? quickPlan : fullPlan;
  /** @param {Arm} arm @param {number} n */
  const timed = async (arm, n) => {
    await new Promise((resolve) => setImmediate(resolve)); // the engine's own tasks come between batches, as they do in a server
    const start = cpu();
    const pending = arm(n);
    if (pending instanceof Promise) await pending; // an await costs a turn: a synchronous arm does not pay for one
    return cpu() - start;
  };
  const sizes = { ours: await calibrate(timed, arms.ours, plan.warmUp), peer: await calibrate(timed, arms.peer, plan.warmUp) };
  /** @type {{ ours: number[], peer: number[] }} */
  const cost = { ours: [], peer: [] };
  for (let round = 0, spent = 0; round < plan.rounds && (round < 5 || spent < plan.budget); round++) {
    const sum = { ours: 0, peer: 0 };
    // An operation that is longer than a batch needs no more than one.
    const batches = Math.min(BATCHES, Math.ceil((BATCH * BATCHES) / Math.max(sizes.ours.time, sizes.peer.time)));
    for (let batch = 0; batch < batches; batch++) {
      /** @type {('ours' | 'peer')[]} */
      const order = random() < 0.5 ? ['ours', 'peer'] : ['peer', 'ours'];
      for (const name of order) sum[name] += await timed(arms[name], sizes[name].n);
    }
    spent += sum.ours + sum.peer;
    for (const name of /** @type {const} */ (['ours', 'peer'])) cost[name].push(Math.max(sum[name], 1) / (sizes[name].n * batches));
  }
  return paired(cost.ours, cost.peer, ratio);
}

/**
 * How many operations fill a batch. Warms the arm up first, since a cold arm would be given too few, and takes the middle of several
 * batches, since one may hold a collection.
 * @param {(arm: Arm, n: number) => Promise<number>} timed @param {Arm} arm @param {number} warmUp
 */
async function calibrate(timed, arm, warmUp) {
  let n = 1;
  for (let spent = 0; spent < warmUp;) {
    const time = await timed(arm, n);
    spent += time;
    if (time < BATCH / 2) n *= 2;
    if (n > 2 ** 40) throw new Error('an arm does nothing with n: it has to run that many operations');
  }
  for (;;) {
    const times = [];
    while (times.length < (n > 1 ? 7 : 1)) times.push(await timed(arm, n));
    const time = Math.max(quantile(times, 0.5), 1);
    const next = Math.max(1, Math.round((n * BATCH) / time));
    if (next < n * 1.5) return { n: next, time: (time * next) / n };
    n = next;
  }
}

/** @param {readonly number[]} ours @param {readonly number[]} peer @param {Direction} direction @returns {Figures} */
export function paired(ours, peer, direction) {
  const ratios = ours.map((mine, round) => {
    const theirs = peer[round] ?? NaN;
    return direction === 'peer/ours' ? theirs / mine : mine / theirs;
  });
  return {
    ours: quantile(ours, 0.5),
    peer: quantile(peer, 0.5),
    ratio: quantile(ratios, 0.5),
    p10: quantile(ratios, 0.1),
    p90: quantile(ratios, 0.9),
  };
}

/** @param {readonly number[]} values @param {number} at between 0 and 1; interpolates */
export function quantile(values, at) {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * at;
  const [low = NaN, high = NaN] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low + (high - low) * (place - Math.floor(place));
}

/** Four significant digits: the rest is noise. @template {Record<string, number>} T @param {T} figures @returns {T} */
function rounded(figures) {
  return /** @type {T} */ (Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value.toPrecision(4))])));
}

/**
 * The design for costs that hide when both arms share a process (compiled code, promise hooks): fresh processes for every pair, blocks in
 * the order A B C C B A, where B and C are two processes of the peer. Both together are what A is held against; C against B is the noise
 * floor: a ratio within it says nothing. Over six pairs each of the three comes first, in the middle and last equally often, and the first
 * blocks do not count: a process is slow after it has waited for others.
 * Each arm is a script that calls `serveArm`. One pair scatters by about 5 %; ±2 % takes some 25 pairs.
 *
 * @param {object} design
 * @param {{ ours: [file: string | URL, args?: string[]], peer: [file: string | URL, args?: string[]] }} design.arms
 * @param {number} [design.pairs]
 * @param {number} [design.blocks] times the order is run through in each pair
 * @param {number} [design.block] µs of CPU that one block should take
 * @param {number} [design.warmUp] µs of CPU before anything counts
 * @param {number} [design.settle] times the order is run through after that and before anything counts
 * @param {Direction} [design.ratio]
 * @returns {Promise<Figures & { pairs: number, floor: { ratio: number, p10: number, p90: number } }>}
 */
export async function processPairs({ arms, pairs = 5, blocks = 4, block = 200_000, warmUp = 1_500_000, settle = 2, ratio = 'ours/peer' }) {
  /** @type {Record<'ours' | 'peer' | 'again', number[]>} */
  const cost = { ours: [], peer: [], again: [] };
  for (let pair = 0; pair < pairs; pair++) {
    const started = turned(/** @type {const} */ (['ours', 'peer', 'again']), pair);
    /** @type {Map<string, Awaited<ReturnType<typeof startArm>>>} */
    const running = new Map();
    try {
      for (const name of started) running.set(name, await startArm(arms[name === 'ours' ? 'ours' : 'peer']));
      // In turns: a process that waits while others warm up collects its garbage and drops its compiled code.
      const left = new Map(started.map((name) => [name, warmUp]));
      while (left.size > 0)
        for (const [name, cpu] of left) {
          const spent = (await running.get(name)?.warm(block)) ?? NaN;
          if (spent < cpu) left.set(name, cpu - spent);
          else left.delete(name);
        }
      /** @type {Map<string, number>} */
      const sum = new Map();
      for (let turn = -settle; turn < blocks; turn++)
        for (const name of [...started, ...[...started].reverse()]) {
          const time = (await running.get(name)?.block()) ?? NaN;
          if (turn >= 0) sum.set(name, (sum.get(name) ?? 0) + time);
        }
      for (const name of started) cost[name].push((sum.get(name) ?? NaN) / (2 * blocks));
    } finally {
      for (const arm of running.values()) await arm.stop();
    }
  }
  const floor = rounded((({ ratio: middle, p10, p90 }) => ({ ratio: middle, p10, p90 }))(paired(cost.again, cost.peer, 'ours/peer')));
  const both = cost.peer.map((one, pair) => (one + (cost.again[pair] ?? NaN)) / 2);
  return { ...paired(cost.ours, both, ratio), pairs, floor };
}

/** In another order for each pair: turned by one place, and every second time backwards. @template T @param {readonly T[]} list @param {number} pair */
export function turned(list, pair) {
  const at = pair % list.length;
  const order = [...list.slice(at), ...list.slice(0, at)];
  return pair % 2 === 0 ? order : order.reverse();
}

/** @param {[file: string | URL, args?: string[]]} arm */
export async function startArm([file, args = []]) {
  const child = fork(file, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  let n = 1;
  /** @param {number} count @returns {Promise<number>} µs of CPU for that many operations */
  const run = (count) =>
    new Promise((resolve, reject) => {
      const ended = (/** @type {number | null} */ code) =>
        reject(new Error(`${String(file)} ended with code ${code} in the middle of a race`));
      child.once('exit', ended);
      child.once('message', (message) => {
        child.off('exit', ended);
        const { cpu, error } = /** @type {{ cpu?: number, error?: string }} */ (message);
        if (cpu === undefined) reject(new Error(`${String(file)}: ${error}`));
        else resolve(cpu);
      });
      child.send({ run: count }, (error) => error && reject(error));
    });
  await run(0); // it has loaded
  return {
    run,
    /** One turn, after which a turn is nearer to the length of a block. @param {number} block @returns {Promise<number>} µs of CPU */
    warm: async (block) => {
      const time = await run(n);
      n = Math.max(1, Math.round(n * Math.min(2, block / Math.max(time, 1))));
      return time;
    },
    /** CPU per operation over one block. */
    block: async () => (await run(n)) / n,
    stop: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null || !child.kill()) resolve(undefined);
        else child.once('exit', resolve);
      }),
  };
}

/**
 * The other end of `processPairs`, in the script of an arm. `run` may give the CPU µs it took, where the process alone is not all of it
 * (a server in another process); otherwise the process is measured.
 * @param {(n: number) => unknown} run
 */
export function serveArm(run) {
  // If nobody listens any more, the process is about to end.
  const tell = (/** @type {object} */ message) => process.send?.(message, undefined, undefined, () => undefined);
  process.on('message', async (/** @type {{ run: number }} */ message) => {
    try {
      const start = cpuTime();
      const own = message.run > 0 ? await run(message.run) : 0;
      tell({ cpu: typeof own === 'number' ? own : cpuTime() - start });
    } catch (error) {
      tell({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
  process.on('disconnect', () => process.exit(0));
}
