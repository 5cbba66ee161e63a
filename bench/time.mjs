// @ts-check
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as chrono from 'chrono-node';
import { Temporal } from 'temporal-polyfill';
import { isValidTimeZone } from 'waybill/adapter';
import { day, range } from '@waybill/time';
import { cpuTime, paired } from './harness.mjs';

/**
 * Recognition: phrases that both sides understand, read at 256 different moments of a week. Ours gives an interval of instants in the user's
 * zone, the peer a moment on the server's clock, so the peer does less. Intervals: a day in one of twelve zones, beside Temporal's own start
 * of one; "days not seen before" gives every remembered offset and boundary the least chance, with 20,000 days in sixty zones.
 */

/** @type {Record<string, { peer: { parse(text: string, at: Date): unknown[] }, phrases: string[] }>} */
const LANGUAGES = {
  English: {
    peer: chrono.en.casual,
    phrases: [
      'tomorrow',
      'yesterday',
      'last week',
      'sales last month by region',
      'next Friday at 3pm',
      'March 3rd 2015',
      '3 weeks ago',
      'in two weeks',
    ],
  },
  German: {
    peer: chrono.de.casual,
    phrases: ['morgen', 'gestern', 'letzte Woche', 'Umsatz im nächsten Monat', '3. März 2015', 'vor 3 Wochen', 'in zwei Wochen'],
  },
  French: {
    peer: chrono.fr.casual,
    phrases: ['demain', 'hier', 'la semaine dernière', 'les ventes du mois prochain', 'le 3 mars 2015', 'il y a 3 semaines'],
  },
  Spanish: { peer: chrono.es.casual, phrases: ['mañana', 'ayer', 'hoy', '3 de marzo de 2015', 'en 3 semanas'] },
};
const LOCALES = { English: 'en-GB', German: 'de-DE', French: 'fr-FR', Spanish: 'es-ES' };
const MONDAY = Date.parse('2026-03-16T00:00:00Z');
const moments = Array.from({ length: 256 }, (_, i) => MONDAY + i * 2_362_500);
const dates = moments.map((moment) => new Date(moment));

/** @type {unknown} */
export let sink;

/** @param {keyof typeof LOCALES} language @returns {import('./harness.mjs').Row} */
function recognition(language) {
  const { peer, phrases } = /** @type {(typeof LANGUAGES)[string]} */ (LANGUAGES[language]);
  const options = moments.map((now) => ({ now, timezone: 'Europe/Vienna', locale: LOCALES[language] }));
  /** @param {number} i */
  const phrase = (i) => /** @type {string} */ (phrases[i % phrases.length]);
  /** @param {number} i */
  const ours = (i) => range(phrase(i), /** @type {(typeof options)[number]} */ (options[i & 255]));
  /** @param {number} i */
  const theirs = (i) => peer.parse(phrase(i), /** @type {Date} */ (dates[i & 255]));
  return {
    name: `time: recognition, ${language}`,
    peer: 'chrono-node',
    ratio: language === 'English' ? 'ours/peer' : 'peer/ours',
    target: language === 'English' ? 1 : 2,
    check: () => phrases.every((_, i) => ours(i) !== undefined && theirs(i).length === 1),
    arms: {
      ours: (n) => {
        for (let i = 0; i < n; i++) sink = ours(i);
      },
      peer: (n) => {
        for (let i = 0; i < n; i++) sink = theirs(i);
      },
    },
  };
}

const ZONES =
  'Europe/Vienna America/New_York Asia/Tokyo Africa/Cairo Australia/Lord_Howe America/Havana Asia/Kolkata Pacific/Apia UTC America/Sao_Paulo Asia/Kathmandu Europe/London'.split(
    ' ',
  );

/** @param {string} name @param {string[]} zones @param {number} days @returns {import('./harness.mjs').Row} */
function interval(name, zones, days) {
  /** @param {number} i */
  const zoneAt = (i) => /** @type {string} */ (zones[i % zones.length]);
  const next = { ours: 0, peer: 0 }; // each batch goes on where the last one stopped
  /** @param {number} i */
  const nowAt = (i) => MONDAY - ((i * 7919) % days) * 86_400_000 + 43_200_000;
  /** @param {number} i */
  const ours = (i) => day({ now: nowAt(i), timezone: zoneAt(i), locale: 'en-GB' });
  /** @param {number} i */
  const theirs = (i) => Temporal.Instant.fromEpochMilliseconds(nowAt(i)).toZonedDateTimeISO(zoneAt(i)).startOfDay();
  return {
    name: `time: interval, ${name}`,
    peer: 'Temporal start of day',
    ratio: 'ours/peer',
    target: 2.5,
    check: () => Array.from({ length: 500 }, (_, i) => i).every((i) => ours(i).start.epochMilliseconds === theirs(i).epochMilliseconds),
    arms: {
      ours: (n) => {
        for (const last = next.ours + n; next.ours < last; next.ours++) sink = ours(next.ours);
      },
      peer: (n) => {
        for (const last = next.peer + n; next.peer < last; next.peer++) sink = theirs(next.peer);
      },
    },
  };
}

