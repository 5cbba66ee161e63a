import { describe, expect, it } from 'vitest';
import { SERVER_INFO } from '../../wire/keys.js';
import { catalogs, type Catalogs } from './catalogs.js';
import { listLocaliser, type ListOptions } from './list.js';

const words: Catalogs = await catalogs(
  {
    en: {},
    de: {
      server: { title: 'Laden', description: 'Ein Laden', instructions: 'Frag nach.' },
      tools: {
        book: {
          title: 'Buchen',
          description: 'Bucht einen Platz',
          inputSchema: { description: 'Was', properties: { day: { title: 'Tag', description: 'Welcher Tag', default: { title: 'nie' } } } },
        },
        'admin.list': { title: 'Liste', 'annotations.title': 'Die Liste' },
      },
      prompts: { ask: { title: 'Fragen', 'arguments.who.title': 'Wen', 'arguments.who.description': 'Wen fragen' } },
      resources: { note: { title: 'Notiz', description: 'Zettel' } },
      resourceTemplates: { days: { title: 'Tage' } },
    },
    fr: { tools: { book: { title: 'Réserver' } } },
  },
  { default: 'en' },
);

function localised(result: object, method: string, language = 'de', options: ListOptions = {}): [any, string[]] {
  const used = new Set<string>();
  const given = JSON.stringify(result);
  const next = listLocaliser(words, options).localise(result as never, method, language, used);
  expect(JSON.stringify(result)).toBe(given);
  return [next, [...used]];
}

const book = {
  name: 'book',
  title: 'Book',
  description: 'Books a seat',
  inputSchema: {
    type: 'object',
    description: 'What',
    properties: { day: { type: 'string', title: 'Day', description: 'Which day', enum: ['title'], default: { title: 'never' } } },
  },
};

