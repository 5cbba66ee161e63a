import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as time from '@waybill/time';
import { CLIENT_CONTEXT, ACCEPT_LANGUAGE, OPENAI_LOCALE, OPENAI_LOCATION } from '../../wire/keys.js';
import { checkOptions } from '../check.js';
import type { RequestEnvironment } from '../context.js';
import type { ServerContextOptions } from '../options.js';
import { partsOf } from '../parts.js';
import { createLayer } from '../layer.js';
import { IncomingRequest } from '../request.js';
import type { TimeOptions } from '../time.js';

const CLOCK = Date.parse('2026-03-10T12:00:00Z');
const KEYS = { timezone: 'timezone', now: 'currentTimestamp', locale: 'locale', location: 'userLocation' } as const;

/** Returns the environment that a handler sees for a request with these members, and a language. */
function seen(
  given: Partial<Record<keyof typeof KEYS, unknown>> | undefined,
  options: ServerContextOptions = {},
  meta: object = {},
): RequestEnvironment {
  const context = given && Object.fromEntries(Object.entries(given).map(([name, value]) => [KEYS[name as keyof typeof KEYS], value]));
  const all = { clock: () => CLOCK, ...options };
  const layer = createLayer(all, partsOf(all));
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { _meta: { ...(context && { [CLIENT_CONTEXT]: context }), ...meta } },
  };
  return new IncomingRequest(layer, message, undefined).context.environment;
}

