/** SEP-2792 over HTTP: the head of an answer, and what caches learn from it. */
import { expect, NotApplicable } from '../../../check.js';
import { languageOf } from '../../../runner/servers.js';
import { type Exchange, header, headerLines } from '../../../wire/exchange.js';
import { at, type Message, short } from '../../../wire/json.js';
import { CONTENT_LANGUAGE } from '../../../wire/keys.js';
import type { Ask } from '../../../wire/session.js';
import { needTool, type ServerCheck, type ServerTrial, speaker, twoLanguages } from '../trial.js';

/** Sends the request wherever the server may report a language; returns the answers that do. */
async function reported(trial: ServerTrial, ask: Ask): Promise<Exchange[]> {
  const { on } = trial.observed.language ?? {};
  const answers = [await speaker(trial)(ask)];
  if (on !== 'tools/list') answers.push(await trial.peer.request('tools/list', ask));
  if (trial.observed.tools.has('check_language')) {
    answers.push(await trial.peer.call('check_language', { fail: true }, ask));
    answers.push(await trial.peer.call('check_language', { steps: 1 }, { ...ask, meta: { progressToken: 'head' } }));
  }
  return answers.filter((answered) => languageOf(answered) !== undefined);
}

const what = ({ sent: { message } }: Exchange): string =>
  [message['method'], at(message, 'params', 'name'), at(message, 'params', 'arguments')]
    .filter((part) => part !== undefined)
    .map((part) => (typeof part === 'string' ? part : short(part)))
    .join(' ');

function expectVary(answered: Exchange, why: string): void {
  const names = (header(answered, 'vary') ?? '').split(',').map((name) => name.trim().toLowerCase());
  const varies = names.includes('accept-language') || names.includes('*');
  expect(varies, `${why}: Vary is ${short(header(answered, 'vary'))}`, answered, ['headers', 'vary']);
}

export const headChecks: readonly ServerCheck[] = [
  {
    id: 'language:content-language',
    proves: ['LANG-48'],
    title: 'A JSON answer repeats its report in Content-Language, an error too',
    faults: ['language-no-content-language', 'language-no-header-on-error', 'language-bare-lists'],
    transports: ['http'],
    run: async (trial) => {
      for (const language of twoLanguages(trial)) {
        const answers = (await reported(trial, { language })).filter(({ streamed }) => streamed !== true);
        if (answers.length === 0) throw new NotApplicable('the server answers with an event stream');
        for (const answered of answers) {
          const [sent] = headerLines(answered, 'content-language');
          const observed = `${what(answered)}: the body reports ${short(languageOf(answered))}, the header ${short(sent)}`;
          expect(sent === languageOf(answered), observed, answered, ['headers', 'content-language']);
        }
      }
    },
  },
  {
    id: 'language:one-line',
    proves: ['LANG-41'],
    title: 'Content-Language is one header line',
    faults: ['language-two-lines'],
    transports: ['http'],
    run: async (trial) => {
      const [language] = twoLanguages(trial);
      const answered = await speaker(trial)({ language });
      const lines = headerLines(answered, 'content-language');
      expect(lines.length <= 1, `${lines.length} lines of Content-Language`, answered, ['headers', 'content-language']);
    },
  },
  {
    id: 'language:stream',
    proves: ['LANG-50'],
    title: 'A Content-Language of an event stream fits every message on it',
    faults: ['language-stream-header'],
    transports: ['http'],
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
    id: 'language:vary',
    proves: ['LANG-62'],
    title: 'An answer that depends on the language varies by Accept-Language',
    faults: ['language-no-vary', 'language-bare-lists', 'language-bare-errors'],
    transports: ['http'],
    run: async (trial) => {
      const [language] = twoLanguages(trial);
      for (const answered of await reported(trial, { language })) expectVary(answered, `${what(answered)} in ${language}`);
    },
  },
  {
    id: 'language:vary-always',
    proves: ['LANG-62'],
    title: 'The answer to a request without a preference varies too: with one it would be another',
    faults: ['language-no-vary', 'language-bare-lists', 'language-bare-errors', 'language-vary-on-preference'],
    transports: ['http'],
    run: async (trial) => {
      const [language] = twoLanguages(trial);
      for (const { sent } of await reported(trial, { language })) {
        // The answer to the same request, asked by somebody who names no language.
        const { _meta, ...params } = sent.message['params'] as Message;
        const answered = await trial.peer.request(String(sent.message['method']), { params });
        expectVary(answered, `${what(answered)} without a preference`);
      }
    },
  },
  {
    id: 'language:private',
    proves: ['LANG-63'],
    title: 'An answer to a preference that caches cannot see is private',
    faults: ['language-public-unseen', 'language-bare-lists', 'language-bare-errors'],
    transports: ['http'],
    run: async (trial) => {
      const [language] = twoLanguages(trial);
      for (const answered of await reported(trial, { language, acceptLanguage: [] })) {
        const control = header(answered, 'cache-control');
        const observed = `${what(answered)}: Cache-Control is ${short(control)}`;
        expect(/\b(private|no-store)\b/i.test(control ?? ''), observed, answered, ['headers', 'cache-control']);
      }
    },
  },
];
