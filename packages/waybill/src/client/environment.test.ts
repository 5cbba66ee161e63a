import { describe, expect, it } from 'vitest';
import { modern, NOW, rig } from '../../../../test/support/client-rig.js';
import { CLIENT_CONTEXT, OPENAI_LOCATION } from '../wire/keys.js';
import { clientContext } from './index.js';

const STAMP = '2026-10-25T02:30:00.123+02:00';
const place = { city: 'Wien', region: 'Wien', country: 'AT', coordinates: { latitude: 48.20817, longitude: 16.37382 } };

describe('the environment of a tool call', () => {
  it('CTX-02: a call carries zone and locale of the platform, and the user’s clock with the offset of that zone', async () => {
    const { metaOf } = rig();
    expect((await metaOf('tools/call', { name: 'x' }))[CLIENT_CONTEXT]).toEqual({
      timezone: 'Europe/Vienna',
      currentTimestamp: STAMP,
      locale: 'de-AT',
    });
  });

  it('CTX-20: the environment stands under the configured key', async () => {
    const { metaOf } = rig({ environmentKey: 'com.example/env' });
    expect(await metaOf('tools/call', { name: 'x' })).toMatchObject({ 'com.example/env': { timezone: 'Europe/Vienna' } });
  });

  it.each(['tools/list', 'initialize', 'resources/read', 'prompts/get'])(
    'CTX-16: only tool calls carry the environment, unless configured: %s',
    async (method) => {
      expect(await rig().metaOf(method, modern())).not.toHaveProperty([CLIENT_CONTEXT]);
      expect(await rig({ environmentEverywhere: true }).metaOf(method, modern())).toHaveProperty([CLIENT_CONTEXT]);
    },
  );

  it('CTX-13: each call carries the time of that call', async () => {
    let now = NOW;
    const { metaOf } = rig({ clock: () => now });
    const stamps = [];
    for (const step of [0, 1, 998, 60_000, 30 * 60_000, 60 * 60_000]) {
      now += step;
      stamps.push((await metaOf('tools/call'))[CLIENT_CONTEXT].currentTimestamp);
    }
    // The last two times lie on either side of the hour that occurs twice.
    expect(stamps).toEqual([
      '2026-10-25T02:30:00.123+02:00',
      '2026-10-25T02:30:00.124+02:00',
      '2026-10-25T02:30:01.122+02:00',
      '2026-10-25T02:31:01.122+02:00',
      '2026-10-25T02:01:01.122+01:00',
      '2026-10-25T03:01:01.122+01:00',
    ]);
  });

  it('CTX-13: a change of the platform is noticed within a second, and the platform is not asked more often', async () => {
    let [now, reads, timezone] = [NOW, 0, 'Europe/Vienna'];
    const { metaOf, waybill } = rig({ clock: () => now, platform: () => (reads++, { timezone, locale: 'de-AT' }) });
    const zone = async (): Promise<string> => (await metaOf('tools/call'))[CLIENT_CONTEXT].timezone;
    expect(await zone()).toBe('Europe/Vienna');
    timezone = 'Asia/Tokyo';
    now += 999;
    expect([await zone(), reads]).toEqual(['Europe/Vienna', 1]);
    now += 1;
    expect([await zone(), reads]).toEqual(['Asia/Tokyo', 2]);
    timezone = 'America/Lima';
    waybill.update({});
    expect([await zone(), reads]).toEqual(['America/Lima', 3]);
    now -= 3_600_000;
    timezone = 'UTC';
    expect(await zone()).toBe('UTC');
  });

  it.each([
    [
      'a zone that is none',
      { timezone: 'Etc/Unknown', locale: 'de-AT' },
      { locale: 'de-AT', currentTimestamp: '2026-10-25T00:30:00.123Z' },
    ],
    ['a locale that is none', { timezone: 'UTC', locale: 'de_AT' }, { timezone: 'UTC', currentTimestamp: '2026-10-25T00:30:00.123+00:00' }],
    ['nothing', {}, { currentTimestamp: '2026-10-25T00:30:00.123Z' }],
  ])('wrong values of the platform are not sent: %s', async (_what, platform, expected) => {
    const { metaOf, issues } = rig({ platform: () => platform });
    expect((await metaOf('tools/call'))[CLIENT_CONTEXT]).toEqual(expected);
    expect(issues).toEqual([]);
  });

  it.each([
    [
      'by hand',
      { timezone: 'Asia/Tokyo', locale: 'ja' },
      { timezone: 'Asia/Tokyo', locale: 'ja', currentTimestamp: '2026-10-25T09:30:00.123+09:00' },
    ],
    ['the zone is not sent, so no offset either', { timezone: null }, { locale: 'de-AT', currentTimestamp: '2026-10-25T00:30:00.123Z' }],
    ['no clock', { now: null }, { timezone: 'Europe/Vienna', locale: 'de-AT' }],
    [
      'another moment',
      { now: '2026-01-01T00:00:00+01:00' },
      { timezone: 'Europe/Vienna', locale: 'de-AT', currentTimestamp: '2026-01-01T00:00:00+01:00' },
    ],
    [
      'functions',
      { timezone: (): string => 'UTC', locale: (): Promise<string> => Promise.resolve('fr'), now: (): null => null },
      { timezone: 'UTC', locale: 'fr' },
    ],
    [
      'automatic in so many words',
      { timezone: 'auto', locale: 'auto', now: 'auto' },
      { timezone: 'Europe/Vienna', locale: 'de-AT', currentTimestamp: STAMP },
    ],
    [
      'a function that knows nothing',
      { timezone: (): undefined => undefined },
      { timezone: 'Europe/Vienna', locale: 'de-AT', currentTimestamp: STAMP },
    ],
  ])('each member may be given: %s', async (_what, environment, expected) => {
    const { metaOf, issues } = rig({ environment });
    expect((await metaOf('tools/call'))[CLIENT_CONTEXT]).toEqual(expected);
    expect(issues).toEqual([]);
  });

  it('an environment of null sends nothing', async () => {
    expect(await rig({ environment: null }).metaOf('tools/call')).not.toHaveProperty([CLIENT_CONTEXT]);
  });

  it('update() and run() change members and leave the others', async () => {
    const { metaOf, waybill } = rig({ environment: { timezone: 'Asia/Tokyo', locale: 'ja' } });
    waybill.update({ environment: { timezone: 'UTC' } });
    expect((await metaOf('tools/call'))[CLIENT_CONTEXT]).toMatchObject({ timezone: 'UTC', locale: 'ja' });
    const run = await waybill.run({ environment: { locale: 'fr' } }, () => metaOf('tools/call'));
    expect(run[CLIENT_CONTEXT]).toMatchObject({ timezone: 'UTC', locale: 'fr' });
  });

  it.each([
    [
      'threw',
      {
        timezone: () => {
          throw new Error('no');
        },
      },
      'environment.timezone',
    ],
    ['gave no zone', { timezone: () => 'Mars/Olympus' }, `${CLIENT_CONTEXT}.timezone`],
    ['gave no locale', { locale: () => 7 }, `${CLIENT_CONTEXT}.locale`],
    ['gave no moment', { now: () => 'yesterday' }, 'environment.now'],
  ])('a function that %s is reported once for each value, and the rest is sent', async (_what, environment, key) => {
    const { metaOf, issues } = rig({ environment } as never);
    expect(await metaOf('tools/call')).toHaveProperty([CLIENT_CONTEXT]);
    expect(issues).toMatchObject([{ concern: 'environment', key }]);
  });

  it.each([
    [{ timezone: 'Mars/Olympus' }, RangeError, 'environment.timezone: expected an IANA time zone, got "Mars/Olympus"'],
    [{ timezone: 5 }, TypeError, 'environment.timezone: expected a text'],
    [{ locale: 'de_AT' }, RangeError, 'environment.locale: expected a BCP 47 language tag'],
    [{ now: 'yesterday' }, RangeError, 'environment.now: expected an RFC 3339 timestamp'],
    [{ location: { country: 'Austria' } }, RangeError, 'environment.location.country: is not a country code'],
    [{ location: { foo: 1 } }, TypeError, 'environment.location.foo: unknown option; expected one of city, region, country'],
    [{ location: { latitude: 200 } }, TypeError, 'environment.location.latitude: unknown option'],
    [{ location: { coordinates: { lat: 1 } } }, TypeError, 'environment.location.coordinates.lat: unknown option'],
    [{ location: { coordinates: { latitude: 200 } } }, RangeError, 'environment.location.coordinates.latitude: is not a number from'],
    [{ location: { coordinates: 'here' } }, RangeError, 'environment.location.coordinates: is not an object'],
    [{ location: { city: 'Wien', precision: 'street' } }, RangeError, 'environment.location.precision: expected one of'],
    [{ location: 7 }, TypeError, 'environment.location: expected an object'],
    [{ timeZone: 'UTC' }, TypeError, 'environment.timeZone: unknown option; did you mean timezone?'],
    [7, TypeError, 'environment: expected an object'],
  ])('wrong values fail at construction and name their path: %j', (environment, type, message) => {
    expect(() => clientContext({ environment } as never)).toThrow(type);
    expect(() => clientContext({ environment } as never)).toThrow(message);
  });
});

