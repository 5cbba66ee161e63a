import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from './sha256.js';

describe('sha256', () => {
  const expected = (text: string): string => createHash('sha256').update(text).digest('hex');

  it.each([0, 1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 1000])('sha256 agrees with node:crypto on a text of %i characters', (length) => {
    expect(sha256('x'.repeat(length))).toBe(expected('x'.repeat(length)));
  });

  it('sha256 agrees with node:crypto on any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        expect(sha256(text)).toBe(expected(text));
      }),
    );
  });
});
