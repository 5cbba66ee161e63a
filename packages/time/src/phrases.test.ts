import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { range } from './index.js';

/** Wednesday 18 March 2026, half past ten in Vienna. */
const when = { now: '2026-03-18T10:30:00+01:00', timezone: 'Europe/Vienna' };
const shown = (at: { toString(): string } | undefined): string =>
  at === undefined ? '…' : at.toString().slice(0, 16).replace('T00:00', '');

/**
 * Phrases as people type them, by family: a locale, the text, and the interval it means, or `-` for none.
 */
const folder = new URL('phrases/', import.meta.url);

describe.each(readdirSync(folder))('CTX-07: phrases/%s', (file) => {
  const lines = readFileSync(new URL(file, folder), 'utf8').trimEnd().split('\n');
  it.each(lines.map((line) => line.split('\t') as [string, string, string]))('%s: %s is %s', (locale, text, expected) => {
    const found = range(text, { ...when, locale });
    const kind = found === undefined || found.kind === 'period' ? '' : `${found.kind} `;
    expect(found === undefined ? '-' : `${kind}${shown(found.start)} ${shown(found.end)}`).toBe(expected);
  });
});

describe('CTX-07: other readings', () => {
  it.each([
    ['Friday after next', '2026-03-27'],
    ['Monday before last', '2026-03-09'],
  ])('%s may also be %s', (text, other) => {
    expect(range(text, { ...when, locale: 'en-GB' })?.alternatives?.map(({ start }) => shown(start))).toEqual([other]);
  });
});