describe('the environment of a handler', () => {
  it('CTX-07, CTX-09: the values of the client are used, and given has exactly those', () => {
    const { now, timezone, locale, location, given, clock } = seen({
      ...{ timezone: 'Europe/Vienna', now: '2026-03-10T13:00:01+01:00', locale: 'de-AT' },
      location: { city: 'Wien', country: 'AT' },
    });
    expect([now.text, now.epochMilliseconds, timezone, locale, location, clock]).toEqual([
      '2026-03-10T13:00:01+01:00',
      CLOCK + 1000,
      'Europe/Vienna',
      'de-AT',
      { city: 'Wien', country: 'AT' },
      'client',
    ]);
    expect(given).toEqual({ timezone, now, locale, location });
  });

  it('CTX-12: without values there are honest defaults: the server’s clock, UTC or the zone of the options, and no location', () => {
    const { now, timezone, locale, location, given, skew, disagrees, clock } = seen(undefined);
    expect([now, timezone, locale, location, given, skew, disagrees, clock]).toEqual([
      { text: '2026-03-10T12:00:00.000Z', epochMilliseconds: CLOCK, offsetMinutes: 0 },
      ...['UTC', 'en', undefined, {}, undefined, false, 'server'],
    ]);
    const own = seen(undefined, { environment: { timezone: 'Asia/Tokyo', locale: 'ja-JP' } });
    expect([own.timezone, own.locale, own.given]).toEqual(['Asia/Tokyo', 'ja-JP', {}]);
  });

  it.each([
    ['CTX-26: a timestamp alone fixes the offset', { now: '2026-03-10T14:00:00+02:00' }, '+02:00'],
    ['CTX-26: west of Greenwich', { now: '2026-03-10T08:30:00-03:30' }, '-03:30'],
    ['CTX-26: Z is UTC', { now: '2026-03-10T12:00:00Z' }, 'UTC'],
    ['CTX-26: an unknown offset says nothing about the zone', { now: '2026-03-10T12:00:00-00:00' }, 'America/Lima'],
    ['CTX-08: a zone beside it wins', { now: '2026-03-10T14:00:00+02:00', timezone: 'Asia/Calcutta' }, 'Asia/Calcutta'],
  ])('%s', (_, given, zone) => {
    expect(seen(given, { environment: { timezone: 'America/Lima' } }).timezone).toBe(zone);
  });

  it('CTX-26: a zone alone uses the server’s clock', () => {
    const { now, clock, skew } = seen({ timezone: 'Asia/Tokyo' });
    expect([now.epochMilliseconds, clock, skew]).toEqual([CLOCK, 'server', undefined]);
  });

  it.each([
    ['an offset the zone does not have at that instant', '2026-03-10T12:00:00+02:00', 'Europe/Vienna', true],
    ['the one it has', '2026-03-10T13:00:00+01:00', 'Europe/Vienna', false],
    ['the offset it has in summer', '2026-07-10T13:00:00+02:00', 'Europe/Vienna', false],
    ['a clock that writes UTC', '2026-03-10T12:00:00Z', 'Europe/Vienna', false],
  ])('CTX-27: %s is a flag, never an error, and the instant stays', (_, now, timezone, disagrees) => {
    const face = seen({ now, timezone });
    expect([face.disagrees, face.timezone, face.now.text]).toEqual([disagrees, timezone, now]);
  });

  it('CTX-28, D-17: skew is reported; beyond the bound the server’s clock is used, and given still has the client’s', () => {
    const given = { now: '2026-03-10T12:10:00Z' };
    expect([seen(given).skew, seen(given).clock]).toEqual([600_000, 'client']);
    const options = { environment: { maxSkew: 300_000 } };
    const { now, clock, skew, given: told } = seen(given, options);
    expect([now.epochMilliseconds, clock, skew, told.now?.text]).toEqual([CLOCK, 'server', 600_000, given.now]);
    expect(seen({ now: '2026-03-10T12:05:00Z' }, options).clock).toBe('client');
    expect(seen({ now: '2026-03-10T11:54:59Z' }, options).clock).toBe('server');
  });

  it('one request has one now', () => {
    let ticks = CLOCK;
    const face = seen({ now: '2026-03-10T12:00:00Z' }, { clock: () => (ticks += 1000), environment: { maxSkew: 0 } });
    expect([face.now.epochMilliseconds, face.skew, face.now.epochMilliseconds]).toEqual([CLOCK + 1000, -1000, CLOCK + 1000]);
  });

  describe('D-18, IX-04: language and locale', () => {
    const languages = ['en', 'de', 'fr'];
    it.each([
      ['a locale alone formats, and chooses no words', { locale: 'de-AT' }, undefined, 'de-AT'],
      ['a language alone seeds the format', {}, 'fr-CH, fr;q=0.9', 'fr'],
      ['each goes its own way', { locale: 'de-AT' }, 'fr', 'de-AT'],
      ['a language that the server does not have formats as the user writes it', {}, 'ja', 'en'],
      ['neither: the server’s own', {}, undefined, 'en'],
    ])('%s', (_, given, language, locale) => {
      expect(seen(given, { languages }, language === undefined ? {} : { [ACCEPT_LANGUAGE]: language }).locale).toBe(locale);
    });

    it('a server without languages takes the first preference that is a locale', () => {
      expect(seen({}, {}, { [ACCEPT_LANGUAGE]: '*, fr-CH;q=0.9, de;q=0.1' }).locale).toBe('fr-CH');
    });

    it.each(['i-klingon', 'x-pirate', 'zh-cmn-Hans'])('a language without formats of its own, %s, leaves the default', (tag) => {
      for (const languages of [
        ['de', tag],
        [tag, 'de'],
      ]) {
        const environment = seen({ now: '2026-03-10T13:00:00Z' }, { languages, time }, { [ACCEPT_LANGUAGE]: tag });
        expect(environment.locale).toBe('de');
        expect(environment.range('yesterday')).toBeDefined();
      }
      expect(seen({}, { languages: [tag] }).locale).toBe('en');
    });

    it('reading the locale claims no language', () => {
      const options = { languages };
      const layer = createLayer(options, partsOf(options));
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { _meta: { [ACCEPT_LANGUAGE]: 'fr' } } };
      const call = new IncomingRequest(layer, message, undefined);
      expect([call.context.environment.locale, call.answer.language.tags]).toEqual(['fr', undefined]);
      expect([call.context.language.chosen, call.answer.language.tags]).toEqual(['fr', 'fr']);
    });
  });

  it('D-03: vendor dialects are hints if they are switched on', () => {
    const meta = { [OPENAI_LOCALE]: 'de-AT', [OPENAI_LOCATION]: { timezone: 'Europe/Vienna', city: 'Graz' } };
    expect(seen(undefined, {}, meta).timezone).toBe('UTC');
    const { timezone, locale, location } = seen(undefined, { dialects: ['openai'] }, meta);
    expect([timezone, locale, location]).toEqual(['Europe/Vienna', 'de-AT', { city: 'Graz' }]);
  });

  it('D-03: the key is configurable', () => {
    const meta = { 'example.test/where': { timezone: 'Asia/Tokyo' } };
    expect(seen(undefined, { environmentKey: 'example.test/where' }, meta).timezone).toBe('Asia/Tokyo');
  });

  it('CTX-22: for any input every member is present and of its type', () => {
    fc.assert(
      fc.property(fc.record({ timezone: fc.anything(), now: fc.anything(), locale: fc.anything(), location: fc.anything() }), (given) => {
        const { now, timezone, locale, disagrees, clock } = seen(given);
        expect([typeof now.epochMilliseconds, typeof timezone, typeof locale, typeof disagrees, typeof clock]).toEqual([
          ...['number', 'string', 'string', 'boolean', 'string'],
        ]);
      }),
    );
  });
});

