/** SEP-2792 on clients: where the preference stands, and how reports are taken. */
import { short } from '../../wire/json.js';
import { ACCEPT_LANGUAGE } from '../../wire/keys.js';
import { calls, type ClientCheck, expectSent, failedCall, metaOf, requests } from './trial.js';

const RANGE = /^(?:\*|[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)(?:[ \t]*;[ \t]*[qQ]=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/;

export const languageChecks: readonly ClientCheck[] = [
  {
    id: 'language:every-request',
    proves: ['LANG-01', 'IX-02'],
    title: 'Every request carries the preference',
    faults: ['language-only-calls', 'language-missed-on-retry'],
    run: async (trial) => {
      // The answer to a question is a request of its own.
      for (const one of [...(await requests(trial, 'tools_call')), ...(await requests(trial, 'question'))]) {
        const sent = metaOf(one, ACCEPT_LANGUAGE) !== undefined;
        expectSent(sent, `${short(one.message['method'])} carries no preference`, one, 'params', '_meta');
      }
    },
  },
  {
    id: 'language:syntax',
    proves: ['LANG-02'],
    title: 'The preference has the syntax of Accept-Language',
    faults: ['language-underscore'],
    run: async (trial) => {
      for (const one of await requests(trial, 'tools_call')) {
        const value = metaOf(one, ACCEPT_LANGUAGE);
        const fits = value === undefined || (typeof value === 'string' && value.split(',').every((part) => RANGE.test(part.trim())));
        expectSent(fits, `${short(value)} is no list of language ranges`, one, 'params', '_meta', ACCEPT_LANGUAGE);
      }
    },
  },
  {
    id: 'language:mirror',
    proves: ['LANG-40'],
    title: 'Accept-Language repeats the preference exactly',
    faults: ['language-no-header'],
    transports: ['http'],
    run: async (trial) => {
      for (const one of [...(await requests(trial, 'tools_call')), ...(await requests(trial, 'language'))]) {
        const value = metaOf(one, ACCEPT_LANGUAGE);
        const sent = (one.headers['accept-language'] ?? []).join(', ');
        expectSent(value === undefined || sent === value, `_meta says ${short(value)}, the header ${short(sent)}`, one);
      }
    },
  },
  {
    id: 'language:one-line',
    proves: ['LANG-41'],
    title: 'Accept-Language is one header line',
    faults: ['language-two-lines'],
    transports: ['http'],
    run: async (trial) => {
      for (const one of await requests(trial, 'language')) {
        const lines = one.headers['accept-language'] ?? [];
        expectSent(lines.length <= 1, `${lines.length} lines of Accept-Language`, one);
      }
    },
  },
  {
    id: 'language:cache',
    proves: ['LANG-60', 'BASE-11'],
    title: 'A list kept for one language is not used for another',
    faults: ['language-cached', 'language-cached-by-tag', 'language-only-calls'],
    run: async (trial) => {
      const listed = (await requests(trial, 'language')).filter((one) => one.message['method'] === 'tools/list');
      const asked = new Set(listed.map((one) => metaOf(one, ACCEPT_LANGUAGE)));
      const last = listed.at(-1);
      const observed = `the language changed to "de" and to "de, en;q=0.5", and tools/list was only asked for ${short([...asked])}`;
      if (last === undefined) await calls(trial, 'language', 'tools/list');
      else expectSent(asked.size >= 3, observed, last, 'params', '_meta');
    },
  },
  {
    id: 'language:malformed-answer',
    proves: ['LANG-49'],
    title: 'An answer whose header and body name different languages is an error',
    faults: ['language-accepts-mismatch'],
    transports: ['http'],
    run: async (trial) => {
      const { one, failed } = await failedCall(trial, 'language', 'check_mismatch');
      expectSent(failed, 'Content-Language said fr, the body de, and the call succeeded', one);
    },
  },
  {
    id: 'language:exact-answer',
    proves: ['LANG-42', 'LANG-49'],
    title: 'Header and body of an answer agree character for character, or not at all',
    faults: ['language-accepts-mismatch', 'language-lenient-answer'],
    transports: ['http'],
    run: async (trial) => {
      const { one, failed } = await failedCall(trial, 'language', 'check_case');
      expectSent(failed, 'Content-Language said DE, the body de, and the call succeeded', one);
    },
  },
];
