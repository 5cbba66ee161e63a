import { describe, expect, it, vi } from 'vitest';
import type { Issue } from '../../wire/issue.js';
import { CatalogError } from './catalog.js';
import { catalogs, filesOf, type CatalogOptions } from './catalogs.js';
import { FormatSet } from './format/set.js';
import { presetsOf } from './format/presets.js';

const MODULE = 'data:text/javascript,export default { sales: { none: "Nessuna" } }';
const set = new FormatSet('en', 'UTC', 'en', presetsOf());
const en: CatalogOptions = { default: 'en' };

async function failure(given: object, ...options: CatalogOptions[]): Promise<Error> {
  try {
    await catalogs(given as never, options.length === 0 ? en : (options[0] as CatalogOptions));
  } catch (error) {
    return error as Error;
  }
  throw new Error('it was accepted');
}

describe('catalogues', () => {
  it('catalogues come nested or flat, as objects, functions or modules', async () => {
    const words = await catalogs(
      {
        en: { sales: { total: 'Total: {sum}' }, 'sales.none': 'None', $schema: 'for tools' },
        de: () => ({ 'sales.total': 'Summe: {sum}' }),
        fr: () => Promise.resolve({ sales: { none: 'Aucune' } }),
        it: () => import(/* @vite-ignore */ MODULE),
      },
      en,
    );
    expect(words.languages).toEqual(['en', 'de', 'fr', 'it']);
    expect(words.say('en', 'sales.total', { sum: 5 }, () => set, vi.fn()).text).toBe('Total: 5');
    expect(words.say('de', 'sales.total', { sum: 5 }, () => set, vi.fn())).toEqual({ text: 'Summe: 5', language: 'de' });
    expect(words.find('fr', 'sales.none')).toEqual({ text: 'Aucune', language: 'fr' });
    expect(words.find('it', 'sales.none')?.text).toBe('Nessuna');
    expect(words.has('de', 'sales.none')).toBe(false);
    expect([...words.entries('en').keys()]).toEqual(['sales.total', 'sales.none']);
  });

  it('catalogues of plain text do not load MessageFormat', async () => {
    vi.resetModules();
    vi.doMock('intl-messageformat', () => {
      throw new Error('loaded');
    });
    const fresh = await import('./catalogs.js');
    const words = await fresh.catalogs({ en: { a: "l'avion", b: 'x' } }, en);
    expect(words.find('en', 'a')?.text).toBe("l'avion");
    await expect(fresh.catalogs({ en: { a: '{b}' } }, en)).rejects.toThrow();
    vi.doUnmock('intl-messageformat');
    vi.resetModules();
  });

  it.each<[string, object, string]>([
    ['a number for a text', { en: { a: { b: 5 } } }, 'catalogs.en: a.b: is a number, not text'],
    ['null for a text', { en: { a: null } }, 'catalogs.en: a: is null, not text'],
    ['a list', { en: { a: ['x'] } }, 'catalogs.en: a: is a list, not text'],
    ['no object', { en: 'x' }, 'catalogs.en: is a string, not an object of entries'],
    ['nothing', { en: undefined }, 'catalogs.en: is undefined, not an object of entries'],
    ['a tag that is none', { en: {}, de_AT: {} }, 'catalogs.de_AT: is not named with a BCP 47 language tag'],
    ['a language twice', { en: {}, EN: {} }, 'catalogs.EN: is there twice: en and EN are the same language'],
    ['an entry twice', { en: { a: { b: 'x' }, 'a.b': 'y' } }, 'catalogs.en: a.b: is there twice'],
    ['an entry without a name', { en: { a: { '': 'y' } } }, 'catalogs.en: a: has an entry without a name'],
    ['an elided word before a placeholder', { en: { a: "l'{x}" } }, 'a: line 1, column 2: the apostrophe quotes the text after it'],
    ['one before a number', { en: { a: "d'{0}" } }, 'a: line 1, column 2: the apostrophe quotes'],
    ['one before two of them', { en: { a: "l'{x} d'{y}" } }, 'a: line 1, column 2: the apostrophe quotes'],
    ['a plural category that is none', { en: { a: '{n, plural, on {x} other {y}}' } }, '"on" is no plural category'],
    ['a currency that is none', { en: { a: '{n, number, ::currency/EURO}' } }, 'Invalid currency code'],
    [
      'a skeleton that means nothing',
      { en: { a: 'x {n, number, ::bogus-thing}' } },
      'catalogs.en: a: line 1, column 3: "bogus-thing" means nothing in a skeleton',
    ],
    [
      'one that does in part',
      { en: { a: '{n, plural, other {{n, number, ::.00 group-of/f}}}' } },
      '"group-of/f" means nothing in a skeleton',
    ],
    ['a letter in a date that is none', { en: { a: '{d, time, ::HHmmssSSS}' } }, '"S" means nothing in a skeleton'],
    ['an unbalanced brace', { en: { a: 'x {y' } }, 'catalogs.en: a: line 1, column 3: expects argument closing brace'],
    ['a brace too many', { en: { a: 'x\ny }' } }, 'catalogs.en: a: line 2, column 3: closes a brace that was not opened'],
    [
      'a placeholder in a list, which has no values',
      { en: { tools: { a: { title: 'A' } } }, de: { tools: { a: { title: 'Ä {x}' } } } },
      'catalogs.de: tools.a.title: has a placeholder, x, and nothing fills it',
    ],
    [
      'a placeholder in a list of the default language',
      { en: { server: { title: '{n, plural, one {x} other {y}}' } } },
      'catalogs.en: server.title: has a placeholder, n, and nothing fills it',
    ],
    [
      'a placeholder in a form, which has none either',
      { en: { elicitations: { ask: { message: 'Hello {name}' } } } },
      'catalogs.en: elicitations.ask.message: has a placeholder, name, and nothing fills it',
    ],
    ['a key nobody asks for', { en: { a: 'x' }, de: { b: 'y' } }, 'catalogs.de: b: is not in the default language, en'],
    [
      'a field that is none',
      { en: {}, de: { tools: { book: { titel: 'y' } } } },
      'catalogs.de: tools.book.titel: is not the name of anything',
    ],
  ])('wrong catalogues fail at the start and name the path: %s', async (_what, given, message) => {
    const error = await failure(given);
    expect(error).toBeInstanceOf(CatalogError);
    expect(error.message).toContain(message);
  });

  it('placeholders that the default language does not have are refused; a language may leave one out', async () => {
    const sources = {
      en: { hi: 'Hi {name}', files: '{n, plural, one {# file of {user}} other {# files}}', plain: 'Hi', bad: '{' },
      de: { hi: 'Hallo {nme}', files: '{user, select, other {{n} Dateien}}', plain: 'Hallo {name}', bad: '{x}' },
      fr: { hi: '{gender, select, female {Bienvenue, chère} other {Bienvenue, cher}}', files: '{n, number, integer} fichiers' },
    };
    const { problems } = (await failure(sources)) as CatalogError;
    expect(problems.map(({ source, key, problem }) => `${source} ${key} ${problem}`)).toEqual([
      'catalogs.en bad expects argument closing brace',
      'catalogs.de hi needs {nme}, which the default language does not have',
      'catalogs.de plain needs {name}, which the default language does not have',
    ]);
  });

  it('an object that contains itself is refused', async () => {
    const loop: Record<string, unknown> = { a: 'x' };
    loop['again'] = loop;
    expect((await failure({ en: loop })).message).toContain('is nested deeper than 64, or in itself');
  });

  it('one error reports every problem', async () => {
    const error = (await failure({ en: Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`k${n}`, n])) })) as CatalogError;
    expect(error.problems).toHaveLength(30);
    expect(error.message.split('\n')).toHaveLength(21);
    expect(error.message).toContain('… and 10 more');
  });

  it.each<[CatalogOptions, string]>([
    [{ default: 'fr' }, 'default: expected a language with a catalogue, got "fr"'],
    [{ default: 'en', fallback: { gsw: 'de' } }, 'fallback.gsw: expected a language with a catalogue'],
    [{ default: 'en', fallback: { de: 'gsw' } }, 'fallback.de: expected a language with a catalogue, got "gsw"'],
    [{ default: 'en', fallback: { de: 'nl', nl: 'de' } }, 'fallback.de: expected no circle, got de → nl → de'],
    [{ default: 'en', fallback: { de: 'de' } }, 'fallback.de: expected no circle, got de → de'],
    [{ default: 'en', formats: { date: { x: { month: 'y' as never } } } }, 'formats.date.x: '],
  ])('invalid options fail: %j', async (options, message) => {
    const error = await failure({ en: {}, de: {}, nl: {} }, options);
    expect(error.message).toContain(message);
  });

  it('catalogues have own entries only: __proto__ and constructor are names like any other', async () => {
    const words = await catalogs({ en: JSON.parse('{"__proto__": {"x": "y"}, "constructor": "c"}') }, en);
    expect(words.find('en', '__proto__.x')?.text).toBe('y');
    expect(words.find('en', 'constructor')?.text).toBe('c');
    expect(words.find('en', 'toString')).toBeUndefined();
    expect(words.find('constructor', 'constructor')?.text).toBe('c');
  });
});