describe('a localised list', () => {
  it('a list takes titles from the catalogue and keeps all other objects identical', () => {
    const [{ tools }, used] = localised({ tools: [book], nextCursor: 'x' }, 'tools/list');
    expect(tools).toEqual([{ ...book, title: 'Buchen' }]);
    expect(tools[0].inputSchema).toBe(book.inputSchema);
    expect(used).toEqual(['de']);
  });

  it('a title is added if the author gave none, and annotations only if they have an entry', () => {
    const [{ tools }] = localised(
      {
        tools: [
          { name: 'admin.list', inputSchema: {} },
          { name: 'other', inputSchema: {} },
        ],
      },
      'tools/list',
    );
    expect(tools).toEqual([
      { name: 'admin.list', inputSchema: {}, title: 'Liste', annotations: { title: 'Die Liste' } },
      { name: 'other', inputSchema: {} },
    ]);
  });

  it('a title that is also written as annotation needs one entry', () => {
    const annotations = { title: 'Book', readOnlyHint: true };
    const [{ tools }, used] = localised({ tools: [{ ...book, annotations }] }, 'tools/list');
    expect(tools[0].annotations).toEqual({ title: 'Buchen', readOnlyHint: true });
    expect(used).toEqual(['de']);
    const [other, both] = localised({ tools: [{ ...book, annotations: { title: 'Other' } }] }, 'tools/list');
    expect(other.tools[0].annotations.title).toBe('Other');
    expect(both).toEqual(['de', 'en']);
  });

  it('prompts and their arguments, resources and templates are localised', () => {
    const prompts = [{ name: 'ask', arguments: [{ name: 'who', required: true }, { name: 'why' }] }];
    expect(localised({ prompts }, 'prompts/list')[0].prompts).toEqual([
      { name: 'ask', title: 'Fragen', arguments: [{ name: 'who', required: true, title: 'Wen' }, { name: 'why' }] },
    ]);
    const resource = { name: 'note', uri: 'note://x', title: 'Note', description: 'Paper', annotations: { audience: ['user'] } };
    expect(localised({ resources: [resource] }, 'resources/list')[0].resources).toEqual([{ ...resource, title: 'Notiz' }]);
    expect(localised({ resourceTemplates: [{ name: 'days', uriTemplate: 'x' }] }, 'resources/templates/list')[0].resourceTemplates).toEqual(
      [{ name: 'days', uriTemplate: 'x', title: 'Tage' }],
    );
  });

  it('the server info is localised in both revisions, and in every result that carries it', () => {
    const info = { name: 'shop', version: '1', title: 'Shop' };
    expect(localised({ serverInfo: info, instructions: 'Ask.' }, 'initialize')[0]).toEqual({
      serverInfo: { ...info, title: 'Laden' },
      instructions: 'Ask.',
    });
    const [result, used] = localised({ content: [], _meta: { [SERVER_INFO]: info, other: 1 } }, 'tools/call');
    expect(result).toEqual({ content: [], _meta: { [SERVER_INFO]: { ...info, title: 'Laden' }, other: 1 } });
    // The name of the server does not affect the language of the answer.
    expect(used).toEqual([]);
  });

  it('titles of links in tools and prompts are localised', () => {
    const link = { type: 'resource_link', name: 'note', uri: 'note://x', title: 'Note' };
    const text = { type: 'text', text: 'Note', title: 'Note' };
    expect(localised({ content: [link, text] }, 'tools/call')[0]).toEqual({ content: [{ ...link, title: 'Notiz' }, text] });
    const message = { role: 'user', content: link };
    expect(localised({ messages: [message] }, 'prompts/get')[0].messages[0].content.title).toBe('Notiz');
  });

  it('a list without an entry is the same object', () => {
    for (const [result, method] of [
      [{ tools: [{ name: 'x', title: 'X' }] }, 'tools/list'],
      [{ tools: 'none' }, 'tools/list'],
      [{ tools: [null, { title: 'no name' }] }, 'tools/list'],
      [{ content: [{ type: 'text', text: 'x' }] }, 'tools/call'],
      [{}, 'ping'],
      [{ _meta: [] }, 'ping'],
    ] as const)
      expect(localised(result, method)[0]).toBe(result);
  });

  it('the list reports its languages: those of the entries, and the default for texts without one', () => {
    expect(localised({ tools: [book, { name: 'x', title: 'X' }] }, 'tools/list', 'fr')[1]).toEqual(['fr', 'en']);
    expect(localised({ tools: [{ name: 'x', title: 'X' }] }, 'tools/list', 'fr')[1]).toEqual(['en']);
  });

  it.each<[string[], (tool: any) => unknown, unknown]>([
    [[], (tool) => tool.description, 'Books a seat'],
    [['tools.book.description'], (tool) => tool.description, 'Bucht einen Platz'],
    [['tools.other.description'], (tool) => tool.description, 'Books a seat'],
    [['tools.*.description'], (tool) => tool.inputSchema.properties.day.description, 'Welcher Tag'],
    [['tools.book.description'], (tool) => tool.inputSchema, book.inputSchema],
    [
      ['tools.book.inputSchema.*'],
      (tool) => tool.inputSchema.properties.day,
      { type: 'string', title: 'Tag', description: 'Welcher Tag', enum: ['title'], default: { title: 'never' } },
    ],
  ])('LANG-32: texts for the model change only if the author opted in: %j', (translate, look, expected) => {
    const [{ tools }] = localised({ tools: [book] }, 'tools/list', 'de', { translate });
    expect(look(tools[0])).toEqual(expected);
  });

  it('LANG-32: instructions, and descriptions of prompts and resources, change only if the author opted in', () => {
    const translate = ['server.*', 'prompts.*', 'resources.note.description'];
    expect(localised({ serverInfo: { name: 's' }, instructions: 'Ask.' }, 'initialize', 'de', { translate })[0]).toEqual({
      serverInfo: { name: 's', title: 'Laden', description: 'Ein Laden' },
      instructions: 'Frag nach.',
    });
    const prompts = [{ name: 'ask', arguments: [{ name: 'who', description: 'Whom' }] }];
    expect(localised({ prompts }, 'prompts/list', 'de', { translate })[0].prompts[0].arguments[0].description).toBe('Wen fragen');
    expect(localised({ resources: [{ name: 'note' }] }, 'resources/list', 'de', { translate })[0].resources[0].description).toBe('Zettel');
    expect(() => listLocaliser(words, { translate: [5 as never] })).toThrow('localise.translate[0]: expected the name of an entry');
  });
});
