/** SEP-1809 on servers, by the fixture tool check_range: a phrase in, exact instants out. */
import { expect, NotApplicable } from '../../check.js';
import { dataOf, expectResult, resultOf, told } from '../../runner/servers.js';
import { type Exchange, header } from '../../wire/exchange.js';
import { at, isObject, type Message, short } from '../../wire/json.js';
import { CLIENT_CONTEXT } from '../../wire/keys.js';
import type { Ask } from '../../wire/session.js';
import type { ServerCheck, ServerTrial } from './trial.js';

interface Day {
  readonly context: Message;
  readonly start: string;
  readonly end: string;
  readonly phrase?: string;
}

const sibling = (trial: ServerTrial): boolean => trial.wire === 'seed';

const callRange = (trial: ServerTrial, phrase: string, ask: Ask): Promise<Exchange> => trial.peer.call('check_range', { phrase }, ask);

/** The context where this wire carries it; `hidden` stands in `_meta` beside it. */
function contextOn(trial: ServerTrial, context: Message, beside = sibling(trial), hidden?: Message): Ask {
  if (!beside) return { meta: { [CLIENT_CONTEXT]: context } };
  return { meta: hidden && { [CLIENT_CONTEXT]: hidden }, beside: { clientContext: context } };
}

async function expectRange(trial: ServerTrial, day: Day, beside = sibling(trial), hidden?: Message, language?: string): Promise<void> {
  const { context, phrase = 'today' } = day;
  const called = await callRange(trial, phrase, { ...contextOn(trial, context, beside, hidden), language });
  expectResult(called, `"${phrase}" with ${short(context)}`);
  const data = dataOf(called);
  expect(isObject(data), `check_range gave ${told(called)}`, called, ['answer', 'result']);
  for (const bound of ['start', 'end'] as const) {
    const given = at(data, bound);
    const same = typeof given === 'string' && Date.parse(given) === Date.parse(day[bound]);
    const observed = `"${phrase}" with ${short(context)}: expected ${bound} ${day[bound]}, got ${short(given)}`;
    expect(same, observed, called, ['answer', 'result', 'structuredContent', bound]);
  }
}

/** Faults of servers that look at no zone, or at no timestamp: most checks find them. */
const NEITHER = ['environment-ignores-zone', 'environment-own-clock'];

const NOW = '2026-06-10T23:30:00Z';
const VIENNA: Day = {
  context: { timezone: 'Europe/Vienna', currentTimestamp: NOW },
  start: '2026-06-10T22:00:00Z',
  end: '2026-06-11T22:00:00Z',
};
const ANGELES: Day = {
  context: { timezone: 'America/Los_Angeles', currentTimestamp: NOW },
  start: '2026-06-10T07:00:00Z',
  end: '2026-06-11T07:00:00Z',
};

/** A day by the offset of its timestamp, for a call without a zone. */
const FIXED: Day = {
  context: { currentTimestamp: '2026-06-10T22:30:00-05:00' },
  start: '2026-06-10T05:00:00Z',
  end: '2026-06-11T05:00:00Z',
};

