/** SEP-2792 at gateways: what passes, and what a cache tells apart. */
import { expect, NotApplicable } from '../../check.js';
import { expectResult, languageOf } from '../../runner/servers.js';
import { header } from '../../wire/exchange.js';
import { at, short } from '../../wire/json.js';
import { ACCEPT_LANGUAGE } from '../../wire/keys.js';
import { arrivedOf, expectArrived, freshLanguage, type GatewayCheck, type GatewayTrial, metaOf, pass, passList } from './trial.js';

const LANGUAGE = 'fr-CH, fr;q=0.9,en;q=0.50';

/** A call with a preference, and what reached the upstream of it in body and header. A gateway may remove it, but then both. */
async function preferred(trial: GatewayTrial) {
  const passed = await pass(trial, 'check_meta', { language: LANGUAGE });
  const arrived = arrivedOf(passed);
  const [value, lines] = [metaOf(arrived, ACCEPT_LANGUAGE), arrived.headers['accept-language'] ?? []];
  if (value === undefined && !lines.includes(LANGUAGE)) throw new NotApplicable('the gateway removes the preference, which is allowed');
  return { passed, value, lines };
}

export const languageChecks: readonly GatewayCheck[] = [
  {
    id: 'language:forwarded',
    proves: ['LANG-52'],
    title: 'The preference reaches the upstream exactly as it was sent, or not at all',
    faults: ['language-rewrites'],
    run: async (trial) => {
      const { passed, value } = await preferred(trial);
      expectArrived(value === undefined || value === LANGUAGE, `"${LANGUAGE}" arrived as ${short(value)}`, passed);
    },
  },
  {
    id: 'language:callers',
    proves: ['LANG-52', 'BASE-02'],
    title: 'Requests that pass at the same time keep their own preferences',
    faults: ['language-of-newest', 'language-rewrites'],
    run: async (trial) => {
      await preferred(trial);
      const asked = ['fr', 'de', 'fr-CH, fr;q=0.9', 'de, en;q=0.5'];
      const callers = [trial.peer, trial.other, trial.other, trial.peer];
      const all = await Promise.all(asked.map((language, index) => pass(trial, 'check_meta', { language }, callers[index])));
      all.forEach((passed, index) => {
        const value = metaOf(arrivedOf(passed), ACCEPT_LANGUAGE);
        const observed = `"${asked[index] ?? ''}" arrived as ${short(value)}, while others passed`;
        expectArrived(value === undefined || value === asked[index], observed, passed);
      });
    },
  },
  {
    id: 'language:upstream-header',
    proves: ['LANG-53'],
    title: 'Header and body agree towards the upstream',
    faults: ['language-stale-header', 'language-adds-star', 'language-rewrites', 'language-removes-body-only'],
    run: async (trial) => {
      if (trial.upstream === 'stdio') throw new NotApplicable('the upstream has no headers');
      await preferred(trial);
      // The second caller's header was lost on the way; a header that the gateway adds has to agree.
      for (const acceptLanguage of [[LANGUAGE], []]) {
        const passed = await pass(trial, 'check_meta', { language: LANGUAGE, acceptLanguage });
        const arrived = arrivedOf(passed);
        const [value, lines] = [metaOf(arrived, ACCEPT_LANGUAGE), arrived.headers['accept-language'] ?? []];
        const agree = lines.length === 0 || lines.join(', ') === value;
        expectArrived(agree, `towards the upstream the header says ${short(lines)}, the body ${short(value)}`, passed);
      }
    },
  },
  {
    id: 'language:report',
    proves: ['LANG-52'],
    title: 'The reported language comes back as the upstream said it, in body and header',
    faults: ['language-relabels'],
    run: async (trial) => {
      const { passed, value } = await preferred(trial);
      if (value === undefined) throw new NotApplicable('no preference reached the upstream');
      const { exchange } = passed;
      const [body, sent] = [languageOf(exchange), header(exchange, 'content-language')];
      const whole = body === undefined || body === 'fr';
      expect(whole, `the upstream reported fr, the caller got ${short(body)}`, exchange, ['answer', 'result', '_meta']);
      const agree = body === undefined || sent === undefined || sent === body;
      expect(agree, `the body says ${short(body)}, the header ${short(sent)}`, exchange, ['headers', 'content-language']);
    },
  },
  {
    id: 'language:cache',
    proves: ['LANG-60', 'BASE-11'],
    title: 'A list in one language is never served for another',
    faults: ['language-cached', 'language-cached-by-tag'],
    run: async (trial) => {
      const { value } = await preferred(trial);
      if (value === undefined) throw new NotApplicable('no preference reached the upstream');
      for (const language of ['fr', 'de', 'fr']) {
        const { exchange } = await passList(trial, { language });
        const title = at(expectResult(exchange, 'tools/list'), 'tools', 0, 'title');
        const path = ['answer', 'result', 'tools', 0];
        expect(String(title).endsWith(`(${language})`), `asked for ${language}, the first title is ${short(title)}`, exchange, path);
      }
      // Both preferences select the same language, but the answers may differ.
      const language = freshLanguage();
      if ((await passList(trial, { language })).arrived === undefined) return;
      const heavier = await passList(trial, { language: `${language}, de;q=0.5` });
      const observed = `the list for "${language}" was served for "${language}, de;q=0.5"`;
      expect(heavier.arrived !== undefined, observed, heavier.exchange, ['sent', 'params', '_meta', ACCEPT_LANGUAGE]);
    },
  },
];
