import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { FormatSet } from './format/set.js';
import { presetsOf } from './format/presets.js';
import { isFault, messageCompiler, type Compiler, type MessageValues } from './message.js';
import { escapeMessage, isPlain } from './message/syntax.js';

const presets = presetsOf({ date: { weekday: { weekday: 'long' } } });
const at = Date.UTC(2026, 9, 25, 1, 30);
let compiler: Compiler;
beforeAll(async () => {
  compiler = await messageCompiler(presets);
});

function say(text: string, values: MessageValues = {}, language = 'en', locale = language, zone = 'Europe/Vienna'): string {
  const message = compiler.compile(text, language);
  return typeof message === 'string' ? message : message(values, new FormatSet(locale, zone, language, presets));
}

describe('a message', () => {
  it.each<[string, MessageValues, string, string]>([
    ['{n, plural, one {# file} other {# files}}', { n: 1 }, 'en', '1 file'],
    ['{n, plural, =-1 {one below} other {#}}', { n: -1 }, 'en', 'one below'],
    ['{n, plural, =0 {no files} one {# file} other {# files}}', { n: 0 }, 'en', 'no files'],
    ['{n, plural, one {# plik} few {# pliki} many {# plików} other {# pliku}}', { n: 22 }, 'pl', '22 pliki'],
    ['{who, select, female {her} male {his} other {their}} cart', { who: 'female' }, 'en', 'her cart'],
    ['{who, select, female {her} other {their}} cart', { who: 'constructor' }, 'en', 'their cart'],
    ['{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}', { n: 3 }, 'en', '3rd'],
    ['{n, number, ::currency/EUR}', { n: 5 }, 'en', '€5.00'],
    ['{n, number, percent}', { n: 0.5 }, 'en', '50%'],
    ['{d, date, short} {d, time, short}', { d: at }, 'en-GB', '25/10/2026 02:30'],
    ['{d, date, ::yyyyMMMd}', { d: new Date(at) }, 'de', '25. Okt. 2026'],
    ['{d, time, ::jmm}', { d: at }, 'en-US', '2:30 AM'],
    ['{d, time, ::jjmm}', { d: at }, 'de', '02:30'],
    ['{n, number, ::group-auto .00}', { n: 1234 }, 'en', '1,234.00'],
    ['{d, date, weekday}', { d: { epochMilliseconds: at } }, 'fr', 'dimanche'],
    ['{name}: {list}', { name: 'x', list: ['a', 'b'] }, 'en', 'x: a and b'],
    ['{n} of {yes}', { n: 12_345, yes: true }, 'en', '12345 of true'],
    ["It''s '{'{name}'}'", { name: 'x' }, 'en', "It's {x}"],
    ['<b>{name}</b>', { name: 'x' }, 'en', '<b>x</b>'],
    ['{a, select, x {{b} {n, plural, other {#}}} other {none}}', { a: 'y' }, 'en', 'none'],
    ['{a, select, x {{b} {n, plural, other {#}}} other {none}}', { a: 'y', n: null }, 'en', 'none'],
    ['{when}', { when: new Date(at) }, 'en-GB', '25 Oct 2026, 02:30'],
  ])('%s', (text, values, language, expected) => {
    expect(say(text, values, language).replaceAll(/[\u00a0\u202f]/g, ' ')).toBe(expected);
  });

  it('a message takes its plural rule from its language and its numbers from the user’s locale', () => {
    const text = '{n, plural, one {# fichier} other {# fichiers}} au {d, date, short}';
    // French says "one" for 0 and 1.5; Austria writes a comma and points.
    expect(say(text, { n: 1.5, d: at }, 'fr', 'de-AT')).toBe('1,5 fichier au 25.10.26');
    expect(say(text, { n: 1234.5, d: at }, 'fr', 'en-US', 'America/Los_Angeles')).toBe('1,234.5 fichiers au 10/24/26');
  });

  it('inserted text is isolated if direction can matter, and select gets the raw value', () => {
    expect(say('Hello {name}', { name: 'Ada' })).toBe('Hello Ada');
    expect(say('Hello {name}', { name: 'آدا' })).toBe('Hello \u2068آدا\u2069');
    expect(say('مرحبا {name}', { name: 'Ada' }, 'ar')).toBe('مرحبا \u2068Ada\u2069');
    expect(say('{n, plural, other {# ملف}}', { n: 5 }, 'ar', 'en')).toBe('\u20685\u2069 ملف');
    expect(say('{who, select, x {{who}!} other {?}}', { who: 'x' }, 'he')).toBe('\u2068x\u2069!');
  });

  it.each<[string, MessageValues]>([
    ['{n}', {}],
    ['{n}', { n: null }],
    ['{constructor}', {}],
    ['{n, number}', { n: 'many' }],
    ['{n, plural, other {#}}', { n: '5' }],
    ['{n, plural, other {#}}', { n: null }],
    ['{n, plural, other {#}}', { n: undefined }],
    ['{n, plural, other {#}}', { n: Number.NaN }],
    ['{n, selectordinal, other {#}}', { n: null }],
    ['{n, number}', { n: Number.NaN }],
    ['{d, date}', { d: '2026-10-25' }],
    ['{d, date}', { d: Number.NaN }],
    ['{o}', { o: {} }],
  ])('a message throws if a value is missing or does not fit: %s %j', (text, values) => {
    expect(() => say(text, values)).toThrow();
  });

  it.each([
    ['a {b', 1, 3, 'expects argument closing brace'],
    ['a } b', 1, 3, 'closes a brace that was not opened'],
    ['line\n  {n, plural, one {x}}', 2, 22, 'missing other clause'],
    ['{x, foo}', 1, 5, 'invalid argument type'],
    ['{}', 1, 1, 'empty argument'],
    ['{d, date, shrt}', 1, 1, '"shrt" is no named style of date'],
    ['{x, select, other {{d, time, constructor}}}', 1, 20, '"constructor" is no named style of time'],
    [`${'{a, select, other {'.repeat(40)}x${'}}'.repeat(40)}`, 1, 1, 'is nested deeper than 32'],
  ])('a malformed message is reported with its place: %j', (text, line, column, problem) => {
    expect(compiler.parse(text)).toEqual({ line, column, problem });
  });

  it.each(["'}' alone", "it''s } '' {x", "'{' '}' '' '{''}' {x}"])('quoted braces do not count: %j', (text) => {
    const parsed = compiler.parse(text);
    expect(!isFault(parsed) || parsed.problem).toBe(
      text.includes('} ') && text.startsWith('it') ? 'closes a brace that was not opened' : true,
    );
  });

  it('a message made from any text says that text', () => {
    const nasty = fc.constantFrom("'", "''", '{', '}', '#', '<', '>', 'a', ' ', '\n', '|', "'{", "}'");
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(nasty).map((parts) => parts.join('')),
        ),
        (text) => {
          const message = escapeMessage(text);
          expect(isPlain(message) ? message : say(message)).toBe(text);
          if (isPlain(text)) expect(say(text)).toBe(text);
        },
      ),
      { examples: [["'a{a}'"], ["a{a'}'"], ['f{x} g{y}']] },
    );
  });

  it('a message that is formatted inside another one keeps each user’s own formats', () => {
    const outer = compiler.compile('{a} {n, number}', 'en') as (values: MessageValues, set: FormatSet) => string;
    const [us, at] = [new FormatSet('en-US', 'UTC', 'en', presets), new FormatSet('de-AT', 'UTC', 'en', presets)];
    const nested = {
      get a() {
        return outer({ a: '', n: 1.5 }, at);
      },
      n: 1.5,
    };
    expect(outer(nested, us)).toBe(' 1,5 1.5');
  });
});
