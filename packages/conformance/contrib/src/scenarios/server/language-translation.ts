/** SEP-2792 for servers: what is translated, and what never is. */
import { at, isObject } from '../json.js';
import { CONTENT } from '../language-keys.js';
import { codeOf, type LanguageCheck, reported, resultOf } from './language-subject.js';
import type { Answer } from './raw-exchange.js';

/** Members that programs rely on: everything but texts for people. */
function identifiers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(identifiers);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) =>
      typeof member === 'string' && ['title', 'description', 'message'].includes(key) ? [] : [[key, identifiers(member)]],
    ),
  );
}
const sorted = (tools: unknown): string =>
  JSON.stringify((Array.isArray(tools) ? tools : []).map((tool) => JSON.stringify(identifiers(tool))).sort());
function form({ message }: Answer): unknown {
  const asked = at(message, 'result', 'inputRequests');
  return isObject(asked) ? Object.values(asked)[0] : undefined;
}

export const TRANSLATION: readonly LanguageCheck[] = [
  {
    id: 'sep-2792-server-translates-titles',
    name: 'ServerTranslatesTitles',
    description: 'Titles of tools follow the language that the list reports',
    level: 'SHOULD',
    test: async (subject) => {
      const [first, second] = await subject.languages();
      const [one, other] = [await subject.list(first), await subject.list(second)];
      const titles = [one, other].map((answer) => {
        const tools = resultOf(answer)?.['tools'];
        return JSON.stringify(
          (Array.isArray(tools) ? tools : []).map((tool: unknown) => [at(tool, 'title'), at(tool, 'annotations', 'title')]),
        );
      });
      if (reported(one) === undefined || reported(other) === undefined) return 'the list reports no language';
      return titles[0] === titles[1] ? `the titles are the same in ${first} and ${second}` : undefined;
    },
  },
  {
    id: 'sep-2792-server-translates-elicitation',
    name: 'ServerTranslatesElicitation',
    description: 'A question is in the language of its request and says so; its property keys stay',
    level: 'SHOULD',
    test: async (subject) => {
      const asked = [];
      for (const language of await subject.languages()) {
        const answer = await subject.ask(language);
        if (form(answer) === undefined) return `check_ask gave ${JSON.stringify(answer.message)}`;
        if (reported(answer) !== language) return `asked in ${language}, reported ${JSON.stringify(reported(answer))}`;
        asked.push(answer);
      }
      const [one, other] = asked.map((answer) => at(form(answer), 'params', 'message'));
      return one === other ? `the question is "${String(one)}" in both languages` : undefined;
    },
  },
  {
    id: 'sep-2792-server-translates-progress',
    name: 'ServerTranslatesProgress',
    description: 'Progress is in the language of its request and says so',
    level: 'SHOULD',
    test: async (subject) => {
      for (const language of await subject.languages()) {
        const answer = await subject.call({ steps: 2 }, language, [language], { progressToken: `p-${language}` });
        const labels = answer.notifications.map((one) => at(one, 'params', '_meta', CONTENT));
        if (labels.length === 0) return 'check_language {"steps":2} sent no progress';
        if (labels.some((label) => label !== language))
          return `the request is in ${language}, its progress reports ${JSON.stringify(labels)}`;
      }
      return undefined;
    },
  },
  {
    id: 'sep-2792-server-keeps-identifiers',
    name: 'ServerKeepsIdentifiers',
    description: 'Names, keys, values and codes are the same in every language',
    level: 'MUST',
    test: async (subject) => {
      const [lists, questions, codes] = [new Set<string>(), new Set<string>(), new Set<unknown>()];
      for (const language of await subject.languages()) {
        lists.add(sorted(resultOf(await subject.list(language))?.['tools']));
        questions.add(JSON.stringify(identifiers(form(await subject.ask(language)))));
        codes.add(codeOf(await subject.call({ fail: true }, language)));
      }
      return lists.size > 1 || questions.size > 1 || codes.size > 1
        ? `an identifier differs: ${[...lists, ...questions, ...codes].join(' / ')}`
        : undefined;
    },
  },
  {
    id: 'sep-2792-server-error-data-object',
    name: 'ServerErrorDataObject',
    description: 'A localised error reports its language in error.data._meta, and error.data is an object',
    level: 'MUST',
    test: async (subject) => {
      for (const language of await subject.languages()) {
        const answer = await subject.call({ fail: true }, language);
        if (codeOf(answer) === undefined) return `check_language {"fail":true} gave ${JSON.stringify(answer.message)}`;
        const tag = at(answer.message, 'error', 'data', '_meta', CONTENT);
        if (tag !== language) return `the error in ${language} has the data ${JSON.stringify(at(answer.message, 'error', 'data'))}`;
      }
      return undefined;
    },
  },
];