describe('the fallback chain', () => {
  it.each([
    ['zh-Hant-HK', 'a', 'zh-Hant-HK'],
    ['zh-Hant-HK', 'b', 'zh-Hant'],
    ['zh-Hant-HK', 'c', 'en'],
    ['zh-Hant', 'c', 'en'],
    ['zh-TW', 'b', 'zh-Hant'],
    ['zh-TW', 'c', 'en'],
    ['zh-Hans-SG', 'c', 'zh'],
    ['zh-Hans', 'c', 'zh'],
    ['zh', 'c', 'zh'],
    ['sr-ME', 'b', 'sr-Latn'],
    ['sr-ME', 'c', 'en'],
    ['de-AT-1996', 'b', 'de'],
    ['gsw', 'b', 'de'],
    ['gsw', 'c', 'en'],
    ['nobody', 'c', 'en'],
  ])('for %s finds %s in %s', async (language, key, expected) => {
    const words = await catalogs(
      {
        en: { a: 'en', b: 'en', c: 'en' },
        zh: { c: 'zh' },
        'zh-Hant': { a: 'zh-Hant', b: 'zh-Hant' },
        'zh-Hant-HK': { a: 'zh-Hant-HK' },
        'zh-TW': {},
        'zh-Hans': {},
        'zh-Hans-SG': {},
        sr: { b: 'sr', c: 'sr' },
        'sr-Latn': { b: 'sr-Latn' },
        'sr-ME': {},
        de: { b: 'de' },
        'de-AT-1996': {},
        gsw: {},
      },
      { default: 'en', fallback: { gsw: 'de' } },
    );
    expect(words.find(language, key)).toEqual({ text: expected, language: expected });
    expect(words.say(language, key, {}, () => set, vi.fn())).toEqual({ text: expected, language: expected });
  });
});

