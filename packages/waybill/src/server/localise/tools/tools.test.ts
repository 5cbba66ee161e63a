import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SERVER_INFO } from '../../../wire/keys.js';
import { catalogs } from '../catalogs.js';
import { FormatSet } from '../format/set.js';
import { presetsOf } from '../format/presets.js';
import { listLocaliser } from '../list.js';
import { messageCompiler } from '../message.js';
import { escapeMessage } from '../message/syntax.js';
import { coverage, describeCoverage } from './coverage.js';
import { catalogOf, extractStrings } from './extract.js';
import { pseudoCatalog } from './pseudo.js';

const tool = {
  name: 'book.seat',
  title: 'Book {it}',
  description: "It's a tool",
  annotations: { title: 'Booking' },
  inputSchema: { type: 'object', properties: { day: { type: 'string', title: 'Day', default: { title: 'data' } } } },
};
const server: Record<string, any> = {
  'server/discover': { instructions: 'Ask.', _meta: { [SERVER_INFO]: { name: 's', title: 'Shop', version: '1' } } },
  'tools/list': { tools: [tool], nextCursor: '1' },
  'prompts/list': { prompts: [{ name: 'ask', arguments: [{ name: 'who', description: 'Whom' }] }] },
  'resources/list': {
    resources: [
      { name: 'note', uri: 'x:y', title: 'Note' },
      { name: 'note', uri: 'x:z', title: 'Other' },
    ],
  },
};
const ask = (method: string, params: { cursor?: string }): unknown => {
  if (params.cursor !== undefined) return { tools: [{ name: 'second', title: '' }] };
  if (server[method] === undefined) throw new Error('method not found');
  return server[method];
};

describe('extraction', () => {
  it('finds every translatable string of a live server, on every page, under its key', async () => {
    const { entries, conflicts } = await extractStrings(ask);
    expect(Object.fromEntries(entries)).toEqual({
      'server.title': 'Shop',
      'server.instructions': 'Ask.',
      'tools.book.seat.title': "Book '{it}'",
      'tools.book.seat.description': "It's a tool",
      'tools.book.seat.annotations.title': 'Booking',
      'tools.book.seat.inputSchema.properties.day.title': 'Day',
      'prompts.ask.arguments.who.description': 'Whom',
      'resources.note.title': 'Note',
    });
    expect(conflicts).toEqual(['resources.note.title']);
  });

  it('extraction leaves out texts for the model if asked to', async () => {
    const { entries } = await extractStrings(ask, { fields: 'should' });
    expect([...entries.keys()]).toEqual([
      'server.title',
      'tools.book.seat.title',
      'tools.book.seat.annotations.title',
      'resources.note.title',
    ]);
  });

  it('reads the server info of an old server from initialize, and ends if cursors run in a circle', async () => {
    let requests = 0;
    const old = (method: string): unknown => {
      if (method === 'initialize') return { serverInfo: { title: 'Old' }, instructions: 'x' };
      if (method !== 'tools/list') throw new Error('none');
      requests++;
      return { tools: [null, 5, {}], nextCursor: 'again' };
    };
    expect([...(await extractStrings(old)).entries.keys()]).toEqual(['server.title', 'server.instructions']);
    expect(requests).toBe(1000);
  });

  it('gives a catalogue with exactly the texts of the server', async () => {
    const { entries } = await extractStrings(ask);
    const words = await catalogs({ en: catalogOf(entries) }, { default: 'en' });
    const lists = listLocaliser(words, { translate: ['*'] });
    expect(lists.localise({ tools: [tool] }, 'tools/list', 'en', new Set())).toEqual({ tools: [tool] });
  });

  it('written entries come back the same, under any name', async () => {
    const key = fc
      .array(fc.constantFrom('a', 'b', '__proto__', 'title', '$x'), { minLength: 1, maxLength: 4 })
      .map((steps) => `k.${steps.join('.')}`);
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(
          key.filter((one) => !one.includes('$')),
          fc.string().map(escapeMessage),
        ),
        async (given) => {
          const entries = new Map(Object.entries(given));
          const text = JSON.stringify(catalogOf(entries));
          const words = await catalogs({ en: JSON.parse(text) }, { default: 'en' });
          expect(new Map([...words.entries('en')].sort())).toEqual(new Map([...entries].sort()));
        },
      ),
    );
  });
});

