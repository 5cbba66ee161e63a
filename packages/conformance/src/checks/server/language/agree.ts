/** SEP-2792 over HTTP: header and body must agree. */
import { expect } from '../../../check.js';
import { codeOf, expectRefusal, expectResult, languageOf, resultOf } from '../../../runner/servers.js';
import { short } from '../../../wire/json.js';
import { HEADER_MISMATCH, MODERN, SEED_MISMATCH } from '../../../wire/keys.js';
import { skipWithout, type ServerCheck, type ServerTrial, speaker, twoLanguages } from '../trial.js';
import { otherCase, REPORT } from './speak.js';

const codes = ({ wire }: ServerTrial): number[] => [wire === 'seed' ? SEED_MISMATCH : HEADER_MISMATCH];

async function expectMismatch(trial: ServerTrial, lines: string[], language: string): Promise<void> {
  const answered = await speaker(trial)({ language, acceptLanguage: lines });
  expectRefusal(answered, codes(trial), 400, `header ${lines.map((line) => `"${line}"`).join(' and ')}, _meta "${language}"`);
}

export const agreementChecks: readonly ServerCheck[] = [
  {
    id: 'language:mismatch',
    proves: ['LANG-46'],
    title: 'A header and a body that name different languages are refused',
    faults: ['language-unchecked', 'language-mismatch-code'],
    transports: ['http'],
    run: async (trial) => {
      const [first, second] = twoLanguages(trial);
      await expectMismatch(trial, [first], second);
      // The header that fetch adds on its own.
      await expectMismatch(trial, ['*'], second);
    },
  },
  {
    id: 'language:mismatch-anywhere',
    proves: ['LANG-46'],
    title: 'Header and body have to agree whatever the method',
    faults: ['language-checks-calls-only', 'language-unchecked', 'language-mismatch-code'],
    transports: ['http'],
    run: async (trial) => {
      const [first, second] = twoLanguages(trial);
      for (const method of ['tools/list', trial.peer.revision === MODERN ? 'server/discover' : 'ping']) {
        const answered = await trial.peer.request(method, { language: first, acceptLanguage: [second] });
        expectRefusal(answered, codes(trial), 400, `${method} with the header "${second}" and _meta "${first}"`);
      }
    },
  },
  {
    id: 'language:agreement',
    proves: ['LANG-42'],
    title: 'Header and body agree character for character, or not at all',
    faults: [
      'language-unchecked',
      'language-mismatch-code',
      'language-lenient-agreement',
      'language-empty-header-absent',
      'language-trims-end',
    ],
    transports: ['http'],
    run: async (trial) => {
      const [first, second] = twoLanguages(trial);
      const pair = `${first}, ${second};q=0.9`;
      for (const [line, meta] of [
        [otherCase(first), first],
        [`${first},${second};q=0.9`, pair],
        [`${first};q=0.9`, `${first};q=0.900`],
        [`${second};q=0.9, ${first}`, pair],
        [first, ` ${first}`],
        [first, `${first} `],
        ['', first],
      ] as const)
        await expectMismatch(trial, [line], meta);
      // Optional white space around a field value is not part of it.
      expectResult(await speaker(trial)({ language: first, acceptLanguage: [`  ${first} `] }), `header "  ${first} ", _meta "${first}"`);
    },
  },
  {
    id: 'language:lines',
    proves: ['LANG-42', 'LANG-43'],
    title: 'Repeated header lines are joined with a comma and a space before they are compared',
    faults: ['language-first-line', 'language-unchecked'],
    transports: ['http'],
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
    id: 'language:malformed-mismatch',
    proves: ['LANG-47'],
    title: 'Malformed values that differ are refused: agreement comes before grammar',
    faults: ['language-unchecked', 'language-mismatch-code', 'language-grammar-first'],
    transports: ['http'],
    run: (trial) => expectMismatch(trial, ['en;q=3'], 'en_US'),
  },
  {
    id: 'language:no-header',
    proves: ['LANG-44'],
    title: 'A preference in the body alone is enough',
    faults: ['language-needs-header'],
    transports: ['http'],
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
    id: 'language:header-alone',
    proves: ['LANG-45'],
    title: 'A header alone makes no preference',
    faults: ['language-header-alone'],
    transports: ['http'],
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
    id: 'language:first',
    proves: ['IX-15'],
    title: 'Agreement of header and body is decided before capabilities are',
    faults: ['capabilities-before-agreement', 'language-unchecked', 'language-mismatch-code'],
    revisions: [MODERN],
    transports: ['http'],
    run: async (trial) => {
      skipWithout(trial, 'check_ask');
      const [first, second] = twoLanguages(trial);
      const answered = await trial.peer.call('check_ask', {}, { language: second, acceptLanguage: [first] });
      expectRefusal(answered, codes(trial), 400, `header "${first}", _meta "${second}", and a capability that is missing`);
    },
  },
];
