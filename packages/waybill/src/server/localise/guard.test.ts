import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CONTENT_LANGUAGE, SERVER_INFO } from '../../wire/keys.js';
import { catalogs } from './catalogs.js';
import { compareLanguages, RuntimeGuard } from './guard.js';
import { listLocaliser } from './list.js';
import { guardLanguages } from './tools/guardLanguages.js';

const tool = {
  name: 'book',
  title: 'Book',
  description: 'Books',
  annotations: { title: 'Book', readOnlyHint: true },
  inputSchema: { type: 'object', properties: { size: { title: 'Size', enum: ['s', 'm'], default: 's' } } },
  _meta: { 'example.test/key': 1 },
};
const altered = (change: (copy: any) => void, method = 'tools/list', result: any = { tools: [tool], ttlMs: 5 }): string[] => {
  const copy = structuredClone(result);
  change(copy);
  return compareLanguages(method, result, copy).map(({ path, problem }) => `${path} ${problem}`);
};

describe('the guard', () => {
  it.each<[string, (copy: any) => void]>([
    ['a title', (copy) => (copy.tools[0].title = 'Buchen')],
    ['a title more', (copy) => delete copy.tools[0].title],
    ['the title among annotations', (copy) => (copy.tools[0].annotations.title = 'Buchen')],
    ['the language of the answer', (copy) => (copy._meta = { [CONTENT_LANGUAGE]: 'de' })],
  ])('lets %s differ', (_what, change) => {
    expect(altered(change)).toEqual([]);
  });

  it.each<[(copy: any) => void, string]>([
    [(copy) => (copy.tools[0].name = 'buchen'), 'tools[0].name differs'],
    [(copy) => (copy.tools[0].description = 'Bucht'), 'tools[0].description differs'],
    [(copy) => (copy.tools[0].annotations.readOnlyHint = false), 'tools[0].annotations.readOnlyHint differs'],
    [(copy) => (copy.tools[0].inputSchema.properties.size.enum[0] = 'k'), 'tools[0].inputSchema.properties.size.enum[0] differs'],
    [(copy) => (copy.tools[0].inputSchema.properties.size.title = 'Größe'), 'tools[0].inputSchema.properties.size.title differs'],
    [(copy) => (copy.tools[0].inputSchema.properties.size.default = 'k'), 'tools[0].inputSchema.properties.size.default differs'],
    [(copy) => delete copy.tools[0].inputSchema.properties.size, 'tools[0].inputSchema.properties.size is missing in one language'],
    [(copy) => (copy.tools[0].icons = [{ src: 'x' }]), 'tools[0].icons is there in one language only'],
    [(copy) => (copy.tools[0]._meta['example.test/key'] = 2), 'tools[0]._meta.example.test/key differs'],
    [(copy) => copy.tools.push(tool), 'tools has 2 elements instead of 1'],
    [(copy) => (copy.ttlMs = 6), 'ttlMs differs'],
    [(copy) => (copy.tools[0].title = 5), 'tools[0].title differs'],
    [(copy) => (copy._meta = { [CONTENT_LANGUAGE]: 'de', other: 1 }), '_meta is there in one language only'],
  ])('LANG-33: the guard finds forbidden differences, case %#', (change, expected) => {
    expect(altered(change)).toEqual([expected]);
  });

  it.each<[string, any, (copy: any) => void, string[]]>([
    ['prompts/list', { prompts: [{ name: 'a', arguments: [{ name: 'b' }] }] }, (copy) => (copy.prompts[0].arguments[0].title = 'B'), []],
    [
      'prompts/list',
      { prompts: [{ name: 'a', arguments: [{ name: 'b' }] }] },
      (copy) => (copy.prompts[0].arguments[0].name = 'B'),
      ['prompts[0].arguments[0].name differs'],
    ],
    ['resources/list', { resources: [{ name: 'a', uri: 'x:y' }] }, (copy) => (copy.resources[0].uri = 'x:z'), ['resources[0].uri differs']],
    ['initialize', { serverInfo: { name: 's', title: 'S' } }, (copy) => (copy.serverInfo.title = 'T'), []],
    ['initialize', { serverInfo: { name: 's' }, instructions: 'a' }, (copy) => (copy.instructions = 'b'), ['instructions differs']],
    ['tools/call', { _meta: { [SERVER_INFO]: { title: 'S' } } }, (copy) => (copy._meta[SERVER_INFO].title = 'T'), []],
    ['tools/call', { content: [{ title: 'S' }] }, (copy) => (copy.content[0].title = 'T'), ['content[0].title differs']],
  ])('the guard knows the fields of %s, case %#', (method, result, change, expected) => {
    expect(altered(change, method, result)).toEqual(expected);
  });

  it('the guard allows fields that the author opted in, by the same names', () => {
    const [a, b] = [{ tools: [tool] }, { tools: [{ ...tool, description: 'Bucht' }] }];
    expect(compareLanguages('tools/list', a, b, { translate: ['tools.book.description'] })).toEqual([]);
    expect(compareLanguages('tools/list', a, b, { translate: ['tools.other.description'] })).toHaveLength(1);
    const prompts = (text: string) => ({ prompts: [{ name: 'a', arguments: [{ name: 'who', description: text }] }] });
    const translate = ['prompts.a.arguments.who.description'];
    expect(compareLanguages('prompts/list', prompts('x'), prompts('y'), { translate })).toEqual([]);
  });

  it('the guard requests every page in every language', async () => {
    const requests: string[] = [];
    const page = (language: string, cursor = 0) => ({
      tools: [{ name: language === 'fr' && cursor === 1 ? 'chercher' : `t${cursor}`, title: `${language} ${cursor}` }],
      ...(cursor < 1 && { nextCursor: 'next' }),
    });
    const ask = (method: string, params: { cursor?: string }, language: string): unknown => {
      requests.push(`${method} ${language} ${params.cursor ?? ''}`);
      if (method !== 'tools/list') throw new Error('method not found');
      return page(language, params.cursor === undefined ? 0 : 1);
    };
    expect(await guardLanguages(ask as never, ['en', 'de', 'fr'])).toEqual([
      { method: 'tools/list', path: 'tools[0].name', problem: 'differs (en, fr)' },
    ]);
    expect(requests.filter((one) => one.startsWith('tools/list'))).toHaveLength(6);
    const endless = (): unknown => ({ tools: [], nextCursor: 'again' });
    expect(await guardLanguages(endless, ['en', 'de'], { methods: ['tools/list'] })).toEqual([]);
    expect(
      await guardLanguages((m, p, language) => page(language, language === 'en' ? 1 : 0), ['en', 'de'], { methods: ['tools/list'] }),
    ).toContainEqual(expect.objectContaining({ path: 'nextCursor', problem: 'leads to 1000 pages in de' }));
  });

  it.each<[string, string[], string[] | undefined, string]>([
    ['one language', ['en'], undefined, 'at least two languages'],
    ['one language twice', ['en', 'en'], undefined, 'at least two languages'],
    ['no method', ['en', 'de'], [], 'no answer to any method'],
    ['a method that there is not', ['en', 'de'], ['tools/list', 'tool/list'], 'no answer to tool/list'],
  ])('the guard does not pass with nothing to compare: %s', async (_what, languages, methods, problem) => {
    const ask = (method: string): unknown => {
      if (method !== 'tools/list') throw new Error('method not found');
      return { tools: [] };
    };
    await expect(guardLanguages(ask, languages, methods && { methods })).rejects.toThrow(problem);
  });

  it('the guard does not pass if every request fails, and gives the cause', async () => {
    const cause = new Error('no connection');
    await expect(guardLanguages(() => Promise.reject(cause), ['en', 'de'])).rejects.toMatchObject({ cause });
  });

  it('at run time the guard compares each answer with the first in another language, until the list changes', () => {
    const guard = new RuntimeGuard({});
    const list = (name: string) => ({ tools: [{ name }] });
    expect(guard.check('tools/list', '', 'en', list('a'))).toEqual([]);
    expect(guard.check('tools/list', '', 'en', list('b'))).toEqual([]);
    expect(guard.check('tools/list', '', 'de', list('b'))).toEqual([]);
    expect(guard.check('tools/list', 'page 2', 'de', list('c'))).toEqual([]);
    expect(guard.check('tools/list', '', 'de', list('c'))).toHaveLength(1);
    guard.forget();
    expect(guard.check('tools/list', '', 'de', list('c'))).toEqual([]);
  });
});