describe('coverage', () => {
  it('reports missing, unused and malformed entries of each language', async () => {
    const { entries: extracted } = await extractStrings(ask, { fields: 'should' });
    const report = await coverage(
      {
        en: { sum: '{n, plural, one {#} other {#}} of {user}', old: 'x' },
        de: {
          sum: '{n, number}',
          tools: { 'book.seat': { title: 'Buchen {x}', description: 'Ein Werkzeug' }, gone: { title: 'Fort' } },
          bad: '{',
          worse: 5,
        },
        fr: { sum: '{n} {user} {extra}' },
      },
      { default: 'en', extracted, used: ['sum', 'new'] },
    );
    const of = (language: string): any => report.find((one) => one.language === language);
    expect(of('en')).toMatchObject({ translated: 1, needed: 2, share: 0.5, missing: ['new'], unused: ['old'], malformed: [] });
    expect(of('de')).toMatchObject({
      translated: 2,
      needed: 6,
      missing: ['new', 'server.title', 'tools.book.seat.annotations.title', 'resources.note.title'],
      unused: ['tools.book.seat.description', 'tools.gone.title', 'bad'],
    });
    expect(of('de').malformed.map((one: any) => `${one.key} ${one.problem}`)).toEqual([
      'worse is a number, not text',
      'sum lacks {user}, which the default language has',
      'tools.book.seat.title has a placeholder, x, and nothing fills it',
      'bad expects argument closing brace',
    ]);
    expect(of('fr').malformed.map((one: any) => one.problem)).toEqual(['needs {extra}, which the default language does not have']);
    const nearly = { language: 'de', translated: 249, needed: 250, share: 0.996, missing: [], unused: [], malformed: [] };
    expect(describeCoverage([nearly])).toBe('de: 249 of 250 (99 %)');
    expect(describeCoverage(report)).toContain('en: 1 of 2 (50 %)\n  missing    new\n  unused     old\nde: 2 of 6 (33 %)');
  });

  it('without a list of used keys all keys of the default language count', async () => {
    const [en, de] = await coverage(
      { en: { a: 'x', b: 'y' }, de: { a: 'x', c: 'z', tools: { t: { titel: 'x', title: 'ok' } } } },
      { default: 'en' },
    );
    expect(en).toMatchObject({ share: 1, missing: [], unused: [] });
    expect(de).toMatchObject({ share: 0.5, missing: ['b'], unused: ['c', 'tools.t.titel'] });
    expect(de?.malformed).toHaveLength(1);
  });

  it.each([undefined, {}])('coverage asks for the default language: %j', async (options) => {
    await expect(coverage({ en: { a: 'x' } }, options as never)).rejects.toThrow(
      'coverage: expected the default language, { default: "en" }',
    );
  });

  it('coverage counts texts for the model only if the author opted in', async () => {
    const sources = { en: {}, de: { tools: { book: { description: 'x' } } } };
    const extracted = new Map([['tools.book.description', 'y']]);
    const [, plain] = await coverage(sources, { default: 'en', extracted });
    const [, opted] = await coverage(sources, { default: 'en', extracted, translate: ['tools.*.description'] });
    expect(plain).toMatchObject({ needed: 0, share: 1, unused: ['tools.book.description'] });
    expect(opted).toMatchObject({ needed: 1, share: 1, unused: [] });
  });
});

describe('a pseudo-language', () => {
  const say = async (text: string, values: object): Promise<string> => {
    const presets = presetsOf();
    const message = (await messageCompiler(presets)).compile(text, 'en');
    return typeof message === 'string' ? message : message(values as never, new FormatSet('en', 'UTC', 'en', presets));
  };
  const pseudo = async (text: string, options = {}): Promise<string> => (await pseudoCatalog(new Map([['k', text]]), options)).get('k')!;

  it('is longer, bracketed and legible', async () => {
    expect(await pseudo('Book a seat')).toBe('[Ɓööķ å šéåţ ~~~~~]');
    expect(await pseudo('Book', { expand: 0 })).toBe('[Ɓööķ]');
    expect(await pseudo('Book it', { style: 'mirrored' })).toBe('\u202eBook\u202c \u202eit\u202c');
  });

  it('keeps placeholders, plural forms and quotes', async () => {
    expect(await pseudo("{n, plural, one {# file's} other {# files '#1'}} of {user}", { expand: 0 })).toBe(
      "[{n, plural, one {# ƒîļé''š} other {# ƒîļéš '#'1}} öƒ {user}]",
    );
    expect(await pseudo('broken {')).toBe('broken {');
    await expect(pseudo('x', { style: 'loud' })).rejects.toThrow("style: expected 'accents' or 'mirrored'");
    await expect(pseudo('x', { expand: -1 })).rejects.toThrow('expand: expected a number');
  });

  it('says the same as the original, letter by letter', async () => {
    const literal = fc
      .string({ unit: fc.constantFrom('a', 'Z', "'", '{', '}', '#', ' ', '<', '~') })
      .map((text) => text.replaceAll(/[{}]/g, ''));
    const quoted = fc
      .string({ unit: fc.constantFrom('a', '{', '}', '#') })
      .map((text) => (text === '' ? '' : `'{'${text.replaceAll(/[{}#]/g, 'x')}`));
    const plain = fc.oneof(
      literal.map((text) => text.replaceAll("'", "''")),
      quoted,
    );
    const message = fc.array(
      fc.oneof(
        plain,
        fc.constant('{user}'),
        fc.constant('{d, date, short}'),
        fc.tuple(plain, plain).map(([one, other]) => `{n, plural, one {${one}#} other {${other}# {user}}}`),
        fc.tuple(plain, plain).map(([one, other]) => `{who, select, x {${one}} other {${other}}}`),
      ),
      { maxLength: 5 },
    );
    const back = new Map(
      Array.from('åƀçðéƒĝĥîĵķļḿñöþɋŕšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻḾÑÖÞɊŔŠŢÛṼŴẊÝŽ', (letter, at): [string, string] => [
        letter,
        'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'[at]!,
      ]),
    );
    const values = { n: 2, user: '7', who: 'x', d: 0 };
    await fc.assert(
      fc.asyncProperty(
        message.map((parts) => parts.join('')),
        async (text) => {
          const output = await say(await pseudo(text, { expand: 0 }), values);
          expect(Array.from(output.slice(1, -1), (letter) => back.get(letter) ?? letter).join('')).toBe(await say(text, values));
        },
      ),
      { numRuns: 60 },
    );
  });
});
