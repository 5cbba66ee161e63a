/** SEP-2792 over HTTP: header and body must agree, and caches must be able to tell languages apart. */
import { expect, NotApplicable } from '../../check.js';
import { codeOf, expectRefusal, expectResult, languageOf, resultOf } from '../../runner/servers.js';
import { type Exchange, header, headerLines } from '../../wire/exchange.js';
import { at, short } from '../../wire/json.js';
import { CONTENT_LANGUAGE, HEADER_MISMATCH, MODERN, SEED_MISMATCH } from '../../wire/keys.js';
import { needTool, otherTool, type ServerCheck, type ServerTrial, speaker, twoLanguages } from './trial.js';

const http = { transports: ['http'] } as const;
const codes = ({ wire }: ServerTrial): number[] => [wire === 'seed' ? SEED_MISMATCH : HEADER_MISMATCH];
const REPORT = ['answer', 'result', '_meta', CONTENT_LANGUAGE] as const;

async function expectMismatch(trial: ServerTrial, lines: string[], language: string): Promise<void> {
  const answered = await speaker(trial)({ language, acceptLanguage: lines });
  expectRefusal(answered, codes(trial), 400, `header ${lines.map((line) => `"${line}"`).join(' and ')}, _meta "${language}"`);
}

/** An answer that is JSON, so that its header belongs to it alone. */
function asJson(answered: Exchange): Exchange {
  if (answered.streamed === true) throw new NotApplicable('the server answers with an event stream');
  return answered;
}

