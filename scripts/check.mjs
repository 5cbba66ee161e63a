#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { published } from './pack.mjs';
import { chosen, execute } from './shared/run.mjs';

/** The steps that a change has to pass, in order. A step is one or more commands of node_modules/.bin; the first that fails ends it. */
const steps = {
  format: ['prettier --check --log-level warn --cache .'],
  // Lint and types look at the built packages: a fresh clone has none yet.
  build: ['npm run --silent build'],
  lint: ['eslint --cache --cache-location node_modules/.cache/eslint/ .'],
  types: ['tsc -p tsconfig.json --noEmit', 'tsc -p packages/inspector'],
  // Architecture, pins and requirement coverage are tests like any other.
  test: ['vitest run'],
  hygiene: published().flatMap((folder) => [
    `publint ${folder} --strict`,
    `attw --pack ${folder} --profile esm-only --no-color --no-emoji`,
  ]),
};

/** A loop that never ends must become a failure. Vitest cannot interrupt one: its own limits need a turn of the event loop. The same as in .ci/run. */
const LIMIT = 12 * 60_000;

const names = Object.keys(steps);
const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true }, help: { type: 'boolean', short: 'h' } },
});
if (values.help) {
  console.log(`Usage: npm run check [-- --only STEP]…

Runs ${names.join(', ')}, one line a step; a step that fails shows its whole output. All steps run; the exit code is 1 if one failed.
--only STEP   run this step only; may be given more than once. All but "format" look at the built packages: build first.`);
  process.exit(0);
}

const failed = [];
for (const name of chosen('--only', names, values.only)) {
  const start = performance.now();
  const { ok, output } = await runStep(steps[name]);
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${name.padEnd(8)} ${((performance.now() - start) / 1000).toFixed(1).padStart(6)} s`);
  if (!ok) {
    failed.push(name);
    console.log(output.trimEnd());
  }
}
if (failed.length > 0) console.log(`failed: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;

async function runStep(commands) {
  let output = '';
  for (const command of commands) {
    const result = await run(command);
    output += `$ ${command}\n${result.output}`;
    if (result.code !== 0) return { ok: false, output };
  }
  return { ok: true, output };
}

function run(command) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const bin = fileURLToPath(new URL('../node_modules/.bin', import.meta.url));
  const [file, ...parts] = command.split(' ');
  return execute(file, parts, { cwd: root, env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` }, limit: LIMIT });
}
