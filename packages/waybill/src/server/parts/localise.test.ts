import { describe, expect, it, vi } from 'vitest';
import type { Issue } from '../../wire/issue.js';
import { ACCEPT_LANGUAGE, CONTENT_LANGUAGE } from '../../wire/keys.js';
import type { RequestContext } from '../context.js';
import type { ServerContextOptions } from '../options.js';
import { partsOf } from '../parts.js';
import { createLayer } from '../layer.js';
import { IncomingRequest } from '../request.js';
import { catalogs } from '../localise/catalogs.js';
import { localise } from './localise.js';

const words = await catalogs(
  {
    en: { hi: 'Hello {name}', only: 'Only English', n: '{n, number}', when: '{d, date, short}', due: 'due on {d, date, long}' },
    de: { hi: 'Hallo {name}', n: '{n, number}', when: '{d, date, short}' },
    fr: { hi: 'Bonjour {name}', n: '{n, number}', when: '{d, date, short}' },
    'x-pirate': { hi: 'Ahoy {name}' },
  },
  { default: 'en' },
);

function called(
  language?: string,
  options: ServerContextOptions = {},
  params: object = {},
  method = 'tools/call',
): { call: IncomingRequest; context: RequestContext; issues: Issue[] } {
  const issues: Issue[] = [];
  const all: ServerContextOptions = { catalogs: words, ...options, onIssue: (issue) => issues.push(issue) };
  const layer = createLayer(all, partsOf(all));
  const meta = language === undefined ? {} : { [ACCEPT_LANGUAGE]: language };
  const message = { jsonrpc: '2.0', id: 1, method, params: { name: 'tool', ...params, _meta: meta } };
  const call = new IncomingRequest(layer, message, undefined);
  return { call, context: call.context, issues };
}

