import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { range } from './index.js';

it('CTX-24: the tables of docs/reference/time.md say what the code does (node scripts/time-table.mjs --write)', async () => {
  const root = new URL('../../../', import.meta.url);
  const { renewed } = (await import(new URL('scripts/time-table.mjs', root).href)) as {
    renewed: (text: string, resolve: typeof range) => string;
  };
  const text = readFileSync(new URL('docs/reference/time.md', root), 'utf8');
  expect(renewed(text, range)).toBe(text);
});
