/** SEP-2792 on servers: which language is chosen, and how it is reported. Agreement of header and body: languageHttp.ts. */
import { expect, NotApplicable } from '../../check.js';
import { codeOf, expectResult, languageOf, resultOf, told } from '../../runner/servers.js';
import type { Exchange } from '../../wire/exchange.js';
import { at, equal, isObject, type Message, short } from '../../wire/json.js';
import { CLIENT_CONTEXT, CONTENT_LANGUAGE, MODERN, SERVER_INFO } from '../../wire/keys.js';
import { identifiers, needTool, otherTool, type ServerCheck, type ServerTrial, speaker, toolsIn, twoLanguages } from './trial.js';

const TAG = /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i;
/** Klingon: a valid tag that no server is expected to have. */
const NOBODY = 'tlh';
export const REPORT = ['answer', 'result', '_meta', CONTENT_LANGUAGE] as const;

/** The server answers this preference in this language. */
async function expectLanguage(trial: ServerTrial, preference: string, expected: string): Promise<void> {
  const answered = await speaker(trial)({ language: preference });
  expectResult(answered, `asked for ${preference}`);
  expect(
    languageOf(answered) === expected,
    `asked for "${preference}", expected ${expected}, reported ${short(languageOf(answered))}`,
    answered,
    REPORT,
  );
}

/** The tools in a language. A server without tools has no titles of them. */
async function listIn({ peer }: ServerTrial, language: string): Promise<Exchange> {
  const listed = await peer.request('tools/list', { language });
  if (codeOf(listed) === -32601) throw new NotApplicable('the server has no tools');
  expectResult(listed, `tools/list in ${language}`);
  return listed;
}