describe('a text that is missing or fails', () => {
  const given = {
    en: { files: '{n, plural, one {# file of {user}} other {# files}}', plain: 'Plain', broken: 'Hello {name}' },
    de: { files: '{n, plural, one {# Datei} other {# Dateien}} von {user}', broken: 'Hallo {name}' },
    'de-AT': {},
  };

  it('a failing text is replaced by that of the default language, then by its key, and reported once', async () => {
    const words = await catalogs(given, en);
    const issues: Issue[] = [];
    const say = (language: string, key: string, values = {}): unknown =>
      words.say(
        language,
        key,
        values,
        () => set,
        (issue) => issues.push(issue),
      );
    for (let time = 0; time < 3; time++) {
      expect(say('de', 'files', { n: 2 })).toEqual({ text: '2 files', language: 'en' });
      expect(say('de', 'broken')).toEqual({ text: 'broken', language: undefined });
      expect(say('de', 'plain')).toEqual({ text: 'Plain', language: 'en' });
      expect(say('de', 'nowhere')).toEqual({ text: 'nowhere', language: undefined });
    }
    expect(issues.map(({ key, problem }) => `${key} ${problem}`)).toEqual([
      'catalogs.de.files could not be formatted: no value for user',
      'catalogs.de.broken could not be formatted: no value for name',
      'catalogs.en.broken could not be formatted: no value for name',
      'catalogs.de.plain is missing; the text is in en',
      'catalogs.de.nowhere is missing in every language',
    ]);
  });

  it('a text counts as missing in a language that falls back to another, but not in a region that leaves it to its language', async () => {
    const words = await catalogs({ ...given, gsw: {} }, { default: 'en', fallback: { gsw: 'de' } });
    const issues: Issue[] = [];
    for (const language of ['de-AT', 'gsw'])
      words.say(
        language,
        'files',
        { n: 2 },
        () => set,
        (issue) => issues.push(issue),
      );
    expect(issues.map(({ key, problem }) => `${key} ${problem}`)).toEqual([
      'catalogs.de.files could not be formatted: no value for user',
      'catalogs.gsw.files is missing; the text is in en',
    ]);
  });

  it('a text does not count as missing in a regional catalogue that leaves it to its language', async () => {
    const words = await catalogs(given, en);
    const report = vi.fn();
    expect(words.say('de-AT', 'broken', { name: 'Ada' }, () => set, report)).toEqual({ text: 'Hallo Ada', language: 'de' });
    expect(report).not.toHaveBeenCalled();
  });

  it('the report contains no value', async () => {
    const words = await catalogs(given, en);
    const report = vi.fn();
    words.say('en', 'files', { n: 'my secret' }, () => set, report);
    words.say('en', 'broken', { name: { secret: 'my secret' } }, () => set, report);
    expect(report).toHaveBeenCalled();
    expect(JSON.stringify(report.mock.calls)).not.toContain('secret');
  });

  it('a list does not use a text that needs values', async () => {
    const words = await catalogs({ en: { a: 'A {x}' }, de: { a: 'Ä {x}' } }, en);
    expect(words.find('de', 'a')).toBeUndefined();
  });
});

