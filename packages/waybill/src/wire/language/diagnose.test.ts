import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diagnoseMismatch } from './diagnose.js';

/** Any UTF-16, lone surrogates included. */
const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });

describe('the diagnosis of a mismatch', () => {
  it.each<[string, string, string, RegExp]>([
    ['the star that runtimes add', '*', 'fr', /send by default/],
    ['white space', 'en-US,en;q=0.9', 'en-US, en;q=0.9', /white space only/],
    ['a blank the body starts with', 'en', ' en', /white space only/],
    ['case', 'en-us', 'en-US', /case only/],
    ['white space and case', 'en-us, fr', 'en-US,fr', /white space and case/],
    ['the form of a weight', 'en;q=0.9', 'en;q=0.900', /weights are written/],
    ['a weight of one left out', 'en, fr;q=0.5', 'en;q=1, fr;q=0.50', /weights are written/],
    ['the same line twice', 'fr, fr', 'fr', /two senders/],
    ['another line behind it', 'fr-CH, fr;q=0.9, *', 'fr-CH, fr;q=0.9', /two senders/],
    ['another line in front of it', 'en,fr', 'FR', /two senders/],
    ['order', 'en;q=0.9, fr', 'fr, en;q=0.9', /another order/],
    ['one tag left of several', 'fr', 'fr-CH, fr;q=0.9, en;q=0.8', /only one of the languages/],
    ['a prefix of what was sent', 'en', 'en-US', /only one of the languages/],
    ['a longer form of the sent value', 'fr-FR', 'fr, en;q=0.5', /only one of the languages/],
    ['an empty header', '', 'fr', /is empty/],
    ['something else altogether', 'ja', 'fr', /exactly the _meta value/],
    ['two malformed values', 'x;;', 'y;;', /exactly the _meta value/],
  ])('D-12: the diagnosis names %s', (_, headerValue, metaValue, hint) => {
    const diagnosis = diagnoseMismatch('Accept-Language', headerValue, metaValue);
    expect(diagnosis).toMatchObject({ header: 'Accept-Language', headerValue, metaValue });
    expect(diagnosis.hint).toMatch(hint);
  });

  it('D-12: the diagnosis also works for the header of an answer', () => {
    expect(diagnoseMismatch('Content-Language', 'FR', 'fr').hint).toMatch(/case only/);
  });

  it('D-12: values are cut at 256 characters, never inside a surrogate pair', () => {
    const long = diagnoseMismatch('Accept-Language', 'a'.repeat(10_000_000), `${'b'.repeat(255)}😀${'c'.repeat(300)}`);
    expect(long.headerValue).toBe(`${'a'.repeat(256)}…`);
    expect(long.metaValue).toBe(`${'b'.repeat(255)}…`);
    expect(diagnoseMismatch('Accept-Language', 'a'.repeat(256), '').headerValue).toBe('a'.repeat(256));
  });

  it('D-12: the diagnosis is total', () => {
    const value = fc.oneof(anyText, fc.string({ unit: fc.constantFrom('en', '-GB', ',', ';q=', '0.5', ' ', '*') }));
    fc.assert(
      fc.property(value, value, (headerValue, metaValue) => {
        expect(diagnoseMismatch('Accept-Language', headerValue, metaValue).hint).toMatch(/^[A-Z].*\.$/);
      }),
    );
  });
});
