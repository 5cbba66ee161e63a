/** SEP-2792 over HTTP: agreement of header and body, and what caches can see. */
import { NotApplicable } from '../declared.js';
import { at } from '../json.js';
import { CONTENT } from '../language-keys.js';
import type { Answer } from './raw-exchange.js';
import { codeOf, type LanguageCheck, type LanguageSubject, reported, resultOf } from './language-subject.js';

/** Undefined if header and body are refused as the proposal says. */
async function notRefused(subject: LanguageSubject, lines: string[], language: string): Promise<string | undefined> {
  const answer = await subject.call({}, language, lines);
  return answer.status === 400 && codeOf(answer) === -32020
    ? undefined
    : `header ${JSON.stringify(lines)}, _meta ${JSON.stringify(language)}: HTTP ${answer.status}, ${JSON.stringify(answer.message)}`;
}

async function notAccepted(subject: LanguageSubject, lines: string[], language: string): Promise<string | undefined> {
  const answer = await subject.call({}, language, lines);
  return resultOf(answer) === undefined
    ? `header ${JSON.stringify(lines)}, _meta ${JSON.stringify(language)}: HTTP ${answer.status}, ${JSON.stringify(answer.message)}`
    : undefined;
}

function json(answer: Answer): Answer {
  if (!answer.contentType.startsWith('application/json')) throw new NotApplicable('the server answers with an event stream');
  return answer;
}

export const AGREEMENT: readonly LanguageCheck[] = [
  {
    id: 'sep-2792-server-rejects-mismatch',
    name: 'ServerRejectsMismatch',
    description: 'Header and body that name different languages are refused with 400 and -32020',
    level: 'MUST',
    test: async (subject) => {
      const [first, second] = await subject.languages();
      return notRefused(subject, [first], second);
    },
  },
  {
    id: 'sep-2792-server-exact-agreement',
    name: 'ServerExactAgreement',
    description: 'The two values agree character for character, apart from white space around the field value',
    level: 'MUST',
    test: async (subject) => {
      await subject.languages();
      for (const [line, language] of [
        ['en-US', 'en-us'],
        ['en-US,en;q=0.9', 'en-US, en;q=0.9'],
        ['en;q=0.9', 'en;q=0.900'],
      ] as const) {
        const problem = await notRefused(subject, [line], language);
        if (problem !== undefined) return problem;
      }
      return notAccepted(subject, ['  en '], 'en');
    },
  },
  {
    id: 'sep-2792-server-joins-field-lines',
    name: 'ServerJoinsFieldLines',
    description: 'Repeated field lines are joined with a comma and a space, and no line is overlooked',
    level: 'MUST',
    test: async (subject) => {
      await subject.languages();
      const lines = ['en-US', 'en;q=0.9'];
      return (await notAccepted(subject, lines, 'en-US, en;q=0.9')) ?? notRefused(subject, lines, 'en-US');
    },
  },
  {
    id: 'sep-2792-server-agreement-before-grammar',
    name: 'ServerAgreementBeforeGrammar',
    description: 'Values that do not agree are refused, also if one of them is malformed',
    level: 'MUST',
    test: async (subject) => {
      await subject.languages();
      return notRefused(subject, ['en;q=3'], 'en_US');
    },
  },
  {
    id: 'sep-2792-server-ignores-bare-header',
    name: 'ServerIgnoresBareHeader',
    description: 'A header without the field in _meta creates no preference',
    level: 'MUST',
    test: async (subject) => {
      const plain = reported(await subject.call({}));
      for (const language of await subject.languages()) {
        const headed = reported(await subject.call({}, undefined, [language]));
        if (headed !== plain) return `a bare header ${language} changed the language from ${String(plain)} to ${String(headed)}`;
      }
      return undefined;
    },
  },
  {
    id: 'sep-2792-server-mirrors-content-language',
    name: 'ServerMirrorsContentLanguage',
    description: 'A JSON answer, also an error, repeats contentLanguage in Content-Language',
    level: 'MUST',
    test: async (subject) => {
      const [first] = await subject.languages();
      for (const answer of [json(await subject.call({}, first)), await subject.call({ fail: true }, first)]) {
        const sent = answer.lines('content-language').join(', ');
        const language = reported(answer);
        if (language !== undefined && sent !== language)
          return `the body reports ${JSON.stringify(language)}, the header ${JSON.stringify(sent)}`;
      }
      return undefined;
    },
  },
  {
    id: 'sep-2792-server-single-field-line',
    name: 'ServerSingleFieldLine',
    description: 'Content-Language is one field line',
    level: 'MUST',
    test: async (subject) => {
      const [first] = await subject.languages();
      const { length } = (await subject.call({}, first)).lines('content-language');
      return length <= 1 ? undefined : `${length} lines of Content-Language`;
    },
  },
  {
    id: 'sep-2792-server-stream-header-agrees',
    name: 'ServerStreamHeaderAgrees',
    description: 'A Content-Language of an event stream agrees with every report on it',
    level: 'MUST',
    test: async (subject) => {
      const [first] = await subject.languages();
      const answer = await subject.call({ steps: 1 }, first, [first], { progressToken: 'stream' });
      const sent = answer.lines('content-language');
      if (sent.length === 0) throw new NotApplicable('the stream has no Content-Language');
      const reports = [reported(answer), ...answer.notifications.map((one) => at(one, 'params', '_meta', CONTENT))];
      const wrong = reports.find((one) => one !== undefined && one !== sent[0]);
      return wrong === undefined ? undefined : `the header says ${String(sent[0])}, a message ${JSON.stringify(wrong)}`;
    },
  },
  {
    id: 'sep-2792-server-vary',
    name: 'ServerVary',
    description: 'An answer that varies by language says so in Vary',
    level: 'MUST',
    test: async (subject) => {
      const [first] = await subject.languages();
      const vary = (await subject.call({}, first)).lines('vary').join(',').toLowerCase();
      return /(^|[,\s])(accept-language|\*)($|[,\s])/.test(vary) ? undefined : `Vary is ${JSON.stringify(vary)}`;
    },
  },
  {
    id: 'sep-2792-server-private-without-header',
    name: 'ServerPrivateWithoutHeader',
    description: 'An answer to a preference that a shared cache cannot see is private',
    level: 'MUST',
    test: async (subject) => {
      const [first] = await subject.languages();
      const control = (await subject.call({}, first, [])).lines('cache-control').join(', ');
      return /\b(private|no-store)\b/i.test(control) ? undefined : `Cache-Control is ${JSON.stringify(control)}`;
    },
  },
];
