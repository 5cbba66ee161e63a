#!/usr/bin/env node
// @ts-check
import { fork } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runRow } from './harness.mjs';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    help: { type: 'boolean', short: 'h' },
    row: { type: 'string' }, // file:index, for the process that runs one row
  },
});
if (values.help) {
  console.log(`Usage: npm run bench -- [--quick] [--json] [--only NAME]… [--list] [--strict]

Runs every row of bench/*.mjs beside its peer. Times are µs of CPU per operation; see bench/README.md.
--quick       about two seconds a row instead of some fifteen; rows with processes of their own take fifteen instead of minutes
--json        one JSON object a line: name, ours, peer, ratio, p10, p90, target, met, verdict
--only NAME   rows whose name or file contains NAME; may be given more than once
--list        names only
--strict      exit code 1 when a target is missed (otherwise only when a row cannot be run)`);
  process.exit(0);
}

/** @typedef {import('./harness.mjs').Row} Row */
/** @param {string} file @returns {Promise<Row[]>} */
async function rowsOf(file) {
  const { rows = [] } = await import(new URL(file, import.meta.url).href);
  return typeof rows === 'function' ? rows() : rows;
}

if (values.row !== undefined) {
  process.on('disconnect', () => process.exit(1)); // nobody waits for the figure any more
  const [file = '', index] = values.row.split(':');
  const row = (await rowsOf(file))[Number(index)];
  if (!row) throw new Error(`no row ${values.row}`);
  process.stdout.write(`\n${JSON.stringify(await runRow(row, { quick: values.quick }))}`, () => process.exit(0)); // ends everything the row left open
  await new Promise(() => undefined);
}

/** @type {{ file: string, index: number, row: Row }[]} */
const all = [];
for (const file of readdirSync(new URL('.', import.meta.url)).sort()) {
  if (!file.endsWith('.mjs') || ['harness.mjs', 'run.mjs'].includes(file)) continue;
  (await rowsOf(file)).forEach((row, index) => all.push({ file, index, row }));
}
const chosen = all.filter(({ file, row }) => values.only?.some((part) => row.name.includes(part) || file.includes(part)) ?? true);
if (chosen.length === 0 && values.only) console.error(`bench: no row matches ${values.only.join(', ')}; --list shows all`);

let missed = 0;
let broken = chosen.length === 0 && values.only ? 1 : 0;
const width = Math.max(4, ...chosen.map(({ row }) => row.name.length));
const titles = ['ours µs', 'peer µs', 'ratio', '(p10..p90)', 'target', '', 'against'];
if (!values.json && !values.list && chosen.length > 0) console.log(line('name', titles));
for (const { file, index, row } of chosen) {
  if (values.list) {
    console.log(row.name);
    continue;
  }
  const figure = await measured(`${file}:${index}`);
  if (!figure) {
    broken++;
    console.error(`${row.name}: could not be run`);
    continue;
  }
  if (figure.verdict === 'missed') missed++;
  if (values.json) console.log(JSON.stringify(figure));
  else {
    const sign = figure.direction === 'peer/ours' ? '>=' : '<=';
    const spread = `(${figure.p10}..${figure.p90})`;
    const cells = [
      figure.ours,
      figure.peer,
      `x${figure.ratio}`,
      spread,
      `${sign} ${figure.target}`,
      figure.verdict === 'missed' ? 'MISSED' : figure.verdict,
      figure.floor === undefined ? figure.against : `${figure.against} (one against another: x${figure.floor.ratio.toFixed(3)})`,
    ];
    console.log(line(row.name, cells));
  }
}
process.exit(broken > 0 || (values.strict && missed > 0) ? 1 : 0);

/**
 * A row in a process of its own: what other rows loaded and left behind (a larger heap, compiled code, open connections) changed figures by half.
 * @param {string} row @returns {Promise<(ReturnType<typeof import('./harness.mjs').verdict> & { floor?: { ratio: number } }) | undefined>}
 */
async function measured(row) {
  const options = values.quick ? ['--quick'] : [];
  const child = fork(fileURLToPath(import.meta.url), ['--row', row, ...options], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  let printed = '';
  child.stdout?.setEncoding('utf8').on('data', (text) => (printed += text));
  const code = await new Promise((resolve) => child.once('close', resolve));
  // A peer may print what it likes; the figure is the last line.
  return code === 0 ? JSON.parse(printed.trim().split('\n').at(-1) ?? '') : undefined;
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
