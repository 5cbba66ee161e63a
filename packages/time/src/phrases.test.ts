import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { range } from './index.js';

/** Wednesday 18 March 2026, half past ten in Vienna. */
const when = { now: '2026-03-18T10:30:00+01:00', timezone: 'Europe/Vienna' };
const shown = (at: { toString(): string } | undefined): string =>
  at === undefined ? '…' : at.toString().slice(0, 16).replace('T00:00', '');

function answer(text: string, locale: string): string {
  const found = range(text, { ...when, locale });
  if (found === undefined) return '-';
  return `${found.kind === 'period' ? '' : `${found.kind} `}${shown(found.start)} ${shown(found.end)}`;
}

/** Phrases as people type them, by family: a locale, the text, and the interval it means, or `-` for none. */
const folder = new URL('phrases/', import.meta.url);

describe('CTX-07: phrases have the interval they mean, or none', () => {
  it.each(readdirSync(folder))('%s', (file) => {
    const rows = readFileSync(new URL(file, folder), 'utf8').trimEnd().split('\n');
    const answered = rows.map((row) => {
      const [locale = '', text = ''] = row.split('\t');
      return `${locale}\t${text}\t${answer(text, locale)}`;
    });
    expect(answered).toEqual(rows);
  });
});

describe('CTX-07: other readings', () => {
  it.each([
    ['Friday after next', '2026-03-27'],
    ['Monday before last', '2026-03-09'],
    ['same period last year', '2025-01-01', '2025-03-01', '2025-03-18'],
    ['until Friday', '…'],
    ['starting April 1', '2025-04-01'],
    ['15:30', '2026-03-17T15:30'],
  ])('%s may also start at %s', (text, ...others) => {
    expect(range(text, { ...when, locale: 'en-GB' })?.alternatives?.map(({ start }) => shown(start))).toEqual(others);
  });
});
