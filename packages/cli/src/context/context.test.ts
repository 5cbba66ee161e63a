import { expect, it } from 'vitest';
import { unknownCapabilities } from './check.js';
import { contextFrom } from './presets.js';

it.each([
  ['vienna', { lang: 'de-AT', tz: 'Europe/Vienna', locale: 'de-AT' }],
  ['lang=ja tz=Asia/Tokyo', { lang: 'ja', tz: 'Asia/Tokyo' }],
  ['paris lang=ar', { lang: 'ar', tz: 'Europe/Paris', locale: 'fr-FR' }],
  ['capability=roots capability=sampling', { capability: ['roots', 'sampling'] }],
])('--as "%s" stands for these options', (text, due) => {
  expect(contextFrom(text)).toEqual(due);
});

it.each(['header=X-Key:1', 'timeout=1', 'atlantis'])('--as "%s" is refused', (text) => {
  expect(() => contextFrom(text)).toThrow(/^--as: /);
});

it('blanks between names of capabilities do not matter', () => {
  expect(unknownCapabilities(['roots, sampling.tools', 'none'])).toEqual([]);
  expect(unknownCapabilities(['roots, elicitaton'])).toMatchObject([{ name: 'elicitaton', hint: 'Did you mean elicitation?' }]);
});
