// @ts-check
/** Starting the command beside starting Node.js. Each start is a process; both are timed by the clock, since that is what its user waits for. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { quantile, turned } from './harness.mjs';

export const title = 'Command: how long it takes to start';

const BIN = fileURLToPath(new URL('../node_modules/.bin/waybill', import.meta.url));
/** Milliseconds that the command may take above one and a half times an empty program. */
const ALLOWANCE = 60;

/** @param {string[]} args */
function started(args) {
  const start = performance.now();
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const time = performance.now() - start;
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`);
  return { time, stdout };
}

/** @type {import('./harness.mjs').Row[]} */
export const rows = [
  {
    name: 'command: waybill --help, ms',
    peer: `1.5 times node -e 0, and ${ALLOWANCE} ms`,
    ratio: 'ours/peer',
    target: 1,
    check: () => started([BIN, '--help']).stdout.includes('Usage: waybill'),
    measure: async ({ quick }) => {
      /** @type {Record<'ours' | 'node', number[]>} */
      const times = { ours: [], node: [] };
      const runs = { ours: [BIN, '--help'], node: ['-e', '0'] };
      for (let round = 0; round < (quick ? 6 : 40); round++)
        for (const name of turned(/** @type {const} */ (['ours', 'node']), round)) times[name].push(started(runs[name]).time);
      // The median of each, not of the ratios: a start is short, and a busy moment hits only one of a pair.
      const limits = times.node.map((time) => 1.5 * time + ALLOWANCE);
      const [ours, peer] = [quantile(times.ours, 0.5), quantile(limits, 0.5)];
      const at = (/** @type {number} */ part) => quantile(times.ours, part) / peer;
      return { ours, peer, ratio: ours / peer, p10: at(0.1), p90: at(0.9), rounds: times.ours.length, unit: 'ms' };
    },
  },
];
