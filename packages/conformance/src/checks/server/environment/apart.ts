/** SEP-1809 on servers: formats, caches, and what language has to do with it. */
import { expect } from '../../../check.js';
import { dataOf, resultOf } from '../../../runner/servers.js';
import { header } from '../../../wire/exchange.js';
import { at, short } from '../../../wire/json.js';
import { type ServerCheck, skipWithout } from '../trial.js';
import { callRange, carry, expectSame, VIENNA, way } from './range.js';

export const apartChecks: readonly ServerCheck[] = [
  {
    id: 'environment:language-apart',
    proves: ['LANG-09', 'LANG-13'],
    title: 'A preference of language says nothing about the place or the zone of the user',
    faults: ['environment-zone-from-language'],
    run: async (trial) => {
      for (const language of ['en-US', 'en-AU'])
        await expectSame(trial, way(trial, VIENNA.context), [
          `and the language ${language}`,
          { ...carry(trial, VIENNA.context), language },
        ]);
    },
  },
  {
    id: 'environment:format',
    proves: ['CTX-10', 'CTX-29'],
    title: 'Numbers are written as the locale writes them, with the digits it names',
    faults: ['environment-ignores-locale', 'environment-ignores-extensions'],
    run: async (trial) => {
      skipWithout(trial, 'check_format');
      for (const [locale, written] of [
        ['en-US', /^1,234\.5/],
        ['de-DE', /^1\.234,5/],
        ['hi-IN-u-nu-deva', /^१,२३४\.५/],
      ] as const) {
        const called = await trial.peer.call('check_format', { number: 1234.5 }, carry(trial, { locale }));
        const text = at(dataOf(called), 'text');
        const path = ['answer', 'result', 'structuredContent', 'text'];
        expect(typeof text === 'string' && written.test(text), `1234.5 in ${locale} is ${short(text)}`, called, path);
      }
    },
  },
  {
    id: 'environment:not-shared',
    proves: ['CTX-32'],
    title: 'An answer that used the context of a caller is not for shared caches',
    faults: ['environment-public'],
    transports: ['http'],
    run: async (trial) => {
      const called = await callRange(trial, 'today', carry(trial, VIENNA.context));
      const control = header(called, 'cache-control') ?? '';
      const shared = /\b(public|s-maxage)\b/i.test(control) || at(resultOf(called), 'cacheScope') === 'public';
      expect(!shared, `Cache-Control is ${short(control)}`, called, ['headers', 'cache-control']);
    },
  },
];
