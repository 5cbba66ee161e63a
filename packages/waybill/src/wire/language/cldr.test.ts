import { describe, expect, it } from 'vitest';
import { indexTags } from './lookup.js';
import { cldrMatch } from './cldr.js';

const NONE: ReadonlySet<number> = new Set();

describe('CLDR matching', () => {
  it('the match names the wish that it answers', () => {
    const match = cldrMatch(indexTags(['en', 'zh-Hant', 'fr']), 'en');
    const wishes = ['sux', 'zh-tw', 'fr'].map((range) => ({ range, q: 1 }));
    expect(match(wishes, 3, NONE)).toEqual({ tag: 1, wish: 1 });
    expect(match(wishes, 3, new Set([1]))).toEqual({ tag: 2, wish: 2 });
    expect(match(wishes, 1, NONE)).toBeUndefined();
  });

  it('a match of the default differs from no match, whatever the default is', () => {
    for (const tag of ['en', 'en-x-own', 'de-u-co-phonebk', 'x-pirate', 'i-default']) {
      const match = cldrMatch(indexTags([tag]), tag);
      expect(match([{ range: tag, q: 1 }], 1, NONE)).toEqual({ tag: 0, wish: 0 });
      expect(match([{ range: 'ja', q: 1 }], 1, NONE)).toBeUndefined();
    }
  });

  it('the library sees a bounded number of tags; further ranges are looked up', () => {
    // A set of its own: a full one would change how the other tests of this process choose.
    const match = cldrMatch(indexTags(['en', 'fr', 'zh-Hant']), 'en', new Set());
    // This range was seen before the flood, so it is still understood.
    expect(match([{ range: 'zh-tw', q: 1 }], 1, NONE)).toEqual({ tag: 2, wish: 0 });
    for (let i = 0; i < 10_001; i++) match([{ range: `ja-v${i.toString(36).padStart(6, '0')}`, q: 1 }], 1, NONE);
    expect(match([{ range: 'fr-ch', q: 1 }], 1, NONE)).toEqual({ tag: 1, wish: 0 });
    expect(match([{ range: 'zh-tw', q: 1 }], 1, NONE)).toEqual({ tag: 2, wish: 0 });
    expect(match([{ range: 'zh-mo', q: 1 }], 1, NONE)).toBeUndefined();
  });
});
