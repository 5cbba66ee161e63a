#!/usr/bin/env node
/**
 * Puts small faults into a file or a folder, one at a time, and lists those that no unit test notices. Outside the gate: a room takes
 * minutes to hours, and some faults change nothing that anybody could see.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const HELP = `Usage: npm run mutate -- PATH [--tests FOLDER] [--concurrency N]

Runs Stryker on a file or folder below packages/*/src, and prints the faults that survived and the score.

  --tests FOLDER    where the tests are; the room of PATH (such as packages/waybill/src/wire) unless said
  --concurrency N   processes at one time; 2 unless said
  --help            this text

Journeys are not run: they use the built packages, which Stryker does not change. A fault that survives here may be noticed by one of them.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { tests: { type: 'string' }, concurrency: { type: 'string', default: '2' }, help: { type: 'boolean', short: 'h' } },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
if (positionals.length !== 1) refuse(`expected one PATH\n\n${HELP}`);
const [path, room] = within(positionals[0]);
const isFolder = statSync(join(ROOT, path)).isDirectory();
const tests = values.tests === undefined ? room : within(values.tests)[0];
if (!/^[1-9]\d*$/.test(values.concurrency)) refuse('--concurrency: expected a whole number above 0');

const config = {
  mutate: isFolder ? [`${path}/**/*.ts`, `!${path}/**/*.test.ts`] : [path],
  plugins: ['@stryker-mutator/vitest-runner'],
  testRunner: 'vitest',
  vitest: { related: true },
  coverageAnalysis: 'perTest',
  concurrency: Number(values.concurrency),
  // Stryker works on a copy of the tree. Tests that are not copied are not run.
  ignorePatterns: ['.cache', 'bench', 'docs', 'examples', 'packages/*/dist', '**/*.test.ts', `!${tests}/**/*.test.ts`],
  tempDirName: '.cache/mutate/copy',
  reporters: ['clear-text'],
  allowConsoleColors: false,
  warnings: { slow: false },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, allowEmojis: false },
};
const file = join(ROOT, '.cache/mutate/stryker.config.json');
mkdirSync(join(ROOT, '.cache/mutate'), { recursive: true });
writeFileSync(file, JSON.stringify(config, undefined, 2));
console.log(`faults in ${path}, tests of ${tests} …`);
const { status } = spawnSync(process.execPath, [join(ROOT, 'node_modules/@stryker-mutator/core/bin/stryker.js'), 'run', file], {
  cwd: ROOT,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;

/** A path below packages/*\/src, relative to the root, and its room: the first folder below src. */
function within(given) {
  const path = relative(ROOT, resolve(given));
  const [room] = /^packages\/[^/]+\/src(\/[^/.]+(?=\/|$))?/.exec(path) ?? refuse(`${given}: expected a path below packages/*/src`);
  if (statSync(join(ROOT, path), { throwIfNoEntry: false }) === undefined) refuse(`${given}: there is no such file or folder`);
  return [path, room];
}

function refuse(problem) {
  console.error(`mutate: ${problem}`);
  process.exit(2);
}