it.each([null, undefined, Number.NaN])('a count that is %s is not shown: the key replaces the text, and it is reported', async (n) => {
  const words = await catalogs({ en: { seats: '{n, plural, one {# seat} other {# seats}}' } }, en);
  const issues: Issue[] = [];
  expect(
    words.say(
      'en',
      'seats',
      { n },
      () => set,
      (issue) => issues.push(issue),
    ).text,
  ).toBe('seats');
  expect(issues[0]?.problem).toBe(`could not be formatted: ${Number.isNaN(n) ? 'a value is not a number' : 'no value for n'}`);
});

it.each<[object, string]>([
  [{ default: 'en', fallbacks: { de: 'en' } }, 'fallbacks: unknown option; did you mean fallback?'],
  [{ default: 'en', format: {} }, 'format: unknown option; did you mean formats?'],
  [{ default: 'en', watch: true }, 'watch: unknown option; expected one of default, fallback, formats'],
  [{ default: 'en', fallback: 'de' }, 'fallback: expected an object'],
])('an unknown option is an error: %j', async (options, problem) => {
  expect((await failure({ en: { a: 'x' } }, options as never)).message).toBe(problem);
});

it.each([undefined, null, {}, { default: undefined }, { default: 5 }, { formats: {} }])(
  'options without a default language are an error that says so: %j',
  async (options) => {
    const message = (await failure({ en: { a: 'x' } }, options as never)).message;
    expect(message).toBe('catalogs: expected the default language, { default: "en" }, as the second argument');
  },
);

describe('a change of the catalogues', () => {
  it('a change replaces every entry at once', async () => {
    const words = await catalogs({ en: { a: 'old' } }, en);
    expect(words.version).toBe(0);
    await words.replace(filesOf({ en: { a: 'new' } }));
    expect(words.find('en', 'a')?.text).toBe('new');
    expect(words.version).toBe(1);
  });

  it('a slow change does not undo a later one', async () => {
    const words = await catalogs({ en: { a: 'first' } }, en);
    let load: (entries: object) => void = () => undefined;
    const slow = new Promise<object>((resolve) => (load = resolve));
    const older = words.replace([{ language: 'en', source: 'older', content: () => slow }]);
    const broken = words.replace(filesOf({ en: { a: '{' } }));
    const newer = words.replace(filesOf({ en: { a: 'newer' } }));
    await new Promise(setImmediate);
    load({ a: 'older' });
    await expect(Promise.allSettled([older, broken, newer])).resolves.toMatchObject(
      ['fulfilled', 'rejected', 'fulfilled'].map((status) => ({ status })),
    );
    expect(words.find('en', 'a')?.text).toBe('newer');
    expect(words.version).toBe(2);
  });

  it.each<[string, object]>([
    ['does not parse', { en: { a: '{' } }],
    ['lacks a language', {}],
    ['brings another language', { en: { a: 'x' }, de: {} }],
  ])('a change that %s has no effect', async (_what, given) => {
    const words = await catalogs({ en: { a: 'old' } }, en);
    await expect(words.replace(filesOf(given as never))).rejects.toThrow();
    expect(words.find('en', 'a')?.text).toBe('old');
    expect(words.version).toBe(0);
  });
});
