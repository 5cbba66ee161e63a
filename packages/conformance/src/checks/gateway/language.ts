/** SEP-2792 at gateways: what passes, and what a cache tells apart. */
import { expect, NotApplicable } from '../../check.js';
import { expectResult, languageOf } from '../../runner/servers.js';
import { header } from '../../wire/exchange.js';
import { at, short } from '../../wire/json.js';
import { ACCEPT_LANGUAGE } from '../../wire/keys.js';
import { arrivedOf, expectArrived, type GatewayCheck, metaOf, pass, passList } from './trial.js';

const LANGUAGE = 'fr-CH, fr;q=0.9,en;q=0.50';

export const languageChecks: readonly GatewayCheck[] = [
  {
    id: 'language:forwarded',
    proves: ['LANG-52'],
    title: 'The preference reaches the upstream exactly as it was sent, or not at all',
    faults: ['language-rewrites'],
    run: async (trial) => {
      const passed = await pass(trial, 'check_meta', { language: LANGUAGE });
      const got = metaOf(arrivedOf(passed), ACCEPT_LANGUAGE);
      if (got === undefined) throw new NotApplicable('the gateway removes the preference, which is allowed');
      expectArrived(got === LANGUAGE, `"${LANGUAGE}" arrived as ${short(got)}`, passed);
    },
  },
  {
    id: 'language:upstream-header',
    proves: ['LANG-53'],
    title: 'Header and body agree towards the upstream',
    faults: ['language-stale-header', 'language-rewrites'],
    run: async (trial) => {
      if (trial.upstream === 'stdio') throw new NotApplicable('the upstream has no headers');
      const passed = await pass(trial, 'check_meta', { language: LANGUAGE });
      const arrived = arrivedOf(passed);
      const [lines, value] = [arrived.headers['accept-language'] ?? [], metaOf(arrived, ACCEPT_LANGUAGE)];
      const agree = lines.length === 0 || value === undefined || lines.join(', ') === value;
      expectArrived(agree, `towards the upstream the header says ${short(lines)}, the body ${short(value)}`, passed);
    },
  },
  {
    id: 'language:report',
    proves: ['LANG-52'],
    title: 'The reported language comes back as the upstream said it, in body and header',
    faults: ['language-relabels'],
    run: async (trial) => {
      const passed = await pass(trial, 'check_meta', { language: LANGUAGE });
      if (metaOf(arrivedOf(passed), ACCEPT_LANGUAGE) === undefined)
        throw new NotApplicable('the gateway removes the preference, which is allowed');
      const { exchange } = passed;
      const [body, sent] = [languageOf(exchange), header(exchange, 'content-language')];
      expect(body === undefined || body === 'fr', `the upstream reported fr, the caller got ${short(body)}`, exchange, [
        'answer',
        'result',
        '_meta',
      ]);
      expect(
        body === undefined || sent === undefined || sent === body,
        `the body says ${short(body)}, the header ${short(sent)}`,
        exchange,
        ['headers', 'content-language'],
      );
    },
  },
  {
    id: 'language:cache',
    proves: ['LANG-60', 'BASE-11'],
    title: 'A list in one language is never served for another',
    faults: ['language-cached'],
    run: async (trial) => {
      const removed = metaOf(arrivedOf(await pass(trial, 'check_meta', { language: 'fr' })), ACCEPT_LANGUAGE) === undefined;
      if (removed) throw new NotApplicable('the gateway removes the preference, which is allowed');
      for (const language of ['fr', 'de', 'fr']) {
        const { exchange } = await passList(trial, { language });
        const title = at(expectResult(exchange, 'tools/list'), 'tools', 0, 'title');
        expect(String(title).endsWith(`(${language})`), `asked for ${language}, the first title is ${short(title)}`, exchange, [
          'answer',
          'result',
          'tools',
          0,
        ]);
      }
    },
  },
];
