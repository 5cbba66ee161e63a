#!/usr/bin/env node
// Writes what the documents take from the code: snippets, the figures in the README, docs/reference/wire.md, options.md and errors.md.
//   node scripts/docs.mjs [--check]
import { readdirSync, readFileSync, writeFileSync, existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { withFigures } from './docs/figures.mjs';
import { withSnippets } from './docs/snippets.mjs';

const root = new URL('../', import.meta.url);
const read = (path) => (existsSync(new URL(path, root)) ? readFileSync(new URL(path, root), 'utf8') : '');

/** Documents that are made whole from the code. */
const GENERATED = {
  'docs/reference/errors.md': async () => (await import('./docs/errors.mjs')).errorsDocument(),
  'docs/reference/options.md': async () => (await import('./docs/options.mjs')).optionsDocument(),
  'docs/reference/wire.md': async () => (await import('./docs/wire.mjs')).wireDocument(),
};

/** Documents whose code is taken from docs/snippets. */
const documents = () =>
  [
    'README.md',
    'skills/add-waybill/SKILL.md',
    ...readdirSync(new URL('packages/', root)).map((name) => `packages/${name}/README.md`),
    ...readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
  ].filter((path) => path.endsWith('.md') && !Object.hasOwn(GENERATED, path) && existsSync(new URL(path, root)));

/** Returns the text that each document should have, and what is wrong with it. */
export async function renewed() {
  const found = documents().map((path) => ({ path, old: read(path), ...withSnippets(read(path), new URL('docs/snippets/', root)) }));
  const readme = found.find(({ path }) => path === 'README.md');
  const { text, problems } = await withFigures(readme.text, read('bench/RESULTS.md'));
  Object.assign(readme, { text, problems: [...readme.problems, ...problems] });
  for (const [path, make] of Object.entries(GENERATED)) found.push({ path, old: read(path), text: await make(), problems: [] });
  return found;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({ options: { check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } });
  if (values.help) {
    console.log(`Usage: npm run docs [-- --check]

Writes the snippets of the documents (from docs/snippets), the figures in the README (from bench/RESULTS.md) and the generated documents
(from the built packages). --check only says what is stale.`);
    process.exit(0);
  }
  for (const { path, old, text, problems } of await renewed()) {
    for (const problem of problems) console.error(`${path}: ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
    if (text === old) continue;
    if (values.check) {
      console.error(`${path} is stale: run npm run docs`);
      process.exitCode = 1;
    } else writeFileSync(new URL(path, root), text);
  }
}
