/** SEP-2792 on servers: how ranges, weights and the range * are read. */
import { expect } from '../../../check.js';
import { expectResult, languageOf } from '../../../runner/servers.js';
import { type ServerCheck, type ServerTrial, speaker, twoLanguages } from '../trial.js';
import { expectLanguage, otherCase, REPORT } from './speak.js';

async function expectNot(trial: ServerTrial, preference: string, excluded: string): Promise<void> {
  const answered = await speaker(trial)({ language: preference });
  expectResult(answered, `asked for ${preference}`);
  expect(languageOf(answered) !== excluded, `asked for "${preference}", reported ${excluded}`, answered, REPORT);
}

export const weighingChecks: readonly ServerCheck[] = [
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
    id: 'language:weight-spelling',
    proves: ['LANG-08'],
    title: 'A weight is read in every spelling that HTTP allows',
    faults: ['language-small-q', 'language-one-decimal', 'language-ignores-weights', 'language-ignores-zero', 'language-unreported'],
    run: async (trial) => {
      const [first, second] = twoLanguages(trial);
      for (const [light, heavy] of [
        ['Q=0.2', 'Q=0.9'],
        ['q=0.121', 'q=0.129'],
        ['q=0.', 'q=1.000'],
      ] as const) {
        await expectLanguage(trial, `${first};${light}, ${second};${heavy}`, second);
        await expectLanguage(trial, `${second} ; ${light} , ${first} ; ${heavy}`, first);
      }
    },
  },
  {
    id: 'language:case',
    proves: ['LANG-08'],
    title: 'A range matches whatever its case',
    faults: ['language-minds-case', 'language-echo'],
    run: async (trial) => {
      for (const tag of twoLanguages(trial)) await expectLanguage(trial, otherCase(tag), tag);
    },
  },
  {
    id: 'language:ties',
    proves: ['LANG-15'],
    title: 'Of ranges with the same weight the first one wins',
    faults: ['language-ignores-order', 'language-unreported'],
    run: async (trial) => {
      const [first, second] = twoLanguages(trial);
      await expectLanguage(trial, `${first}, ${second}`, first);
      await expectLanguage(trial, `${second}, ${first}`, second);
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
    id: 'language:specific',
    proves: ['LANG-15'],
    title: 'A range for one language counts more than the range *',
    faults: ['language-star-first', 'language-star-excludes', 'language-star-refused', 'language-ignores-zero', 'language-unreported'],
    run: async (trial) => {
      const [first, second] = twoLanguages(trial);
      for (const tag of [first, second]) {
        await expectLanguage(trial, `*;q=0, ${tag}`, tag);
        await expectNot(trial, `*, ${tag};q=0`, tag);
      }
    },
  },
];
