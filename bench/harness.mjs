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
 * @property {(options: Options) => Promise<Measured>} [measure] for designs of their own: gives the figures itself
 * @typedef {Figures & { rounds?: number, unit?: string, floor?: { ratio: number, p10: number, p90: number }, [more: string]: unknown }} Measured
 * @typedef {{ name: string, rows: Row[], measure: (options: Options) => Promise<Measured[]> }} Group rows that one measurement fills, in their order
 *
 * @typedef {object} Tools what a test replaces: the meter and the dice
 * @property {() => number} [cpu] CPU time so far in µs
 * @property {() => number} [random]
 */

const BATCH = 4_000; // µs of CPU in one batch: far above the meter's grain
const BATCHES = 10; // of each arm in one round
const quickPlan = { warmUp: 30_000, rounds: 8, budget: 250_000 };
const fullPlan = { warmUp: 400_000, rounds: 60, budget: 3_000_000 };

/** User and system time of the whole process in µs: collection and compilation are part of what an arm costs. */
export function cpuTime() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** @param {Row} row @param {Options} options @param {Tools} [tools] */
export async function runRow(row, options, tools = {}) {
  if ((await row.check?.()) === false) throw new Error(`${row.name}: the arms do not give the same answer`);
  const { arms, measure } = row;
  if (measure) return verdict(row, await measure(options));
  if (!arms) throw new TypeError(`${row.name}: a row has either arms or measure`);
  return verdict(row, await race(arms, { ...options, ratio: row.ratio }, tools));
}

/** One measurement for several rows. @param {Group} group @param {Options} options */
export async function runGroup({ rows, measure }, options) {
  const figures = await measure(options);
  return rows.map((row, at) => verdict(row, /** @type {Measured} */ (figures[at])));
}

/** One figure as it is printed. @param {Row} row @param {Measured} figures */
export function verdict(row, figures) {
  const { ours, peer, ratio, p10, p90, ...more } = figures;
  const met = row.ratio === 'peer/ours' ? ratio >= row.target : ratio <= row.target;
  return {
    name: row.name,
    ...rounded({ ours, peer, ratio, p10, p90 }),
    target: row.target,
    met,
    verdict: isWithinSpread(row.target, figures) ? 'not resolved' : met ? 'met' : 'missed',
    direction: row.ratio,
    against: row.peer,
    ...more,
  };
}

/**
 * True if another run could well give the other verdict: the ratio is nearer to its target than the spread of its median, or than the peer
 * differs from itself. The spread of a median shrinks with the number of rounds.
 * @param {number} target @param {Measured} figures
 */
function isWithinSpread(target, { ratio, p10, p90, floor, rounds = 1, unit }) {
  const spreads = [(p90 - p10) / Math.sqrt(rounds)];
  if (floor !== undefined) spreads.push(Math.abs(floor.ratio - (unit === undefined ? 1 : 0)), (floor.p90 - floor.p10) / Math.sqrt(rounds));
  return Math.abs(ratio - target) < Math.max(...spreads);
}

/** @param {{ ours: Arm, peer: Arm }} arms @param {Options & { ratio: Direction }} options @param {Tools} [tools] @returns {Promise<Measured>} */
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
  return { ...paired(cost.ours, cost.peer, ratio), rounds: cost.ours.length };
}

/**
 * Returns the number of operations that fill a batch. Warms the arm up first, since a cold arm would be given too few, and takes the middle of several
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

/**
 * The same race as a difference: how many µs ours takes more for one of the `parts` of an operation.
 * @param {Measured} figures of a race 'ours/peer' @param {number} parts @param {string} unit @returns {Measured}
 */
export function difference(figures, parts, unit) {
  const peer = figures.peer / parts;
  const added = (/** @type {number} */ ratio) => (ratio - 1) * peer;
  const { ours, ratio, p10, p90 } = figures;
  return { ...figures, ours: ours / parts, peer, ratio: added(ratio), p10: added(p10), p90: added(p90), unit };
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

/** In another order for each round: turned by one place, and every second time backwards. @template T @param {readonly T[]} list @param {number} round */
export function turned(list, round) {
  const at = round % list.length;
  const order = [...list.slice(at), ...list.slice(0, at)];
  return round % 2 === 0 ? order : order.reverse();
}

/** Starts the script of an arm in a process of its own. @param {[file: string | URL, args?: string[]]} arm */
export async function startArm([file, args = []]) {
  const child = fork(file, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
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
    stop: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null || !child.kill()) resolve(undefined);
        else child.once('exit', resolve);
      }),
  };
}

/**
 * The other end of `startArm`, in the script of an arm. `run` may give the CPU µs it took, where the process alone is not all of it
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
