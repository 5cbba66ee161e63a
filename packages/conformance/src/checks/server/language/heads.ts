/** SEP-2792 over HTTP: the head of an answer, and what caches learn from it. */
import { expect, NotApplicable } from '../../../check.js';
import { languageOf } from '../../../runner/servers.js';
import { type Exchange, header, headerLines } from '../../../wire/exchange.js';
import { at, short } from '../../../wire/json.js';
import { CONTENT_LANGUAGE } from '../../../wire/keys.js';
import { needTool, type ServerCheck, speaker, twoLanguages } from '../trial.js';

const http = { transports: ['http'] } as const;

/** An answer that is JSON, so that its header belongs to it alone. */
function asJson(answered: Exchange): Exchange {
  if (answered.streamed === true) throw new NotApplicable('the server answers with an event stream');
  return answered;
}

function expectVary(answered: Exchange, why: string): void {
  const names = (header(answered, 'vary') ?? '').split(',').map((name) => name.trim().toLowerCase());
  const varies = names.includes('accept-language') || names.includes('*');
  expect(varies, `${why}: Vary is ${short(header(answered, 'vary'))}`, answered, ['headers', 'vary']);
}

export const headChecks: readonly ServerCheck[] = [
  {
    ...http,
    id: 'language:content-language',
    proves: ['LANG-48'],
    title: 'A JSON answer repeats its report in Content-Language, an error too',
    faults: ['language-no-content-language', 'language-no-header-on-error'],
    run: async (trial) => {
      for (const language of twoLanguages(trial)) {
        const answers = [asJson(await speaker(trial)({ language }))];
        if (trial.observed.tools.has('check_language')) answers.push(await trial.peer.call('check_language', { fail: true }, { language }));
        for (const answered of answers.filter(({ streamed }) => streamed !== true)) {
          const [sent] = headerLines(answered, 'content-language');
          const observed = `the body reports ${short(languageOf(answered))}, the header ${short(sent)}`;
          expect(languageOf(answered) === undefined || sent === languageOf(answered), observed, answered, ['headers', 'content-language']);
        }
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
      expectVary(await speaker(trial)({ language }), `asked for ${language}`);
    },
  },
  {
    ...http,
    id: 'language:vary-always',
    proves: ['LANG-62'],
    title: 'The answer to a request without a preference varies too: with one it would be another',
    faults: ['language-no-vary', 'language-vary-on-preference'],
    run: async (trial) => expectVary(await speaker(trial)({}), 'asked without a preference'),
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
];
