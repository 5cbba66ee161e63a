#!/usr/bin/env node
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { block, blockIn, examine, sources } from '../test/architecture/picture.mjs';

const { values } = parseArgs({ options: { write: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } });
if (values.help) {
  console.log(`Usage: node scripts/architecture.mjs [--write]

Prints which room imports which, derived from source, and what breaks the rules (test/architecture/rules.mjs).
--write puts the picture into ARCHITECTURE.md, between its two markers.`);
  process.exit(0);
}

const { problems, edges } = examine(sources());
console.log(block(edges).split('\n').slice(3, -3).join('\n'));
for (const problem of problems) console.error(problem);
if (values.write) {
  const file = new URL('../ARCHITECTURE.md', import.meta.url);
  const document = readFileSync(file, 'utf8');
  const { found, replace } = blockIn(document);
  if (found === undefined) throw new Error('ARCHITECTURE.md has lost its markers');
  writeFileSync(file, replace(block(edges)));
}
process.exitCode = problems.length > 0 ? 1 : 0;