export const environmentChecks: readonly ServerCheck[] = [
  {
    id: 'environment:zone',
    proves: ['CTX-07', 'CTX-08'],
    title: 'A relative day is read in the zone of the caller',
    faults: NEITHER,
    run: async (trial) => {
      await expectRange(trial, VIENNA);
      await expectRange(trial, ANGELES);
    },
  },
  {
    id: 'environment:now',
    proves: ['CTX-09'],
    title: 'The timestamp of the caller is now',
    faults: ['environment-own-clock', 'environment-no-fractions'],
    run: async (trial) => {
      const context = { timezone: 'UTC', currentTimestamp: '2019-03-05T10:00:00Z' };
      await expectRange(trial, { context, start: '2019-03-05T00:00:00Z', end: '2019-03-06T00:00:00Z' });
      const exact = { timezone: 'UTC', currentTimestamp: '2018-03-05T23:59:59.999+00:00' };
      await expectRange(trial, { context: exact, start: '2018-03-05T00:00:00Z', end: '2018-03-06T00:00:00Z' });
      await expectRange(trial, { context, phrase: 'yesterday', start: '2019-03-04T00:00:00Z', end: '2019-03-05T00:00:00Z' });
    },
  },
  {
    id: 'environment:changed-days',
    proves: ['CTX-24'],
    title: 'A day on which clocks change has its real length',
    faults: ['environment-24-hours', ...NEITHER],
    run: async (trial) => {
      for (const [timezone, currentTimestamp, start, end] of [
        ['Europe/Vienna', '2025-10-26T12:00:00+01:00', '2025-10-25T22:00:00Z', '2025-10-26T23:00:00Z'],
        ['Europe/Vienna', '2026-03-29T12:00:00+02:00', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
        ['Australia/Lord_Howe', '2026-04-05T12:00:00+10:30', '2026-04-04T13:00:00Z', '2026-04-05T13:30:00Z'],
        ['Africa/Cairo', '2025-04-25T12:00:00+03:00', '2025-04-24T22:00:00Z', '2025-04-25T21:00:00Z'],
      ] as const)
        await expectRange(trial, { context: { timezone, currentTimestamp }, start, end });
    },
  },
  {
    id: 'environment:next-day',
    proves: ['CTX-24'],
    title: 'Tomorrow is the next date, also if that is not 24 hours away',
    faults: ['environment-adds-24-hours', 'environment-24-hours', ...NEITHER],
    run: async (trial) => {
      const timezone = 'Europe/Vienna';
      const long = { timezone, currentTimestamp: '2025-10-26T00:30:00+02:00' };
      await expectRange(trial, { context: long, phrase: 'tomorrow', start: '2025-10-26T23:00:00Z', end: '2025-10-27T23:00:00Z' });
      const short = { timezone, currentTimestamp: '2026-03-30T00:30:00+02:00' };
      await expectRange(trial, { context: short, phrase: 'yesterday', start: '2026-03-28T23:00:00Z', end: '2026-03-29T22:00:00Z' });
    },
  },
  {
    id: 'environment:per-request',
    proves: ['BASE-02'],
    title: 'The context of an earlier request does not count later',
    faults: ['environment-sticky', 'environment-needs-zone', ...NEITHER],
    run: async (trial) => {
      await expectRange(trial, ANGELES);
      await expectRange(trial, FIXED);
    },
  },
  {
    id: 'environment:parallel',
    proves: ['CTX-07', 'CTX-08'],
    title: 'Calls that run at the same time keep their own context',
    faults: ['environment-global', ...NEITHER],
    run: async (trial) => {
      await Promise.all([VIENNA, ANGELES, VIENNA, ANGELES].map((day) => expectRange(trial, day)));
    },
  },
  {
    id: 'environment:no-object',
    proves: ['CTX-22'],
    title: 'A context that is no object counts as none, and the call goes on',
    faults: ['environment-breaks-on-text'],
    run: async (trial) => {
      for (const context of ['Europe/Vienna', ['Europe/Vienna'], 7, null])
        expectResult(await callRange(trial, 'today', { meta: { [CLIENT_CONTEXT]: context } }), `"today" with ${short(context)}`);
    },
  },
  {
    id: 'environment:bad-member',
    proves: ['CTX-22'],
    title: 'A bad member is dropped, the others hold, and the call goes on',
    faults: ['environment-refuses-bad', 'environment-drops-all', 'environment-reads-local-time', ...NEITHER],
    run: async (trial) => {
      for (const bad of [
        { locale: 'de_AT' },
        { locale: 7 },
        { userLocation: { country: 'Austria', coordinates: { latitude: 91, longitude: 0 } } },
      ])
        await expectRange(trial, { ...VIENNA, context: { ...VIENNA.context, ...bad } });
      // Without a usable zone the offset of the timestamp counts.
      for (const timezone of ['Mars/Olympus', '+02:00', 'W. Europe Standard Time', 3]) {
        const context = { timezone, currentTimestamp: '2026-06-11T01:30:00+02:00' };
        await expectRange(trial, { ...VIENNA, context });
      }
      // Without a usable timestamp the clock of the server counts, and that is past 2019.
      for (const currentTimestamp of ['2019-03-05T10:00:00', '2019-03-05', 1551780000]) {
        const context = { timezone: 'UTC', currentTimestamp };
        const called = await callRange(trial, 'today', contextOn(trial, context));
        expectResult(called, `"today" with ${short(context)}`);
        const start = at(dataOf(called), 'start');
        const own = !String(start).startsWith('2019');
        expect(own, `${short(context)} has no usable timestamp, and today starts at ${short(start)}`, called, ['answer', 'result']);
      }
    },
  },
  {
    id: 'environment:spelling',
    proves: ['CTX-23'],
    title: 'Zone names are read without case, and older names still work',
    faults: ['environment-case-sensitive', ...NEITHER],
    run: async (trial) => {
      await expectRange(trial, { ...VIENNA, context: { ...VIENNA.context, timezone: 'europe/vienna' } });
      const context = { timezone: 'Asia/Calcutta', currentTimestamp: NOW };
      await expectRange(trial, { context, start: '2026-06-10T18:30:00Z', end: '2026-06-11T18:30:00Z' });
    },
  },
  {
    id: 'environment:offset',
    proves: ['CTX-26'],
    title: 'A timestamp without a zone gives its offset to the day',
    faults: ['environment-needs-zone', 'environment-own-clock', 'environment-offset-minutes', 'environment-sticky'],
    run: async (trial) => {
      await expectRange(trial, FIXED);
      const context = { currentTimestamp: '2026-06-10T23:50:00-03:30' };
      await expectRange(trial, { context, start: '2026-06-10T03:30:00Z', end: '2026-06-11T03:30:00Z' });
    },
  },
  {
    id: 'environment:disagree',
    proves: ['CTX-27'],
    title: 'An offset that disagrees with the zone is no error: the instant stands, the zone draws the day',
    faults: ['environment-refuses-disagreement', ...NEITHER],
    run: (trial) =>
      expectRange(trial, { ...VIENNA, context: { timezone: 'Europe/Vienna', currentTimestamp: '2026-06-10T18:30:00-05:00' } }),
  },
  {
    id: 'environment:sibling',
    proves: ['CTX-21'],
    title: 'Context beside params is read too, and _meta wins over it',
    faults: ['environment-no-sibling', ...NEITHER],
    run: async (trial) => {
      await expectRange(trial, VIENNA, true);
      await expectRange(trial, { ...VIENNA, context: ANGELES.context }, true, VIENNA.context);
    },
  },
  {
    id: 'environment:repeated-hour',
    proves: ['CTX-25'],
    title: 'In an hour that the clock shows twice, the offset of the timestamp tells which one it is',
    faults: ['environment-forgets-offset', 'environment-own-clock'],
    run: async (trial) => {
      const context = { timezone: 'Europe/Vienna', currentTimestamp: '2025-10-26T02:30:00+02:00' };
      const known = resultOf(await callRange(trial, 'this hour', { meta: { [CLIENT_CONTEXT]: context } }));
      if (known === undefined || at(known, 'isError') === true) throw new NotApplicable('check_range does not know the phrase "this hour"');
      const phrase = 'this hour';
      await expectRange(trial, { context, phrase, start: '2025-10-26T00:00:00Z', end: '2025-10-26T01:00:00Z' });
      const later = { ...context, currentTimestamp: '2025-10-26T02:30:00+01:00' };
      await expectRange(trial, { context: later, phrase, start: '2025-10-26T01:00:00Z', end: '2025-10-26T02:00:00Z' });
    },
  },
  {
    id: 'environment:language-apart',
    proves: ['LANG-09', 'LANG-13'],
    title: 'A preference of language says nothing about the place or the zone of the user',
    faults: ['environment-zone-from-language', 'environment-ignores-zone', 'environment-own-clock'],
    run: async (trial) => {
      for (const language of ['en-US', 'en-AU']) await expectRange(trial, VIENNA, sibling(trial), undefined, language);
    },
  },
  {
    id: 'environment:format',
    proves: ['CTX-10', 'CTX-29'],
    title: 'Numbers are written as the locale writes them, with the digits it names',
    faults: ['environment-ignores-locale', 'environment-ignores-extensions'],
    run: async (trial) => {
      if (!trial.observed.tools.has('check_format')) throw new NotApplicable('the fixture tool check_format is not listed');
      for (const [locale, written] of [
        ['en-US', /^1,234\.5/],
        ['de-DE', /^1\.234,5/],
        ['hi-IN-u-nu-deva', /^१,२३४\.५/],
      ] as const) {
        const context = { [CLIENT_CONTEXT]: { locale } };
        const called = await trial.peer.call('check_format', { number: 1234.5 }, { meta: context });
        const text = at(dataOf(called), 'text');
        const path = ['answer', 'result', 'structuredContent', 'text'];
        expect(typeof text === 'string' && written.test(text), `1234.5 in ${locale} is ${short(text)}`, called, path);
      }
    },
  },
  {
    id: 'environment:not-shared',
    proves: ['CTX-32'],
    title: 'An answer that used the context of a caller is not for shared caches',
    faults: ['environment-public'],
    transports: ['http'],
    run: async (trial) => {
      const called = await callRange(trial, 'today', { meta: { [CLIENT_CONTEXT]: VIENNA.context } });
      const control = header(called, 'cache-control') ?? '';
      const shared = /\b(public|s-maxage)\b/i.test(control) || at(resultOf(called), 'cacheScope') === 'public';
      expect(!shared, `Cache-Control is ${short(control)}`, called, ['headers', 'cache-control']);
    },
  },
];
