import { describe, expect, it } from 'vitest';
import { languagesIn } from './textLanguages.js';

const texts = new Map([
  ['mauvais', ['fr']],
  ['OK', ['fr', 'en']],
  ['no', ['en']],
  [', ', ['en']],
  ['', ['en']],
  ['失败', ['zh-Hant']],
  ['مرحبا \u2068Ada\u2069', ['ar']],
]);

describe('LANG-28: the languages of the catalogue texts inside a text', () => {
  it.each<[string, string, string[]]>([
    ['the words alone', 'mauvais', ['fr']],
    ['between others', 'E42: mauvais!', ['fr']],
    ['in capitals', 'MAUVAIS', ['fr']],
    ['said in two languages', 'ok', ['fr', 'en']],
    ['a word within a word', 'host unknown', []],
    ['the same word standing alone too', 'unknown: no', ['en']],
    ['nothing but punctuation', 'a, b', []],
    ['a script without spaces', '操作失败了', ['zh-Hant']],
    ['isolates taken out', 'مرحبا Ada', ['ar']],
  ])('%s', (_, text, languages) => {
    expect([...languagesIn(text, texts)]).toEqual(languages);
  });
});
