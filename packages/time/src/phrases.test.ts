import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { range } from './index.js';

/** Wednesday 18 March 2026, half past ten in Vienna. */
const when = { now: '2026-03-18T10:30:00+01:00', timezone: 'Europe/Vienna' };
const shown = (at: { toString(): string } | undefined): string =>
  at === undefined ? '…' : at.toString().slice(0, 16).replace('T00:00', '');

/**
 * What people type, with a locale and what it is, or nothing. Most of them once had another answer: the words beside what was read had been
 * passed over.
 */
describe('CTX-07: the whole phrase, or none', () => {
  const lines = readFileSync(new URL('phrases.tsv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  it.each(lines.map((line) => line.split('\t') as [string, string, string]))('%s: %s is %s', (locale, text, expected) => {
    const found = range(text, { ...when, locale });
    const kind = found === undefined || found.kind === 'period' ? '' : `${found.kind} `;
    expect(found === undefined ? '-' : `${kind}${shown(found.start)} ${shown(found.end)}`).toBe(expected);
  });

  it.each([
    ['Friday after next', '2026-03-27'],
    ['Monday before last', '2026-03-09'],
  ])('%s may also be %s', (text, other) => {
    expect(range(text, { ...when, locale: 'en-GB' })?.alternatives?.map(({ start }) => shown(start))).toEqual([other]);
  });
});
