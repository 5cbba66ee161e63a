/** SEP-2792 on servers: which language is chosen. */
import { expect } from '../../../check.js';
import { expectResult, languageOf } from '../../../runner/servers.js';
import { at, short } from '../../../wire/json.js';
import { ACCEPT_LANGUAGE, CLIENT_CONTEXT } from '../../../wire/keys.js';
import type { Ask } from '../../../wire/session.js';
import { needTool, type ServerCheck, type ServerTrial, speaker, twoLanguages } from '../trial.js';
import { expectLanguage, NOBODY, notDefault, REPORT } from './speak.js';

/** A preference that counts as none: no error, and not the language that it names. */
async function expectNone(trial: ServerTrial, ask: Ask, named: string): Promise<void> {
  const answered = await speaker(trial)(ask);
  expectResult(answered, `asked with ${short(ask.language)}`);
  const reported = languageOf(answered);
  expect(reported !== named, `${short(ask.language)} is no preference, and the answer is in ${named}`, answered, REPORT);
}

export const choiceChecks: readonly ServerCheck[] = [
  {
    id: 'language:fallback',
    proves: ['LANG-10'],
    title: 'A preference that matches nothing is not an error',
    faults: ['language-refuses-unmatched', 'language-star-refused'],
    run: async (trial) => {
      const nothing = (trial.observed.language?.languages ?? []).map((tag) => `${tag};q=0`).join(', ');
      for (const language of [NOBODY, '*;q=0', nothing]) expectResult(await speaker(trial)({ language }), `asked for ${language}`);
    },
  },
  {
    id: 'language:per-request',
    proves: ['LANG-04', 'LANG-05'],
    title: 'A preference holds for its own request only',
    faults: ['language-sticky'],
    run: async (trial) => {
      const speak = speaker(trial);
      const other = await notDefault(trial);
      const before = languageOf(await speak({}));
      await expectLanguage(trial, other, other);
      const after = await speak({});
      const observed = `without a preference ${short(before)}; after ${other} was asked for once, ${short(languageOf(after))}`;
      expect(languageOf(after) === before || languageOf(after) !== other, observed, after, REPORT);
    },
  },
  {
    id: 'language:parallel',
    proves: ['LANG-04', 'LANG-05'],
    title: 'Requests that run at the same time keep their own preferences',
    faults: ['language-global'],
    run: async (trial) => {
      const both = twoLanguages(trial);
      const answers = await Promise.all([...both, ...both].map((language) => speaker(trial)({ language })));
      for (const answered of answers) {
        const asked = at(answered.sent.message, 'params', '_meta', ACCEPT_LANGUAGE);
        expectResult(answered, `asked for ${short(asked)} at the same time as for another language`);
        const reported = languageOf(answered);
        expect(
          reported === asked,
          `${both.join(' and ')} at once: asked for ${short(asked)}, reported ${short(reported)}`,
          answered,
          REPORT,
        );
      }
    },
  },
  {
    id: 'language:malformed',
    proves: ['LANG-11'],
    title: 'A malformed preference counts as none and is not an error',
    faults: ['language-refuses-malformed', 'language-reads-malformed'],
    run: async (trial) => {
      const other = await notDefault(trial);
      for (const language of [`${other};q=2`, `${other}_XX`, `${other};;q=1`, `${other};q=0.1234`, `${other}, (`, 'x'.repeat(9)])
        await expectNone(trial, { language }, other);
    },
  },
  {
    id: 'language:not-a-string',
    proves: ['LANG-16'],
    title: 'A preference that is not a string, or has no members, counts as none, whatever the header says',
    faults: ['language-breaks-on-number', 'language-reads-lists', 'language-needs-header'],
    run: async (trial) => {
      const other = await notDefault(trial);
      for (const language of [7, [other], { [other]: 1 }, null, '', ' , ,'])
        await expectNone(trial, { language, acceptLanguage: [] }, other);
      for (const language of [7, null]) await expectNone(trial, { language, acceptLanguage: [other] }, other);
    },
  },
  {
    id: 'language:argument',
    proves: ['LANG-14'],
    title: 'A language argument of a tool beats the preference',
    faults: ['language-ignores-argument', 'language-echo'],
    run: async (trial) => {
      needTool(trial, 'check_language', 'the check needs a tool with a language argument');
      const [first, second] = twoLanguages(trial);
      const called = await trial.peer.call('check_language', { language: second }, { language: first });
      const reported = languageOf(called);
      expect(reported === second, `argument ${second}, preference ${first}: reported ${short(reported)}`, called, REPORT);
    },
  },
  {
    id: 'language:locale',
    proves: ['IX-04', 'CTX-29'],
    title: 'A locale makes no preference: it does not change the reported language',
    faults: ['language-from-locale'],
    run: async (trial) => {
      const speak = speaker(trial);
      const plain = languageOf(await speak({}));
      for (const locale of twoLanguages(trial)) {
        const formatted = await speak({ meta: { [CLIENT_CONTEXT]: { locale } } });
        const reported = languageOf(formatted);
        const observed = `with the locale ${locale} the report is ${short(reported)}, without it ${short(plain)}`;
        expect(reported === plain || reported === undefined, observed, formatted, REPORT);
      }
    },
  },
];
