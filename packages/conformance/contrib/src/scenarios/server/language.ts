/**
 * SEP-2792 for servers. Fixture tools: `check_language {fail?, steps?, language?}` says something in the language of the request, with
 * `fail` as a JSON-RPC error, with `steps` after that many progress notifications, and `language` overrides the preference; `check_ask` asks
 * for input by a form. The server has two languages. A server that reports no language ignores the preference, which it may.
 */
import type { ClientScenario, ConformanceCheck } from '../../types.js';
import { judgeInTurn } from '../declared.js';
import { SEP_2792 } from '../language-keys.js';
import { AGREEMENT } from './language-agreement.js';
import { type LanguageCheck, LanguageSubject, reported, resultOf, UNSUPPORTED } from './language-subject.js';
import { TRANSLATION } from './language-translation.js';

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

const SELECTION: readonly LanguageCheck[] = [
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

export class LanguageServerScenario implements ClientScenario {
  name = 'language-server';
  readonly source = { introducedIn: '2026-07-28' } as const;
  description = `Tests a server that honours the language preference of a request (SEP-2792).

**Server Implementation Requirements:**

- two languages
- a tool \`check_language\` with the arguments \`fail\`, \`steps\` and \`language\`, all optional: it says something in the language of the request; \`fail\` makes it a JSON-RPC error, \`steps\` sends that many progress notifications, \`language\` overrides the preference
- a tool \`check_ask\` that asks for input by an elicitation form`;

  run({ serverUrl }: { serverUrl: string }): Promise<ConformanceCheck[]> {
    return judgeInTurn([...SELECTION, ...TRANSLATION, ...AGREEMENT], new LanguageSubject(serverUrl), SEP_2792);
  }
}
