/**
 * SEP-2792 for servers. Fixture tools: `check_language {fail?, steps?, language?}` says something in the language of the request, with
 * `fail` as a JSON-RPC error, with `steps` after that many progress notifications, and `language` overrides the preference; `check_ask` asks
 * for input by a form. The server has two languages. A server that reports no language ignores the preference, which it may.
 */
import type { ClientScenario, ConformanceCheck } from '../../types.js';
import { type Declared, judgeInTurn } from '../declared.js';
import { at, isObject } from '../json.js';
import { SEP_2792 } from '../client/language.js';
import { AGREEMENT } from './language-agreement.js';
import type { Answer } from './raw-exchange.js';
import { codeOf, CONTENT, LanguageSubject, reported, resultOf, UNSUPPORTED } from './language-subject.js';

type Check = Declared<LanguageSubject, Promise<string | undefined>>;
const TAGS = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*(?:[ \t]*,[ \t]*[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)*$/;

/** The first preference that is not answered in the expected language. */
async function unlike(
  subject: LanguageSubject,
  expected: readonly (readonly [preference: string, language: string])[],
): Promise<string | undefined> {
  for (const [preference, language] of expected) {
    const tag = reported(await subject.call({}, preference));
    if (tag !== language) return `asked for "${preference}", expected ${language}, reported ${JSON.stringify(tag)}`;
  }
  return undefined;
}

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

const SELECTION: readonly Check[] = [
  {
    id: 'sep-2792-server-reports-language',
    name: 'ServerReportsLanguage',
    description: 'A result reports the language that was used, the default too',
    level: 'MUST',
    test: async (subject) => {
      const problem = await unlike(
        subject,
        (await subject.languages()).map((language) => [language, language] as const),
      );
      if (problem !== undefined) return problem;
      return reported(await subject.call({}, UNSUPPORTED)) === undefined ? 'the fallback to the default is not reported' : undefined;
    },
  },
  {
    id: 'sep-2792-server-content-language-syntax',
    name: 'ServerContentLanguageSyntax',
    description: 'The report is a list of language tags',
    level: 'MUST',
    test: async (subject) => {
      for (const language of [...(await subject.languages()), UNSUPPORTED]) {
        const tag = reported(await subject.call({}, language));
        if (tag !== undefined && !(typeof tag === 'string' && TAGS.test(tag))) return `${JSON.stringify(tag)} is no list of language tags`;
      }
      return undefined;
    },
  },
  {
    id: 'sep-2792-server-matching',
    name: 'ServerMatching',
    description: 'Weights, exclusion and the wildcard have their HTTP meaning',
    level: 'MUST',
    test: async (subject) => {
      const [first, second] = await subject.languages();
      const problem = await unlike(subject, [
        [`${first};q=0.2, ${second};q=0.9`, second],
        [`${second};q=0.2, ${first};q=0.9`, first],
        [`${first};q=0, ${second};q=0.1`, second],
      ]);
      if (problem !== undefined) return problem;
      return resultOf(await subject.call({}, '*')) === undefined ? 'the preference * was refused' : undefined;
    },
  },
  {
    id: 'sep-2792-server-fallback-no-error',
    name: 'ServerFallbackNoError',
    description: 'A preference that matches nothing is no error',
    level: 'MUST',
    test: async (subject) => {
      await subject.languages();
      const answer = await subject.call({}, UNSUPPORTED);
      return resultOf(answer) === undefined ? `asked for ${UNSUPPORTED}: ${JSON.stringify(answer.message)}` : undefined;
    },
  },
  {
    id: 'sep-2792-server-no-reuse',
    name: 'ServerNoReuse',
    description: 'A preference holds for its own request only',
    level: 'MUST',
    test: async (subject) => {
      const before = reported(await subject.call({}));
      for (const language of await subject.languages()) {
        await subject.call({}, language);
        const after = reported(await subject.call({}));
        if (after !== before) return `after one request for ${language}, a request without a preference reports ${JSON.stringify(after)}`;
      }
      return undefined;
    },
  },
  {
    id: 'sep-2792-server-tolerates-malformed',
    name: 'ServerToleratesMalformed',
    description: 'A malformed preference counts as none and is no error',
    level: 'MUST',
    test: async (subject) => {
      await subject.languages();
      for (const value of ['en;q=2', 'de_DE', '(', 7, ['de'], null]) {
        const answer = await subject.call({}, value);
        if (resultOf(answer) === undefined) return `asked with ${JSON.stringify(value)}: ${JSON.stringify(answer.message)}`;
      }
      return undefined;
    },
  },
  {
    id: 'sep-2792-server-explicit-argument',
    name: 'ServerExplicitArgument',
    description: 'A language argument of a tool takes precedence',
    level: 'SHOULD',
    test: async (subject) => {
      const [first, second] = await subject.languages();
      const tag = reported(await subject.call({ language: second }, first));
      return tag === second ? undefined : `argument ${second}, preference ${first}, reported ${JSON.stringify(tag)}`;
    },
  },
];

const BOUNDARY: readonly Check[] = [
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

export class LanguageServerScenario implements ClientScenario {
  name = 'language-server';
  readonly source = { introducedIn: '2026-07-28' } as const;
  description = `Tests a server that honours the language preference of a request (SEP-2792).

**Server Implementation Requirements:**

- two languages
- a tool \`check_language\` with the arguments \`fail\`, \`steps\` and \`language\`, all optional: it says something in the language of the request; \`fail\` makes it a JSON-RPC error, \`steps\` sends that many progress notifications, \`language\` overrides the preference
- a tool \`check_ask\` that asks for input by an elicitation form`;

  run({ serverUrl }: { serverUrl: string }): Promise<ConformanceCheck[]> {
    return judgeInTurn([...SELECTION, ...BOUNDARY, ...AGREEMENT], new LanguageSubject(serverUrl), SEP_2792);
  }
}
