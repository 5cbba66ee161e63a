import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { range } from './index.js';

it('CTX-24: the tables of docs/time.md say what the code does (node docs/time-table.mjs --write)', async () => {
  const docs = new URL('../../../docs/', import.meta.url);
  const { renewed } = (await import(new URL('time-table.mjs', docs).href)) as {
    renewed: (text: string, resolve: typeof range) => string;
  };
  const text = readFileSync(new URL('time.md', docs), 'utf8');
  expect(renewed(text, range)).toBe(text);
});
