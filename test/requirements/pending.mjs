#!/usr/bin/env node
// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { allCitations, coverage, pending, requirements } from './citations.mjs';

const { values } = parseArgs({ options: { write: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } });
if (values.help) {
  console.log(`Usage: node test/requirements/pending.mjs [--write]

Shows which pending requirements a test cites by now, and which binding ones no test cites.
--write takes the cited ones off pending.json and lowers the pinned number. It never adds an id.`);
  process.exit(0);
}

const list = pending();
const { uncited, settled } = coverage({ requirements: requirements(), pending: list, citations: allCitations() });
console.log(
  `pending: ${Object.values(list).flat().length}, of which cited by now: ${settled.length}${settled.length > 0 ? ` (${settled.join(', ')})` : ''}`,
);
if (uncited.length > 0) console.log(`neither cited nor pending: ${uncited.join(', ')}`);

if (values.write) {
  const rest = Object.fromEntries(
    Object.entries(list)
      .map(([issue, ids]) => /** @type {const} */ ([issue, ids.filter((id) => !settled.includes(id))]))
      .filter(([, ids]) => ids.length > 0),
  );
  const pin = new URL('../pins/pending.json', import.meta.url);
  const { most } = JSON.parse(readFileSync(pin, 'utf8'));
  await write(new URL('pending.json', import.meta.url), rest);
  await write(pin, { most: Math.min(most, Object.values(rest).flat().length) });
}

/** @param {URL} url @param {unknown} value */
async function write(url, value) {
  const options = { ...(await resolveConfig(url)), parser: 'json' };
  writeFileSync(url, await format(JSON.stringify(value), options));
}
