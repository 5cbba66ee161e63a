import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isolate, isRightToLeft } from './bidi.js';

const [LRI, FSI, PDI] = ['\u2066', '\u2068', '\u2069'];

describe('text inserted into a sentence', () => {
  it.each([
    ['report.pdf', false, 'report.pdf'],
    ['', true, ''],
    ['report.pdf', true, `${FSI}report.pdf${PDI}`],
    ['مرحبا', false, `${FSI}مرحبا${PDI}`],
    [`a${PDI}b`, false, `${FSI}ab${PDI}`],
    [`a${LRI}b`, false, `${FSI}a${LRI}b${PDI}${PDI}`],
    ['שלום\nעולם', false, `${FSI}שלום${PDI}\n${FSI}עולם${PDI}`],
    ['\u202eevil', false, `${FSI}\u202eevil${PDI}`],
  ])('%j in surroundings that turn (%s) is %j', (text, turns, expected) => {
    expect(isolate(text, turns)).toBe(expected);
  });

  it('inserted text is balanced within each line, and loses only ends of isolates that it did not open', () => {
    const char = fc.constantFrom('a', 'ب', '1', ' ', '\n', '\u2029', LRI, '\u2067', FSI, PDI, '\u202e', '\u202c');
    fc.assert(
      fc.property(fc.string({ unit: char }), fc.boolean(), (text, turns) => {
        const isolated = isolate(text, turns);
        for (const line of isolated.split(/[\n\u2029]/)) {
          let depth = 0;
          for (const one of line) {
            if (one === LRI || one === '\u2067' || one === FSI) depth++;
            if (one === PDI) depth--;
            expect(depth).toBeGreaterThanOrEqual(0);
          }
          expect(depth).toBe(0);
        }
        const bare = (value: string): string => value.replaceAll(/[\u2066-\u2069]/g, '');
        expect(bare(isolated)).toBe(bare(text));
      }),
    );
  });

  it.each([
    ['ar', true],
    ['he-IL', true],
    ['az-Arab', true],
    ['ur', true],
    ['en', false],
    ['az', false],
    ['zh-Hant', false],
  ])('%s is written from right to left: %s', (tag, expected) => {
    expect(isRightToLeft(tag)).toBe(expected);
  });
});
