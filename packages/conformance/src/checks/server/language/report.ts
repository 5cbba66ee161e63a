/** SEP-2792 on servers: where an answer says which language it is in. */
import { expect } from '../../../check.js';
import { codeOf, expectResult, languageOf, resultOf, inWords } from '../../../runner/servers.js';
import { at, equal, isObject, short } from '../../../wire/json.js';
import { CONTENT_LANGUAGE, MODERN } from '../../../wire/keys.js';
import { needTool, skipWithout, type ServerCheck, speaker, twoLanguages } from '../trial.js';
import { askIn, expectLanguage, NOBODY, REPORT, stepsIn } from './speak.js';

const TAG = /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i;

export const reportChecks: readonly ServerCheck[] = [
  {
    id: 'language:report',
    proves: ['LANG-20', 'LANG-22'],
    title: 'A result reports the language that was used',
    faults: ['language-unreported', 'language-mislabels'],
    run: async (trial) => {
      const [first, second] = twoLanguages(trial);
      const one = await expectLanguage(trial, first, first);
      const other = await expectLanguage(trial, `${second}, ${first};q=0.5`, second);
      const texts = [one, other].map((answered) => at(resultOf(answered), 'content'));
      const same = trial.observed.language?.on === 'check_language' && equal(texts[0], texts[1]);
      expect(!same, `${short(texts[1])} is reported as ${first} and as ${second}`, other, ['answer', 'result', 'content']);
    },
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
    id: 'language:error',
    proves: ['LANG-23'],
    title: 'An error in a language says so in error.data, with its code unchanged',
    faults: ['language-error-unlabelled', 'language-error-code'],
    run: async (trial) => {
      needTool(trial, 'check_language', 'the check needs a tool that fails');
      const errors = [];
      for (const language of twoLanguages(trial)) {
        const failed = await trial.peer.call('check_language', { fail: true }, { language });
        expect(isObject(at(failed.answer, 'error')), `check_language {"fail":true} gave ${inWords(failed)}`, failed, ['answer']);
        const reported = at(failed.answer, 'error', 'data', '_meta', CONTENT_LANGUAGE);
        expect(reported === language, `asked for ${language}, the error reports ${short(reported)}`, failed, ['answer', 'error', 'data']);
        errors.push(failed);
      }
      const [one, other] = errors.map(codeOf);
      const path = ['answer', 'error', 'code'];
      expect(one === other, `the code is ${short(one)} in one language and ${short(other)} in another`, errors[1], path);
    },
  },
  {
    id: 'language:progress',
    proves: ['LANG-06', 'LANG-24'],
    title: 'Progress of a request is in its language and says so',
    faults: ['language-progress-unlabelled', 'language-progress-other'],
    run: async (trial) => {
      for (const language of twoLanguages(trial)) {
        const { called, progress } = await stepsIn(trial, language);
        expect(progress.length > 0, 'check_language {"steps":2} with a progress token sent no progress', called);
        for (const one of progress) {
          const reported = at(one, 'params', '_meta', CONTENT_LANGUAGE);
          const path = ['others', called.others.indexOf(one), 'params'];
          expect(reported === language, `the result is in ${language}, its progress reports ${short(reported)}`, called, path);
        }
      }
    },
  },
  {
    id: 'language:question',
    proves: ['LANG-06', 'LANG-22'],
    title: 'A question to the user is in the language of its request and says so',
    faults: ['language-question-unlabelled', 'capabilities-request'],
    revisions: [MODERN],
    run: async (trial) => {
      skipWithout(trial, 'check_ask');
      for (const language of twoLanguages(trial)) {
        const asked = await askIn(trial, language);
        const { resultType } = expectResult(asked, 'check_ask');
        const path = ['answer', 'result', 'resultType'];
        expect(resultType === 'input_required', `check_ask gave a result of type ${short(resultType)}`, asked, path);
        expect(languageOf(asked) === language, `asked for ${language}, reported ${short(languageOf(asked))}`, asked, REPORT);
      }
    },
  },
];
