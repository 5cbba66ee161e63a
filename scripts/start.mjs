#!/usr/bin/env node
// npm start: builds if needed, then shows the demonstration in the terminal, one chapter after the other, and ends.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean', short: 'h' }, list: { type: 'boolean' } },
});
const tour = new URL('../examples/shop/tour/', import.meta.url);
const chapters = readdirSync(tour)
  .filter((name) => /^\d+-.*\.mjs$/.test(name))
  .sort();
if (values.help) {
  console.log(
    'Usage: npm start [-- CHAPTER…]\n\nRuns the chapters of examples/shop/tour, or those whose name contains a word given. --list names them.',
  );
  process.exit(0);
}
if (values.list) {
  console.log(chapters.join('\n'));
  process.exit(0);
}

const root = fileURLToPath(new URL('..', import.meta.url));
const built = spawnSync(
  process.execPath,
  [createRequire(import.meta.url).resolve('typescript/bin/tsc'), '-b', 'packages/waybill', 'packages/time'],
  {
    cwd: root,
    stdio: 'inherit',
  },
);
if (built.status !== 0) {
  console.error('The build failed, so there is nothing to show. npm run check tells more.');
  process.exit(1);
}

const { heading, closing } = await import('../examples/shop/tour/print.mjs');
const chosen = chapters.filter((name) => positionals.length === 0 || positionals.some((word) => name.includes(word)));
if (chosen.length === 0) {
  console.error(`No chapter is called ${positionals.join(' or ')}. There are: ${chapters.join(', ')}`);
  process.exit(2);
}
for (const [index, name] of chosen.entries()) {
  const { title, show } = await import(new URL(name, tour).href);
  heading(index + 1, chosen.length, title);
  await show();
}
closing();