export const languageChecks: readonly ServerCheck[] = [
  {
    id: 'language:report',
    proves: ['LANG-20', 'LANG-22'],
    title: 'A result reports the language that was used',
    faults: ['language-unreported'],
    run: async (trial) => {
      const [first, second] = twoLanguages(trial);
      await expectLanguage(trial, first, first);
      await expectLanguage(trial, `${second}, ${first};q=0.5`, second);
    },
  },
  {
    id: 'language:fallback',
    proves: ['LANG-10'],
    title: 'A preference that matches nothing is no error',
    faults: ['language-refuses-unmatched'],
    run: async (trial) => void expectResult(await speaker(trial)({ language: NOBODY }), `asked for ${NOBODY}`),
  },
  {
    id: 'language:fallback-report',
    proves: ['LANG-20'],
    title: 'The fallback is reported too',
    faults: ['language-fallback-unreported'],
    run: async (trial) => {
      const answered = await speaker(trial)({ language: NOBODY });
      expect(resultOf(answered) === undefined || languageOf(answered) !== undefined, `asked for ${NOBODY}: no report`, answered, REPORT);
    },
  },
  {
    id: 'language:syntax',
    proves: ['LANG-21'],
    title: 'The report is a list of language tags',
    faults: ['language-underscore'],
    run: async (trial) => {
      for (const language of [...(trial.observed.language?.languages ?? []), NOBODY]) {
        const answered = await speaker(trial)({ language });
        const reported = languageOf(answered);
        const fits = reported === undefined || (typeof reported === 'string' && reported.split(',').every((tag) => TAG.test(tag.trim())));
        expect(fits, `${short(reported)} is no list of language tags`, answered, REPORT);
      }
    },
  },
  {
    id: 'language:weights',
    proves: ['LANG-08'],
    title: 'The heavier range wins, wherever it stands',
    faults: ['language-ignores-weights', 'language-unreported'],
    run: async (trial) => {
      const [first, second] = twoLanguages(trial);
      await expectLanguage(trial, `${first};q=0.2, ${second};q=0.9`, second);
      await expectLanguage(trial, `${second};q=0.2, ${first};q=0.9`, first);
    },
  },
  {
    id: 'language:star',
    proves: ['LANG-08'],
    title: 'The range * is a preference like any other',
    faults: ['language-star-refused'],
    run: async (trial) => void expectResult(await speaker(trial)({ language: '*' }), 'asked for *'),
  },
  {
    id: 'language:excluded',
    proves: ['LANG-15'],
    title: 'A range with weight 0 is never chosen while another is left',
    faults: ['language-ignores-zero', 'language-unreported'],
    run: async (trial) => {
      const [first, second] = twoLanguages(trial);
      await expectLanguage(trial, `${first};q=0, ${second}`, second);
      await expectLanguage(trial, `${second};q=0, ${first};q=0.1`, first);
    },
  },
  {
    id: 'language:per-request',
    proves: ['LANG-04', 'LANG-05'],
    title: 'A preference holds for its own request only',
    faults: ['language-sticky'],
    run: async (trial) => {
      const speak = speaker(trial);
      const [first, second] = twoLanguages(trial);
      const before = languageOf(await speak({}));
      // The language that is not the default shows a preference that stays.
      const other = before === first ? second : first;
      await expectLanguage(trial, other, other);
      const after = await speak({});
      const unmoved = languageOf(after) === before || before === undefined;
      expect(
        unmoved,
        `without a preference ${short(before)}; after ${other} was asked for once, ${short(languageOf(after))}`,
        after,
        REPORT,
      );
    },
  },
  {
    id: 'language:malformed',
    proves: ['LANG-11'],
    title: 'A malformed preference counts as none and is no error',
    faults: ['language-refuses-malformed'],
    run: async (trial) => {
      const [first] = trial.observed.language?.languages ?? ['en'];
      for (const language of [`${first ?? 'en'};q=2`, 'en_US', 'de;;q=1', '(', 'x'.repeat(9)])
        expectResult(await speaker(trial)({ language }), `asked for the malformed "${language}"`);
    },
  },
  {
    id: 'language:not-a-string',
    proves: ['LANG-16'],
    title: 'A preference that is no string counts as none',
    faults: ['language-breaks-on-number', 'language-needs-header'],
    run: async (trial) => {
      for (const language of [7, ['de'], { de: 1 }, null, '', ' , ,'])
        expectResult(await speaker(trial)({ language, acceptLanguage: [] }), `asked with ${JSON.stringify(language)}`);
    },
  },
  {
    id: 'language:no-echo',
    proves: ['LANG-28'],
    title: 'The report names a language the server has, never an echo of the request',
    faults: ['language-echo'],
    run: async (trial) => {
      const [first] = twoLanguages(trial);
      const preference = `${first}-x-conform`;
      const answered = await speaker(trial)({ language: preference });
      expect(languageOf(answered) !== preference, `"${preference}" came back as it was sent`, answered, REPORT);
    },
  },
  {
    id: 'language:identifiers',
    proves: ['LANG-33'],
    title: 'Names, keys and values that programs use are the same in every language',
    faults: ['language-translates-values', 'legacy-refuses-keys'],
    run: async (trial) => {
      const lists = [];
      for (const language of twoLanguages(trial)) lists.push(await listIn(trial, language));
      const [one, other] = lists.map((list) => new Map(toolsIn(list.answer).map((tool) => [tool['name'], identifiers(tool)])));
      for (const [name, tool] of one ?? []) {
        const index = toolsIn(lists[1]?.answer).findIndex((its) => its['name'] === name);
        const path = ['answer', 'result', 'tools', index];
        expect(equal(tool, other?.get(name)), `${short(name)} differs: ${short(tool)} and ${short(other?.get(name))}`, lists[1], path);
      }
    },
  },
  {
    id: 'language:titles',
    proves: ['LANG-30'],
    title: 'Titles of tools follow the language that a list reports',
    faults: ['language-titles-untranslated', 'legacy-refuses-keys'],
    run: async (trial) => {
      const listed = [];
      for (const language of twoLanguages(trial)) listed.push(await listIn(trial, language));
      const titles = listed.map((list) => toolsIn(list.answer).map((tool) => tool['title'] ?? at(tool, 'annotations', 'title')));
      const titled = (titles[0] ?? []).some((title) => title !== undefined);
      const same = titled && listed.every((list) => languageOf(list) !== undefined) && equal(titles[0], titles[1]);
      expect(!same, `the lists report ${listed.map((list) => short(languageOf(list))).join(' and ')} with the same titles`, listed[1], [
        'answer',
        'result',
        'tools',
      ]);
    },
  },
  {
    id: 'language:error',
    proves: ['LANG-23'],
    title: 'An error in a language says so in error.data, with its code unchanged',
    faults: ['language-error-unlabelled', 'language-error-code'],
    run: async (trial) => {
      needTool(trial, 'check_language', 'the check needs a tool that fails');
      const errors = [];
      for (const language of twoLanguages(trial)) {
        const failed = await trial.peer.call('check_language', { fail: true }, { language });
        expect(isObject(at(failed.answer, 'error')), `check_language {"fail":true} gave ${told(failed)}`, failed, ['answer']);
        const reported = at(failed.answer, 'error', 'data', '_meta', CONTENT_LANGUAGE);
        expect(reported === language, `asked for ${language}, the error reports ${short(reported)}`, failed, ['answer', 'error', 'data']);
        errors.push(failed);
      }
      const [one, other] = errors.map(codeOf);
      expect(one === other, `the code is ${short(one)} in one language and ${short(other)} in another`, errors[1], [
        'answer',
        'error',
        'code',
      ]);
    },
  },
  {
    id: 'language:progress',
    proves: ['LANG-06', 'LANG-24'],
    title: 'Progress of a request is in its language and says so',
    faults: ['language-progress-unlabelled', 'language-progress-other'],
    run: async (trial) => {
      needTool(trial, 'check_language', 'the check needs a tool that reports progress');
      const [first, second] = twoLanguages(trial);
      for (const language of [first, second]) {
        const called = await trial.peer.call('check_language', { steps: 2 }, { language, meta: { progressToken: `p-${language}` } });
        expectResult(called, 'check_language {"steps":2}');
        const progress = called.others.filter((one) => one['method'] === 'notifications/progress');
        expect(progress.length > 0, 'check_language {"steps":2} with a progress token sent no progress', called);
        for (const one of progress) {
          const reported = at(one, 'params', '_meta', CONTENT_LANGUAGE);
          expect(reported === language, `the result is in ${language}, its progress reports ${short(reported)}`, called, [
            'others',
            0,
            'params',
          ]);
        }
      }
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
      expect(
        languageOf(called) === second,
        `argument ${second}, preference ${first}: reported ${short(languageOf(called))}`,
        called,
        REPORT,
      );
    },
  },
  {
    id: 'language:question',
    proves: ['LANG-06', 'LANG-22'],
    title: 'A question to the user is in the language of its request and says so',
    faults: ['language-question-unlabelled', 'capabilities-request'],
    revisions: [MODERN],
    run: async (trial) => {
      otherTool(trial, 'check_ask');
      for (const language of twoLanguages(trial)) {
        const asked = await trial.peer.call('check_ask', {}, { language, capabilities: { elicitation: { form: {} } } });
        const { resultType } = expectResult(asked, 'check_ask');
        expect(resultType === 'input_required', `check_ask gave a result of type ${short(resultType)}`, asked, [
          'answer',
          'result',
          'resultType',
        ]);
        expect(languageOf(asked) === language, `asked for ${language}, reported ${short(languageOf(asked))}`, asked, REPORT);
      }
    },
  },
  {
    id: 'language:question-values',
    proves: ['LANG-34', 'LANG-33'],
    title: 'A question has the same keys and values in every language; only its texts differ',
    faults: ['language-translates-choices', 'capabilities-request'],
    revisions: [MODERN],
    run: async (trial) => {
      otherTool(trial, 'check_ask');
      const asked = [];
      for (const language of twoLanguages(trial))
        asked.push(await trial.peer.call('check_ask', {}, { language, capabilities: { elicitation: { form: {} } } }));
      const [one, other] = asked.map((exchange) => schemasIn(exchange.answer));
      expect(one !== undefined && Object.keys(one).length > 0, `check_ask asked nothing`, asked[0], ['answer', 'result']);
      expect(equal(one, other), `the questions differ: ${short(one)} and ${short(other)}`, asked[1], ['answer', 'result', 'inputRequests']);
    },
  },
  {
    id: 'language:version',
    proves: ['LANG-64'],
    title: 'The name and the version of the server are the same in every language',
    faults: ['language-in-version', 'legacy-refuses-keys'],
    run: async (trial) => {
      const told = [];
      for (const language of twoLanguages(trial)) told.push(await listIn(trial, language));
      const [one, other] = told.map((exchange) => {
        const info = at(exchange.answer, 'result', '_meta', SERVER_INFO);
        return [at(info, 'name'), at(info, 'version')];
      });
      expect(equal(one, other), `${short(one)} in one language, ${short(other)} in another`, told[1], [
        'answer',
        'result',
        '_meta',
        SERVER_INFO,
      ]);
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
        expect(
          reported === plain,
          `with the locale ${locale} the report is ${short(reported)}, without it ${short(plain)}`,
          formatted,
          REPORT,
        );
      }
    },
  },
];

/** The form of each question, without texts for people. */
function schemasIn(answer: unknown): Message | undefined {
  const asked = at(answer, 'result', 'inputRequests');
  if (!isObject(asked)) return undefined;
  return Object.fromEntries(Object.entries(asked).map(([name, one]) => [name, identifiers(at(one, 'params', 'requestedSchema'))]));
}