/** A fresh process that runs a few lines and tells what they cost. @param {string} code */
function fresh(code) {
  const script = `
    const start = process.cpuUsage();
    ${code}
    const { user, system } = process.cpuUsage(start);
    globalThis.gc(); globalThis.gc();
    console.log(JSON.stringify({ cpu: user + system, heap: process.memoryUsage().heapUsed }));`;
  const child = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    encoding: 'utf8',
  });
  if (child.status !== 0) throw new Error(child.stderr);
  return /** @type {{ cpu: number, heap: number }} */ (JSON.parse(child.stdout));
}

const NINE = { de: 'gestern', en: 'yesterday', es: 'ayer', fr: 'hier', it: 'ieri', ja: '昨日', nl: 'gisteren', pt: 'ontem', zh: '昨天' };
/** @param {Record<string, string>} phrases */
const first = (phrases) => `
  const { range } = await import('@waybill/time');
  for (const [locale, text] of Object.entries(${JSON.stringify(phrases)}))
    if (!range(text, { now: 1774000000000, timezone: 'UTC', locale })) throw new Error(text);`;
const PEER_FIRST = `
  const chrono = await import('chrono-node');
  if (chrono.de.parse('gestern', new Date(1774000000000)).length !== 1) throw new Error('gestern');`;

/** @param {string} name @param {Record<string, string>} phrases @returns {import('./harness.mjs').Row} */
const loading = (name, phrases) => ({
  name: `time: load and first answer, ${name}`,
  peer: 'chrono-node, one',
  ratio: 'ours/peer',
  target: 1,
  measure: async ({ quick }) => {
    const rounds = Array.from({ length: quick ? 3 : 15 }, () => ({ ours: fresh(first(phrases)).cpu, peer: fresh(PEER_FIRST).cpu }));
    const figures = paired(
      rounds.map(({ ours }) => ours),
      rounds.map(({ peer }) => peer),
      'ours/peer',
    );
    return { ...figures, rounds: rounds.length };
  },
});

/** A megabyte of ordinary sentences with one phrase at its end. */
const PROSE = `${Array.from({ length: 20_000 }, (_, i) => `Order ${i} of the warehouse was checked by hand as usual.`)
  .join(' ')
  .slice(0, 999_980)} due tomorrow.`;

const BUDGET = 10_000_000;

export const title = 'Time: phrases to intervals';

/** @type {import('./harness.mjs').Row[]} */
export const rows = [
  recognition('English'),
  recognition('German'),
  recognition('French'),
  recognition('Spanish'),
  interval('days of a week', ZONES, 7),
  interval(
    'days not seen before',
    Intl.supportedValuesOf('timeZone').filter((_, i) => i % 7 === 0),
    20_000,
  ),
  {
    name: 'time: zone validation',
    peer: 'new Intl.DateTimeFormat',
    ratio: 'peer/ours',
    target: 500,
    check: () => isValidTimeZone('Europe/Vienna') && !isValidTimeZone('Europe/Wien'),
    arms: {
      ours: (n) => {
        for (let i = 0; i < n; i++) sink = isValidTimeZone(/** @type {string} */ (ZONES[i % ZONES.length]));
      },
      peer: (n) => {
        for (let i = 0; i < n; i++) sink = new Intl.DateTimeFormat('en', { timeZone: ZONES[i % ZONES.length] });
      },
    },
  },
  {
    name: 'time: 1 MB of prose in English, ms',
    peer: 'a limit of 100 ms',
    ratio: 'ours/peer',
    target: 1,
    measure: async ({ quick }) => {
      const options = { now: MONDAY, timezone: 'Europe/Vienna', locale: 'en-GB' };
      const read = () => {
        const start = cpuTime();
        if (range(PROSE, options) === undefined) throw new Error('the phrase was not found');
        return (cpuTime() - start) / 1000;
      };
      for (let warm = 0; warm < 3; warm++) read();
      const times = Array.from({ length: quick ? 5 : 25 }, read);
      return {
        ...paired(
          times,
          times.map(() => 100),
          'ours/peer',
        ),
        rounds: times.length,
        unit: 'ms',
      };
    },
  },
  loading('one language', { de: 'gestern' }),
  loading('nine languages', NINE),
  {
    // Heap in bytes, not µs: nine grammars in use, less the library and Temporal alone.
    name: 'time: memory of nine languages, bytes',
    peer: 'a budget of 10 MB',
    ratio: 'ours/peer',
    target: 1,
    measure: async () => {
      const none = fresh(`const { day } = await import('@waybill/time'); day({ now: 1774000000000, timezone: 'UTC', locale: 'en' });`).heap;
      const ours = fresh(first(NINE)).heap - none;
      return { ...paired([ours], [BUDGET], 'ours/peer'), unit: 'bytes' };
    },
  },
];