describe('the user’s location', () => {
  it.each([
    ['country', { country: 'AT' }],
    ['region', { region: 'Wien', country: 'AT' }],
    ['city', { city: 'Wien', region: 'Wien', country: 'AT' }],
    ['coordinates', { ...place, coordinates: { latitude: 48.21, longitude: 16.37 } }],
    [undefined, { ...place, coordinates: { latitude: 48.21, longitude: 16.37 } }],
  ] as const)('CTX-30: a location is sent no more precisely than configured: %s', async (precision, expected) => {
    const { metaOf } = rig({ environment: { location: { ...place, ...(precision && { precision }) } } });
    expect((await metaOf('tools/call'))[CLIENT_CONTEXT].userLocation).toEqual(expected);
    const client = rig({ environment: { location: () => ({ ...place, ...(precision && { precision }) }) } });
    expect((await client.metaOf('tools/call'))[CLIENT_CONTEXT].userLocation).toEqual(expected);
  });

  it.each([
    ['never given', {}, undefined],
    ['allowed for the country', { location: { precision: 'country', country: 'AT' } }, { country: 'AT' }],
    ['a function allows the country', { location: () => ({ precision: 'country', country: 'AT' }) }, { country: 'AT' }],
    [
      'a function that returns a promise allows the city',
      { location: async () => ({ precision: 'city' }) },
      { ...place, coordinates: undefined },
    ],
    ['not allowed by a function', { location: () => null }, undefined],
    ['of which a function knows nothing', { location: () => undefined }, undefined],
    ['a function returns something that is not a location', { location: () => 7 }, undefined],
  ])('D-20: a location that a caller wrote passes the same rule: %s', async (_what, environment, expected) => {
    const { metaOf, issues } = rig({ environment } as never);
    const meta = await metaOf('tools/call', {
      name: 'x',
      _meta: { [CLIENT_CONTEXT]: { timezone: 'UTC', userLocation: place }, [OPENAI_LOCATION]: place },
    });
    expect(meta[CLIENT_CONTEXT]).toEqual({ timezone: 'UTC', ...(expected && { userLocation: expected }) });
    expect(meta).not.toHaveProperty([OPENAI_LOCATION]);
    expect(issues).toHaveLength(2);
    expect(JSON.stringify(issues)).not.toContain('48.2');
  });

  it('D-20: if the function that would allow a location throws, none is sent; the function is asked once, on any request', async () => {
    let calls = 0;
    const location = (): never => {
      calls++;
      throw new Error('no');
    };
    const { metaOf, faults } = rig({ environment: { location } });
    for (const method of ['tools/call', 'prompts/get']) {
      const meta = await metaOf(method, { _meta: { [CLIENT_CONTEXT]: { userLocation: place } } });
      expect(JSON.stringify(meta)).not.toMatch(/userLocation|Wien/);
    }
    expect([calls, faults.length]).toEqual([2, 2]);
  });

  it('D-20: a location that is withdrawn is no longer sent', async () => {
    let location: typeof place | null = place;
    const client = rig({ environment: { location: () => location } });
    const given = rig({ environment: { location: place } });
    for (const { metaOf } of [client, given]) expect((await metaOf('tools/call'))[CLIENT_CONTEXT]).toHaveProperty('userLocation');
    location = null;
    given.waybill.update({ environment: { location: null } });
    for (const { metaOf } of [client, given]) expect(JSON.stringify(await metaOf('tools/call'))).not.toMatch(/userLocation|Wien/);
  });

  it('no request carries a location unless one was given', async () => {
    const { ask, sent } = rig({ environmentEverywhere: true, language: 'de' });
    for (const method of ['initialize', 'tools/list', 'tools/call', 'resources/read']) await ask(method, modern());
    expect(JSON.stringify(sent)).not.toMatch(/userLocation|Wien/);
  });
});
