#!/usr/bin/env node
// @ts-check
import { fork } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runGroup, runRow } from './harness.mjs';
import { writeResults } from './results.mjs';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    help: { type: 'boolean', short: 'h' },
    job: { type: 'string' }, // file:index, for the process that runs one row or group
  },
});
if (values.help) {
  console.log(`Usage: npm run bench -- [--quick] [--json] [--only NAME]… [--list] [--write] [--strict]

Runs every row of bench/*.mjs beside its peer and writes bench/RESULTS.md. It takes less than ten minutes.
Times are µs of CPU per operation; see bench/README.md.
--quick       a look at every row in less than a minute; writes no file
--only NAME   rows whose name or file contains NAME, with all others of their group; may be given more than once; writes no file
--json        one JSON object a line: name, ours, peer, ratio, p10, p90, target, met, verdict
--list        names only
--write       writes bench/RESULTS.md after a quick run, too
--strict      exit code 1 when a target is missed (otherwise only when a row cannot be run)`);
  process.exit(0);
}

/** @typedef {import('./harness.mjs').Row} Row */
/** @typedef {import('./harness.mjs').Group} Group */
/** @typedef {ReturnType<typeof import('./harness.mjs').verdict>} Figure */
/** @param {string} file @returns {Promise<{ title: string, rows: (Row | Group)[] } | undefined>} */
async function roomIn(file) {
  const { rows, title } = await import(new URL(file, import.meta.url).href);
  return rows && { title, rows };
}

/** A row that takes longer than this hangs. It ends, and is told as one that could not be run. */
const LIMIT = 5 * 60_000;

if (values.job !== undefined) {
  setTimeout(() => process.exit(1), LIMIT).unref();
  process.on('disconnect', () => process.exit(1)); // nobody waits for the figure any more
  const [file = '', index] = values.job.split(':');
  const job = (await roomIn(file))?.rows[Number(index)];
  if (!job) throw new Error(`no row ${values.job}`);
  const figures = 'rows' in job ? await runGroup(job, values) : [await runRow(job, values)];
  process.stdout.write(`\n${JSON.stringify(figures)}`, () => process.exit(0)); // ends everything the row left open
  await new Promise(() => undefined);
}

/** @type {{ job: string, title: string, names: string[] }[]} */
const all = [];
for (const file of readdirSync(new URL('.', import.meta.url)).sort()) {
  if (!file.endsWith('.mjs') || file === 'run.mjs') continue;
  const room = await roomIn(file);
  room?.rows.forEach((row, index) => {
    all.push({ job: `${file}:${index}`, title: room.title, names: 'rows' in row ? row.rows.map(({ name }) => name) : [row.name] });
  });
}
const isWanted = (/** @type {string} */ text) => values.only?.some((part) => text.includes(part)) ?? true;
const chosen = all.filter(({ job, names }) => [...names, job].some(isWanted));
if (chosen.length === 0) console.error(`bench: no row matches ${values.only?.join(', ')}; --list shows all`);
const names = chosen.flatMap((job) => job.names);
if (values.list) {
  console.log(names.join('\n'));
  process.exit(0);
}

const since = Date.now();
const load = loadavg()[0] ?? NaN;
const width = Math.max(4, ...names.map((name) => name.length));
if (!values.json) console.log(line('name', ['ours', 'peer', 'ratio', '(p10..p90)', 'target', '', 'against']));
/** @type {{ title: string, figures: Figure[] }[]} */
const done = [];
/** @type {string[]} */
const broken = [];
/** @type {Map<number, Promise<Figure[] | undefined>>} */
const running = new Map();
const start = (/** @type {number} */ at) => {
  const job = chosen[at]?.job;
  if (job !== undefined && !running.has(at)) running.set(at, measured(job));
  return running.get(at);
};
const isSingle = (/** @type {number} */ at) => chosen[at]?.names.length === 1;
for (const [at, { title, names }] of chosen.entries()) {
  const result = start(at);
  // A quick run takes two single rows at a time: the meter counts CPU, and a look need not be exact.
  if (values.quick && isSingle(at) && isSingle(at + 1)) void start(at + 1);
  const figures = await result;
  if (figures === undefined) {
    broken.push(...names);
    console.error(`${names.join(', ')}: could not be run`);
    continue;
  }
  done.push({ title, figures });
  for (const figure of figures) {
    if (values.json) console.log(JSON.stringify(figure));
    else print(figure);
  }
}
const seconds = Math.round((Date.now() - since) / 1000);
const figures = done.flatMap((job) => job.figures);
const missed = figures.filter(({ verdict }) => verdict === 'missed');
const open = figures.filter(({ verdict }) => verdict === 'not resolved');
if (!values.json) {
  const counts = `${figures.length - missed.length - open.length} met, ${missed.length} missed, ${open.length} not resolved, ${broken.length} not run`;
  console.log(`\n${counts}, in ${seconds} s; the load of the machine was ${load.toFixed(1)} before`);
}
if (!values.only && (values.write || !values.quick)) await writeResults({ done, broken, seconds, load, quick: values.quick });
process.exit(broken.length > 0 || chosen.length === 0 || (values.strict && missed.length > 0) ? 1 : 0);

/**
 * A row in a process of its own: what other rows loaded and left behind (a larger heap, compiled code, open connections) changed figures by half.
 * @param {string} job @returns {Promise<Figure[] | undefined>}
 */
async function measured(job) {
  const options = values.quick ? ['--quick'] : [];
  const child = fork(fileURLToPath(import.meta.url), ['--job', job, ...options], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  let printed = '';
  child.stdout?.setEncoding('utf8').on('data', (text) => (printed += text));
  const code = await new Promise((resolve) => child.once('close', resolve));
  // A peer may print what it likes; the figures are the last line.
  return code === 0 ? JSON.parse(printed.trim().split('\n').at(-1) ?? '') : undefined;
}

/** @param {Figure} figure */
function print(figure) {
  const floor = figure['floor'];
  const cells = [
    figure.ours,
    figure.peer,
    `x${figure.ratio}`,
    `(${figure.p10}..${figure.p90})`,
    `${figure.direction === 'peer/ours' ? '>=' : '<='} ${figure.target}`,
    figure.verdict === 'missed' ? 'MISSED' : figure.verdict,
    floor === undefined ? figure.against : `${figure.against} (once more: x${floor.ratio.toFixed(3)})`,
  ];
  console.log(line(figure.name, cells));
}

/** @param {string} name @param {(string | number)[]} cells */
function line(name, cells) {
  const widths = [10, 10, 9, 18, 8, 12, 0];
  return [
    name.padEnd(width),
    ...cells.map((cell, at) => (at < 3 ? String(cell).padStart(widths[at] ?? 0) : String(cell).padEnd(widths[at] ?? 0))),
  ]
    .join(' ')
    .trimEnd();
}