describe('environment.range', () => {
  const text = (given: object, phrase: string, meta: object = {}, options: ServerContextOptions = {}): string => {
    const found = seen(given, { time, ...options }, meta).range(phrase);
    return found === undefined ? 'none' : `${String(found.start?.toInstant())} ${String(found.end?.toInstant())}`;
  };

  it('CTX-08: range reads relative expressions in the user’s zone, from the user’s now', () => {
    const given = { timezone: 'Asia/Tokyo', now: '2026-03-01T00:30:00+09:00', locale: 'en-US' };
    expect(text(given, 'last month')).toBe('2026-01-31T15:00:00Z 2026-02-28T15:00:00Z');
    expect(text({ ...given, timezone: 'UTC' }, 'last month')).toBe('2026-01-01T00:00:00Z 2026-02-01T00:00:00Z');
  });

  it('range reads the user’s locale, then the language of the answer, then English', () => {
    const given = { timezone: 'UTC', now: '2026-03-10T12:00:00Z', locale: 'de-AT' };
    const march = '2026-02-01T00:00:00Z 2026-03-01T00:00:00Z';
    const options = { languages: ['en', 'fr'] };
    expect(text(given, 'letzter Monat')).toBe(march);
    expect(text(given, 'le mois dernier')).toBe('none');
    expect(text(given, 'le mois dernier', { [ACCEPT_LANGUAGE]: 'fr' }, options)).toBe(march);
    expect(text(given, 'last month', { [ACCEPT_LANGUAGE]: 'fr' }, options)).toBe(march);
  });

  it('range reads a language that was asked for, also if the server has no texts in it', () => {
    const given = { timezone: 'Asia/Tokyo', now: '2026-03-10T12:00:00+09:00' };
    const yesterday = '2026-03-08T15:00:00Z 2026-03-09T15:00:00Z';
    const options = { languages: ['en', 'fr'] };
    expect(text(given, '昨日', { [ACCEPT_LANGUAGE]: '*;q=0.1, ja' }, options)).toBe(yesterday);
    expect(text(given, '昨日', { [ACCEPT_LANGUAGE]: 'ja;q=0, ko' }, options)).toBe('none');
    expect(text(given, 'yesterday', { [ACCEPT_LANGUAGE]: 'ja' }, options)).toBe(yesterday);
  });

  it('range reads a language the server offers, if it covers the whole text', () => {
    const given = { timezone: 'UTC', now: '2026-03-10T12:00:00Z', locale: 'de-AT' };
    const february = '2026-02-01T00:00:00Z 2026-03-01T00:00:00Z';
    const options = { languages: ['en', 'fr', 'es'] };
    expect(text(given, 'le mois dernier', {}, options)).toBe(february);
    expect(text(given, '« le mois dernier »', {}, options)).toBe(february);
    expect(text(given, 'el mes pasado', { [ACCEPT_LANGUAGE]: 'de' }, options)).toBe(february);
    expect(text(given, 'ventes le mois dernier', {}, options)).toBe('none');
    expect(text(given, 'mese scorso', {}, options)).toBe('none');
    // English is always tried, and may stand inside a longer text.
    expect(text(given, 'sales last month', {}, { languages: ['fr', 'es'] })).toBe(february);
  });

  it('range gives nothing if two offered languages read the text differently', () => {
    const given = { timezone: 'UTC', now: '2026-03-10T12:00:00Z', locale: 'ja-JP' };
    const reads = (days: Record<string, number>) => ({
      range(_: string, { locale, ...when }: TimeOptions) {
        const ago = days[new Intl.Locale(locale).language];
        return ago === undefined ? undefined : time.range(`${String(ago)} days ago`, { ...when, locale: 'en' });
      },
    });
    const languages = ['ja', 'da', 'nb'];
    expect(text(given, 'x', {}, { languages, time: reads({ da: 1, nb: 2 }) })).toBe('none');
    expect(text(given, 'x', {}, { languages, time: reads({ da: 1, en: 2 }) })).toBe('none');
    expect(text(given, 'x', {}, { languages, time: reads({ da: 1, nb: 1 }) })).toBe('2026-03-09T00:00:00Z 2026-03-10T00:00:00Z');
    expect(text(given, 'x', {}, { languages, time: reads({ ja: 3, da: 1, nb: 2 }) })).toBe('2026-03-07T00:00:00Z 2026-03-08T00:00:00Z');
  });

  it('range tries only a few of the languages that a peer names', () => {
    const tried: string[] = [];
    const reading = { range: (_: string, { locale }: TimeOptions) => void tried.push(locale) };
    const languages = 'de, fr, it, es, nl, pt, ja, zh, ko, pl, cs, sv, da, fi, hu, el';
    expect(seen({}, { time: reading }, { [ACCEPT_LANGUAGE]: languages }).range('gestern')).toBeUndefined();
    expect(tried).toEqual(['de', 'fr-DE', 'it-DE', 'es-DE', 'en-DE', 'en-DE']);
  });

  it('a date without a year follows the sentence, then the call, then the server, then the nearest', () => {
    const given = { timezone: 'UTC', now: '2026-03-18T12:00:00Z', locale: 'en-GB' };
    const environment = { now: () => CLOCK, prefer: 'past' } as const;
    const may = (year: number): string => `${year}-05-01T00:00:00Z ${year}-06-01T00:00:00Z`;
    expect(text(given, 'sales in May')).toBe(may(2026));
    expect(text(given, 'sales in May', {}, { environment })).toBe(may(2025));
    expect(text(given, 'it will ship in May', {}, { environment })).toBe(may(2026));
    expect(String(seen(given, { time, environment }).range('May', { prefer: 'future' })?.start?.toInstant())).toBe('2026-05-01T00:00:00Z');
    expect(() => checkOptions({ environment: { prefer: 'soon' as 'past' } })).toThrow('environment.prefer');
  });

  it('D-13: nothing can be counted from a clock outside the calendar', () => {
    for (const now of ['9999-12-31T23:59:59Z', '0000-01-01T00:00:00Z']) expect(text({ now }, 'yesterday')).toBe('none');
  });

  it('range keeps the user’s first day of the week for every language of the phrase', () => {
    const at = (locale: string): string => text({ timezone: 'UTC', now: '2026-03-11T12:00:00Z', locale }, 'this week');
    expect(at('de-AT')).toBe('2026-03-09T00:00:00Z 2026-03-16T00:00:00Z');
    expect(at('es-US')).toBe('2026-03-08T00:00:00Z 2026-03-15T00:00:00Z');
  });

  it('range is undefined for a text without a time, and throws an error that names the missing option', () => {
    expect(text({}, 'the quick brown fox')).toBe('none');
    expect(() => seen({}).range('today')).toThrow('@waybill/time');
  });
});