describe('texts of a handler', () => {
  it('they are in the chosen language, and the answer names it', () => {
    const { call, context } = called('de-AT');
    expect(context.t('hi', { name: 'Ada' })).toBe('Hallo Ada');
    expect(context.t.language).toBe('de');
    expect([context.t.has('hi'), context.t.has('only')]).toEqual([true, false]);
    expect(call.answer.language.tags).toBe('de');
  });

  it('no language is claimed if none was asked for, or no text was found', () => {
    const silent = called();
    expect(silent.context.t('hi', { name: 'Ada' })).toBe('Hello Ada');
    expect(silent.call.answer.language.tags).toBeUndefined();
    const lost = called('de');
    expect(lost.context.t('nowhere')).toBe('nowhere');
    expect(lost.call.answer.language.tags).toBeUndefined();
  });

  it('LANG-28: the answer names each language that was really used, the chosen one first', () => {
    const { call, context } = called('de');
    context.t('only');
    expect(call.answer.language.tags).toBe('en');
    context.t('hi', { name: 'Ada' });
    expect(call.answer.language.tags).toBe('de, en');
    context.t.in('fr-CA')('hi', { name: 'Ada' });
    expect(call.answer.language.tags).toBe('de, en, fr');
  });

  it('a language that the author named with language.use stays', () => {
    const { call, context } = called('de');
    context.language.use('la');
    context.t('hi', { name: 'Ada' });
    expect(call.answer.language.tags).toBe('la');
    context.language.use(undefined);
    context.t('hi', { name: 'Ada' });
    expect(call.answer.language.tags).toBeNull();
    // The chosen language can be named too: the answer then has that language, even if a text came from another one.
    context.language.use('de');
    context.t('only');
    expect(call.answer.language.tags).toBe('de');
  });

  it('without catalogues t() gives the key, and the program is told once what to write', () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const options: ServerContextOptions = { languages: ['en', 'de'] };
    const layer = createLayer(options, partsOf(options));
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'tool', _meta: { [ACCEPT_LANGUAGE]: 'nonsense;;' } } };
    for (let turn = 0; turn < 3; turn++) expect(new IncomingRequest(layer, message, undefined).context.t('hi', { name: 'Ada' })).toBe('hi');
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/^waybill: catalogs: is not given, .* write serverContext\(\{ catalogs/)]]);
    warn.mockRestore();
    const { context, issues } = called('de', { catalogs: undefined as never });
    context.display.progress('hi', { name: 'Ada' });
    context.t('hi');
    expect(issues).toEqual([expect.objectContaining({ side: 'setup', key: 'catalogs' })]);
  });

  it('t.in() uses another language, and its figures follow', () => {
    const { context } = called('de');
    expect(context.t.in('fr')('n', { n: 1.5 })).toBe('1,5');
    expect(context.t.in('en')('n', { n: 1.5 })).toBe('1.5');
    expect(context.t.in('ja').language).toBe('en');
    expect(called('x-pirate').context.t('hi', { name: 'Ada' })).toBe('Ahoy Ada');
  });

  it('dates inside a text are in the language of that text, also if it is a fallback', () => {
    const { context } = called('de');
    expect(context.t('due', { d: Date.UTC(2026, 9, 25) })).toBe('due on 25 October 2026');
    expect(context.format.date(Date.UTC(2026, 9, 25), 'long')).toBe('25. Oktober 2026');
  });

  it.each<[object, string, string | undefined, string]>([
    [{ arguments: { to: 'fr' } }, 'Bonjour Ada', 'fr', 'Hallo Ada'],
    [{ arguments: { to: 'fr-CA' } }, 'Bonjour Ada', 'fr', 'Hallo Ada'],
    [{ arguments: { to: 'ja' } }, 'Hallo Ada', 'de', 'Hallo Ada'],
    [{ arguments: { to: 5 } }, 'Hallo Ada', 'de', 'Hallo Ada'],
    [{ arguments: { to: 'not a tag at all' } }, 'Hallo Ada', 'de', 'Hallo Ada'],
    [{}, 'Hallo Ada', 'de', 'Hallo Ada'],
    [{ name: 'other', arguments: { to: 'fr' } }, 'Hallo Ada', 'de', 'Hallo Ada'],
  ])('LANG-14: an argument of the tool beats the preference for its content: %j', (params, content, language, shown) => {
    const { call, context } = called('de', { localise: { argument: { tool: 'to' } } }, params);
    expect(context.t('hi', { name: 'Ada' })).toBe(content);
    expect(call.answer.language.tags).toBe(language);
    expect(context.display.t('hi', { name: 'Ada' })).toBe(shown);
    expect(context.display.progress('hi', { name: 'Ada' })).toEqual({ message: shown, _meta: { [CONTENT_LANGUAGE]: 'de' } });
  });

  it('an argument names its language even for a client that sends none', () => {
    const { call, context } = called(undefined, { localise: { argument: { tool: 'to' } } }, { arguments: { to: 'fr' } });
    expect(context.t('hi', { name: 'Ada' })).toBe('Bonjour Ada');
    expect(call.answer.language.tags).toBe('fr');
    expect(context.format.number(1.5)).toBe('1,5');
  });

  it('LANG-23: an error has its message in the user’s language and names it in its data', () => {
    const { context } = called('de');
    expect(context.display.error('hi', { code: 7, values: { name: 'Ada' }, data: { left: 1 } })).toMatchObject({
      code: 7,
      message: 'Hallo Ada',
      data: { left: 1, _meta: { [CONTENT_LANGUAGE]: 'de' } },
    });
    expect(context.display.error('only')).toMatchObject({ message: 'Only English', data: { _meta: { [CONTENT_LANGUAGE]: 'en' } } });
    expect(called().context.display.error('only', { code: 7 })).toMatchObject({ code: 7, data: undefined });
  });

  it('formats, and forms as the author wrote them, work without catalogues', () => {
    const { call, context, issues } = called('de', { catalogs: undefined as never, languages: ['en', 'de'] });
    expect(context.display.elicitation('x', { message: 'Which?' })).toEqual({ message: 'Which?' });
    expect(context.format.number(1.5)).toBe('1,5');
    expect([call.answer.language.tags, issues]).toEqual([undefined, []]);
    const none = called('de', { catalogs: undefined as never });
    expect(none.context.format.number(1.5)).toBe('1,5');
    expect(none.context.format.list(['a', 'b'])).toBe('a und b');
  });

  it('a missing entry is reported once, however often it is asked for', async () => {
    const fresh = await catalogs({ en: { only: 'Only English' }, de: {} }, { default: 'en' });
    const issues = [1, 2].flatMap(() => {
      const one = called('de', { catalogs: fresh });
      one.context.t('only');
      one.context.t('only');
      return one.issues;
    });
    expect(issues).toEqual([{ concern: 'language', key: 'catalogs.de.only', problem: 'is missing; the text is in en' }]);
  });
});

describe('in development', () => {
  it('translated texts for the model cause one warning', () => {
    const part = localise(words, { development: true, translate: ['tools.*.description'] });
    const { call, issues } = called('de', {}, {}, 'tools/list');
    for (let time = 0; time < 2; time++) void part.result?.({ tools: [] }, call);
    expect(issues.map(({ key }) => key)).toEqual(['localise.translate: tools.*.description']);
    expect(issues[0]?.problem).toContain('is read by the model');
  });
});

describe('options', () => {
  it.each<[() => unknown, string]>([
    [() => localise(words, {}, ['en', 'ja']), 'languages[1]: expected a language with a catalogue, got "ja"'],
    [() => localise(words, {}, ['EN']), 'languages[0]: expected the spelling of the catalogues, "en", got "EN"'],
    [() => localise(words, { argument: { tool: 5 as never } }), 'localise.argument.tool: expected the name of an argument'],
    [() => localise(words, { formats: {} }), 'localise.formats: move it to the catalogues'],
    [() => localise(undefined, { formats: { date: { x: { month: 'y' as never } } } }), 'localise.formats.date.x: '],
    [() => localise(undefined, { translate: ['tools.a.description'] }), 'localise.translate: needs catalogues'],
    [() => localise(undefined, { argument: { summarise: 'language' } }), 'localise.argument: needs catalogues'],
    [() => localise(words, { translate: [1 as never] }), 'localise.translate[0]: expected the name of an entry'],
    [
      () => localise(words, { translate: ['tools.*.description', 'foo.bar'] }),
      'localise.translate[1]: expected an entry of a list or of the server',
    ],
  ])('wrong options fail at construction, case %#', (make, message) => {
    expect(make).toThrow(message);
  });
});
