/** SEP-2792 on servers: what is translated, and what never is. */
import { expect, NotApplicable } from '../../../check.js';
import { languageOf } from '../../../runner/servers.js';
import { at, equal, isObject, type Message, short } from '../../../wire/json.js';
import { MODERN, SERVER_INFO } from '../../../wire/keys.js';
import { identifiers, skipWithout, type ServerCheck, toolsIn, twoLanguages } from '../trial.js';
import { askIn, listsIn, stepsIn } from './speak.js';

const LISTS = { 'prompts/list': 'prompts', 'resources/list': 'resources', 'resources/templates/list': 'resourceTemplates' };

export const translationChecks: readonly ServerCheck[] = [
  {
    id: 'language:identifiers',
    proves: ['LANG-33'],
    title: 'Names, keys and values that programs use are the same in every language',
    faults: ['language-translates-values', 'legacy-refuses-keys'],
    run: async (trial) => {
      const [one, other] = await listsIn(trial);
      const others = new Map(toolsIn(other.answer).map((tool) => [tool['name'], identifiers(tool)]));
      for (const tool of toolsIn(one.answer)) {
        const [its, here] = [identifiers(tool), others.get(tool['name'])];
        const path = ['answer', 'result', 'tools', toolsIn(other.answer).findIndex(({ name }) => name === tool['name'])];
        expect(equal(its, here), `${short(tool['name'])} differs: ${short(its)} and ${short(here)}`, other, path);
      }
    },
  },
  {
    id: 'language:names',
    proves: ['LANG-33'],
    title: 'Names and addresses of prompts and resources are the same in every language',
    faults: ['language-translates-names'],
    run: async (trial) => {
      let known = 0;
      for (const [method, member] of Object.entries(LISTS)) {
        if (at((await trial.peer.request(method)).answer, 'result') === undefined) continue;
        known++;
        const lists = await listsIn(trial, method);
        const [one, here] = lists.map(({ answer }) => identifiers(at(answer, 'result', member)));
        expect(equal(one, here), `${method} differs: ${short(one)} and ${short(here)}`, lists[1], ['answer', 'result', member]);
      }
      if (known === 0) throw new NotApplicable('the server has neither prompts nor resources');
    },
  },
  {
    id: 'language:titles',
    proves: ['LANG-30'],
    title: 'Titles of tools follow the language that a list reports',
    faults: ['language-titles-untranslated', 'legacy-refuses-keys'],
    run: async (trial) => {
      const lists = await listsIn(trial);
      const [one, other] = lists.map((list) => toolsIn(list.answer).map((tool) => tool['title'] ?? at(tool, 'annotations', 'title')));
      const titled = (one ?? []).some((title) => title !== undefined);
      const same = titled && lists.every((list) => languageOf(list) !== undefined) && equal(one, other);
      const observed = `the lists report ${lists.map((list) => short(languageOf(list))).join(' and ')} with the same titles`;
      expect(!same, observed, lists[1], ['answer', 'result', 'tools']);
    },
  },
  {
    id: 'language:progress-text',
    proves: ['LANG-30'],
    title: 'Messages of progress are translated',
    faults: ['language-progress-untranslated'],
    run: async (trial) => {
      const [first, second] = twoLanguages(trial);
      const [before, after] = [await stepsIn(trial, first), await stepsIn(trial, second)];
      const [texts, others] = [before, after].map(({ progress }) => progress.map((step) => at(step, 'params', 'message')));
      if (!texts?.some((text) => text !== undefined)) throw new NotApplicable('progress has no message');
      expect(!equal(texts, others), `${short(texts)} in ${first} and in ${second}`, after.called, ['others', 0, 'params', 'message']);
    },
  },
  {
    id: 'language:question-text',
    proves: ['LANG-30'],
    title: 'The message of a question is translated',
    faults: ['language-question-untranslated', 'capabilities-request'],
    revisions: [MODERN],
    run: async (trial) => {
      skipWithout(trial, 'check_ask');
      const [first, second] = twoLanguages(trial);
      const [one, other] = [await askIn(trial, first), await askIn(trial, second)];
      const [texts, others] = [one, other].map((asked) =>
        questionsIn(asked.answer).map(([, question]) => at(question, 'params', 'message')),
      );
      expect(!equal(texts, others), `${short(texts)} in ${first} and in ${second}`, other, ['answer', 'result', 'inputRequests']);
    },
  },
  {
    id: 'language:question-values',
    proves: ['LANG-34', 'LANG-33'],
    title: 'A question has the same keys and values in every language; only its texts differ',
    faults: ['language-translates-choices', 'capabilities-request'],
    revisions: [MODERN],
    run: async (trial) => {
      skipWithout(trial, 'check_ask');
      const [first, second] = twoLanguages(trial);
      const [one, other] = [await askIn(trial, first), await askIn(trial, second)];
      const [its, here] = [one, other].map(({ answer }) =>
        questionsIn(answer).map(([name, question]) => [name, identifiers(at(question, 'params', 'requestedSchema'))]),
      );
      expect(its !== undefined && its.length > 0, 'check_ask asked nothing', one, ['answer', 'result']);
      expect(equal(its, here), `the questions differ: ${short(its)} and ${short(here)}`, other, ['answer', 'result', 'inputRequests']);
    },
  },
  {
    id: 'language:version',
    proves: ['LANG-64'],
    title: 'The name and the version of the server are the same in every language',
    faults: ['language-in-version', 'legacy-refuses-keys'],
    run: async (trial) => {
      const lists = await listsIn(trial);
      const [one, other] = lists.map(({ answer }) => {
        const info = at(answer, 'result', '_meta', SERVER_INFO);
        return [at(info, 'name'), at(info, 'version')];
      });
      const path = ['answer', 'result', '_meta', SERVER_INFO];
      expect(equal(one, other), `${short(one)} in one language, ${short(other)} in another`, lists[1], path);
    },
  },
];

const questionsIn = (answer: Message | undefined): [string, unknown][] => {
  const asked = at(answer, 'result', 'inputRequests');
  return isObject(asked) ? Object.entries(asked) : [];
};
