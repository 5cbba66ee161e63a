#!/usr/bin/env node
// Scores the built packages on a folder of outside cases: first the folder's own scorer, then the suites it does not cover.
import { existsSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { clientLayer } from './client.mjs';
import { examples } from './examples.mjs';
import { robustJson } from './robust-json.mjs';
import { robustState } from './robust-state.mjs';
import { robustStrings } from './robust-strings.mjs';

const usage = `Usage: npm run outside -- DIR [--only SUITE] [--fails N]

DIR is a folder of cases with a scorer (score.mjs) of the shape described in its README. Flags go to the scorer.
Then our own runners take the suites it does not cover: mcp-examples, robust-json, robust-strings.
Ends with code 1 when a runner of ours finds a failure; the scorer's figures are for reading.`;

const [dir, ...flags] = process.argv.slice(2);
if (dir === undefined || dir === '--help' || dir === '-h') {
  console.log(usage);
  process.exit(dir === undefined ? 2 : 0);
}
const scorer = path.join(dir, 'score.mjs');
if (!existsSync(scorer)) {
  console.error(`${scorer} is not there: ${dir} is no folder of outside cases`);
  process.exit(2);
}
const adapter = fileURLToPath(new URL('adapter.mjs', import.meta.url));
const scored = spawnSync(process.execPath, [scorer, adapter, ...flags], { stdio: 'inherit', env: { ...process.env, TZ: 'UTC' } });
if (scored.status !== 0) process.exitCode = 1;

const only = flags[flags.indexOf('--only') + 1];
for (const [suite, run] of [
  ['mcp-examples', examples],
  ['mcp-examples', clientLayer],
  ['robust-json', robustJson],
  ['robust-strings', robustStrings],
  ['robust-strings', robustState],
]) {
  if (flags.includes('--only') && !suite.startsWith(only ?? '')) continue;
  if (!existsSync(path.join(dir, suite))) continue;
  for (const { part, passed, failures } of await run(path.join(dir, suite))) {
    console.log(`${suite}\t${part}\t${passed}/${passed + failures.length}`);
    for (const failure of failures.slice(0, 20)) console.error(`  ${failure}`);
    if (failures.length > 0) process.exitCode = 1;
  }
}