export const languageHttpChecks: readonly ServerCheck[] = [
  {
    ...http,
    id: 'language:mismatch',
    proves: ['LANG-46'],
    title: 'A header and a body that name different languages are refused',
    faults: ['language-unchecked', 'language-mismatch-code'],
    run: async (trial) => {
      const [first, second] = twoLanguages(trial);
      await expectMismatch(trial, [first], second);
      // The header that fetch adds on its own.
      await expectMismatch(trial, ['*'], second);
    },
  },
  {
    ...http,
    id: 'language:agreement',
    proves: ['LANG-42'],
    title: 'Header and body agree character for character, or not at all',
    faults: ['language-unchecked', 'language-mismatch-code', 'language-lenient-agreement'],
    run: async (trial) => {
      const [first, second] = twoLanguages(trial);
      const pair = `${first}, ${second};q=0.9`;
      for (const [line, meta] of [
        [first.toUpperCase(), first],
        [`${first},${second};q=0.9`, pair],
        [`${first};q=0.9`, `${first};q=0.900`],
        [`${second};q=0.9, ${first}`, pair],
        [first, ` ${first}`],
      ] as const)
        await expectMismatch(trial, [line], meta);
      // Optional white space around a field value is not part of it.
      expectResult(await speaker(trial)({ language: first, acceptLanguage: [`  ${first} `] }), `header "  ${first} ", _meta "${first}"`);
    },
  },
  {
    ...http,
    id: 'language:lines',
    proves: ['LANG-42', 'LANG-43'],
    title: 'Repeated header lines are joined with a comma and a space before they are compared',
    faults: ['language-first-line', 'language-unchecked'],
    run: async (trial) => {
      const [first, second] = twoLanguages(trial);
      const lines = [first, `${second};q=0.9`];
      expectResult(
        await speaker(trial)({ language: lines.join(', '), acceptLanguage: lines }),
        'two lines that join to the value of _meta',
      );
      const cut = await speaker(trial)({ language: first, acceptLanguage: lines });
      expect(resultOf(cut) === undefined, `two lines agree with "${first}", which only the first one says`, cut, ['answer']);
    },
  },
  {
    ...http,
    id: 'language:malformed-mismatch',
    proves: ['LANG-47'],
    title: 'Malformed values that differ are refused: agreement comes before grammar',
    faults: ['language-unchecked', 'language-mismatch-code', 'language-grammar-first'],
    run: (trial) => expectMismatch(trial, ['en;q=3'], 'en_US'),
  },
  {
    ...http,
    id: 'language:no-header',
    proves: ['LANG-44'],
    title: 'A preference in the body alone is enough',
    faults: ['language-needs-header'],
    run: async (trial) => {
      const [first, second] = twoLanguages(trial);
      for (const language of [first, second]) {
        const answered = await speaker(trial)({ language, acceptLanguage: [] });
        expectResult(answered, `"${language}" without a header`);
        expect(
          languageOf(answered) === language,
          `asked for ${language} without a header, reported ${short(languageOf(answered))}`,
          answered,
          REPORT,
        );
      }
    },
  },
  {
    ...http,
    id: 'language:header-alone',
    proves: ['LANG-45'],
    title: 'A header alone makes no preference',
    faults: ['language-header-alone'],
    run: async (trial) => {
      const speak = speaker(trial);
      const plain = await speak({});
      for (const language of twoLanguages(trial)) {
        const headed = await speak({ acceptLanguage: [language] });
        expect(codeOf(headed) === codeOf(plain), `a bare header "${language}" changed the answer`, headed, ['answer']);
        const same = languageOf(headed) === languageOf(plain);
        expect(
          same,
          `${short(languageOf(plain))} without a header, ${short(languageOf(headed))} with a bare "${language}"`,
          headed,
          REPORT,
        );
      }
    },
  },
  {
    ...http,
    id: 'language:content-language',
    proves: ['LANG-48'],
    title: 'A JSON answer repeats its report in Content-Language',
    faults: ['language-no-content-language'],
    run: async (trial) => {
      for (const language of twoLanguages(trial)) {
        const answered = asJson(await speaker(trial)({ language }));
        const [sent] = headerLines(answered, 'content-language');
        expect(sent === languageOf(answered), `the body reports ${short(languageOf(answered))}, the header ${short(sent)}`, answered, [
          'headers',
          'content-language',
        ]);
      }
    },
  },
  {
    ...http,
    id: 'language:one-line',
    proves: ['LANG-41'],
    title: 'Content-Language is one header line',
    faults: ['language-two-lines'],
    run: async (trial) => {
      const [language] = twoLanguages(trial);
      const answered = await speaker(trial)({ language });
      const lines = headerLines(answered, 'content-language');
      expect(lines.length <= 1, `${lines.length} lines of Content-Language`, answered, ['headers', 'content-language']);
    },
  },
  {
    ...http,
    id: 'language:stream',
    proves: ['LANG-50'],
    title: 'A Content-Language of an event stream fits every message on it',
    faults: ['language-stream-header'],
    run: async (trial) => {
      needTool(trial, 'check_language', 'the check needs an answer with progress');
      const [language] = twoLanguages(trial);
      const called = await trial.peer.call('check_language', { steps: 1 }, { language, meta: { progressToken: 'stream' } });
      const sent = header(called, 'content-language');
      if (called.streamed !== true) throw new NotApplicable('the server answers with JSON only');
      const reports = [languageOf(called), ...called.others.map((one) => at(one, 'params', '_meta', CONTENT_LANGUAGE))].filter(
        (one) => one !== undefined,
      );
      const fits = sent === undefined || reports.every((one) => one === sent);
      expect(fits, `the header says ${short(sent)}, the messages ${short(reports)}`, called, ['headers', 'content-language']);
    },
  },
  {
    ...http,
    id: 'language:vary',
    proves: ['LANG-62'],
    title: 'An answer that depends on the language varies by Accept-Language',
    faults: ['language-no-vary'],
    run: async (trial) => {
      const [language] = twoLanguages(trial);
      const answered = await speaker(trial)({ language });
      const names = (header(answered, 'vary') ?? '').split(',').map((name) => name.trim().toLowerCase());
      expect(names.includes('accept-language') || names.includes('*'), `Vary is ${short(header(answered, 'vary'))}`, answered, [
        'headers',
        'vary',
      ]);
    },
  },
  {
    ...http,
    id: 'language:private',
    proves: ['LANG-63'],
    title: 'An answer to a preference that caches cannot see is private',
    faults: ['language-public-unseen', 'language-needs-header'],
    run: async (trial) => {
      const [language] = twoLanguages(trial);
      const answered = await speaker(trial)({ language, acceptLanguage: [] });
      const control = header(answered, 'cache-control');
      expect(/\b(private|no-store)\b/i.test(control ?? ''), `Cache-Control is ${short(control)}`, answered, ['headers', 'cache-control']);
    },
  },
  {
    ...http,
    id: 'language:first',
    proves: ['IX-15'],
    title: 'Agreement of header and body is decided before capabilities are',
    faults: ['capabilities-before-agreement', 'language-unchecked', 'language-mismatch-code'],
    revisions: [MODERN],
    run: async (trial) => {
      otherTool(trial, 'check_ask');
      const [first, second] = twoLanguages(trial);
      const answered = await trial.peer.call('check_ask', {}, { language: second, acceptLanguage: [first] });
      expectRefusal(answered, codes(trial), 400, `header "${first}", _meta "${second}", and a capability that is missing`);
    },
  },
];