describe('over random servers and catalogues', () => {
  const name = fc.oneof(
    fc.constantFrom('a', 'a.b', 'title', '__proto__', 'constructor', 'annotations'),
    fc.string({ minLength: 1, maxLength: 6 }),
  );
  const text = fc.string({ maxLength: 8 });
  const schema = fc.record({
    type: fc.constant('object'),
    title: text,
    properties: fc.dictionary(
      name,
      fc.record({ title: text, description: text, default: fc.jsonValue(), enum: fc.array(text) }, { requiredKeys: [] }),
    ),
  });
  const item = fc.record(
    {
      name,
      title: text,
      description: text,
      uri: text,
      inputSchema: schema,
      annotations: fc.record({ title: text, readOnlyHint: fc.boolean() }, { requiredKeys: [] }),
      arguments: fc.array(fc.record({ name, title: text, description: text }, { requiredKeys: ['name'] })),
      _meta: fc.dictionary(name, fc.jsonValue()),
    },
    { requiredKeys: ['name'] },
  );
  const lists = fc.constantFrom<[string, string]>(
    ['tools/list', 'tools'],
    ['prompts/list', 'prompts'],
    ['resources/list', 'resources'],
    ['resources/templates/list', 'resourceTemplates'],
  );
  /** The allowed fields, written down a second time and by hand. */
  const bare = (result: any, member: string): string => {
    const untitled = ({ title: _, ...rest }: any): any => rest;
    const items = result[member].map((one: any) => {
      const rest = untitled(one);
      if (member === 'prompts' && rest.arguments) rest.arguments = rest.arguments.map(untitled);
      if (member === 'tools' && rest.annotations) rest.annotations = untitled(rest.annotations);
      if (member === 'tools' && Object.keys(rest.annotations ?? {}).length === 0) delete rest.annotations;
      return rest;
    });
    return JSON.stringify({ ...result, [member]: items });
  };
  /** The entries that a name may have, used and unused ones. */
  const ENTRIES: Record<string, string[]> = {
    tools: ['title', 'description', 'annotations.title', 'inputSchema.title', 'inputSchema.properties.a.title'],
    prompts: ['title', 'description', 'arguments.a.title', 'arguments.a.description'],
    resources: ['title', 'description'],
    resourceTemplates: ['title', 'description'],
  };

  it('LANG-33: every field that may not change is byte-equal, and the guard says the same', async () => {
    await fc.assert(
      fc.asyncProperty(lists, fc.array(item, { maxLength: 4 }), fc.infiniteStream(fc.boolean()), async ([method, member], items, coin) => {
        const result = { [member]: items, nextCursor: 'x' };
        const entries: Record<string, string> = {};
        for (const one of items)
          for (const rest of ENTRIES[member]!) if (coin.next().value) entries[`${member}.${one.name}.${rest}`] = `de ${rest}`;
        const words = await catalogs({ en: {}, de: entries }, { default: 'en' });
        const localised = listLocaliser(words).localise(result, method, 'de', new Set());
        expect(bare(localised, member)).toBe(bare(result, member));
        expect(compareLanguages(method, result, localised)).toEqual([]);
        // A title comes from the catalogue, or from the author.
        for (const [at, one] of (localised[member] as any[]).entries())
          expect(one.title).toBe(entries[`${member}.${one.name}.title`] ?? items[at]?.title);
      }),
      { numRuns: 150 },
    );
  });
});
