import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WireOptions } from './concern.js';
import { coarsen, environment, isLocale, parseTimestamp, type Environment, type Location } from './environment.js';
import type { Issue } from './issue.js';
import { CLIENT_CONTEXT, OPENAI_AGENT, OPENAI_LOCALE, OPENAI_LOCATION } from './keys.js';

function read(meta: Record<string, unknown>, options: WireOptions = {}) {
  const issues: Issue[] = [];
  const value = environment.request.read(meta, (issue) => issues.push(issue), options);
  return { value, issues, keys: issues.map((issue) => issue.key) };
}
const readContext = (context: unknown) => read({ [CLIENT_CONTEXT]: context });
function write(value: Environment, options: WireOptions = {}) {
  const issues: Issue[] = [];
  return { meta: environment.request.write(value, (issue) => issues.push(issue), options), keys: issues.map((issue) => issue.key) };
}
const now = parseTimestamp('2025-11-12T06:23:00-08:00')!;
const full = {
  timezone: 'America/Los_Angeles',
  currentTimestamp: now.text,
  locale: 'en-US',
  userLocation: { city: 'Los Angeles', region: 'California', country: 'US', coordinates: { latitude: 34.0522, longitude: -118.2437 } },
};
const meant: Environment = { timezone: full.timezone, now, locale: 'en-US', location: full.userLocation };

describe('reading', () => {
  it('CTX-06: every field of the proposal is read', () => {
    expect(readContext(full)).toEqual({ value: meant, issues: [], keys: [] });
  });

  it.each([
    ['timezone', 'Europe/Graz', 'is not an IANA time zone'],
    ['timezone', '+01:00', 'is not an IANA time zone'],
    ['timezone', 'W. Europe Standard Time', 'is not an IANA time zone'],
    ['timezone', 1, 'is not an IANA time zone'],
    ['timezone', null, 'is not an IANA time zone'],
    ['currentTimestamp', '2025-11-12T14:23:00', 'is not an RFC 3339 timestamp with an offset'],
    ['currentTimestamp', 1_762_953_780_000, 'is not an RFC 3339 timestamp with an offset'],
    ['locale', 'de_AT', 'is not a BCP 47 language tag'],
    ['locale', ['de'], 'is not a BCP 47 language tag'],
    ['userLocation', 'Vienna', 'is not an object'],
  ])('CTX-22: a bad %s (%j) is dropped with one issue at its path, and the rest stays', (member, bad, problem) => {
    const { value, issues } = readContext({ ...full, [member]: bad });
    const name = { currentTimestamp: 'now', userLocation: 'location' }[member] ?? member;
    const { [name as keyof Environment]: _bad, ...rest } = meant;
    expect(value).toEqual(rest);
    expect(issues).toEqual([{ concern: 'environment', key: `${CLIENT_CONTEXT}.${member}`, problem }]);
  });

  it.each([
    ['city', { city: 7 }],
    ['city', { city: 'x'.repeat(257) }],
    ['city', { city: 'Wien\r\nX-Evil: 1' }],
    ['region', { region: 'a\0b' }],
    ['region', { region: '\uD800' }],
    ['country', { country: 'AUT' }],
    ['country', { country: 'Österreich' }],
    ['country', { country: '\u212AR' }],
    ['coordinates', { coordinates: [48, 16] }],
    ['coordinates.latitude', { coordinates: { latitude: 90.01, longitude: 16 } }],
    ['coordinates.latitude', { coordinates: { latitude: '48', longitude: 16 } }],
    ['coordinates.longitude', { coordinates: { latitude: 48, longitude: -180.5 } }],
    ['coordinates.longitude', { coordinates: { latitude: 48, longitude: null } }],
  ])('CTX-22: in a location only the bad %s is dropped (%j)', (path, bad) => {
    const { value, keys } = readContext({ userLocation: { ...full.userLocation, ...bad } });
    expect(keys).toEqual([`${CLIENT_CONTEXT}.userLocation.${path}`]);
    const [outer, inner] = path.split('.') as [keyof Location, string | undefined];
    expect(value?.location).not.toHaveProperty(path);
    if (inner) expect(Object.keys(value?.location?.[outer] ?? {})).toHaveLength(1);
    else expect(Object.keys(value?.location ?? {})).toHaveLength(3);
  });

  it('an issue never contains the value', () => {
    const { issues } = readContext({ timezone: 'secret', locale: 'secret_x', userLocation: { city: 'secret\n', country: 'secret' } });
    expect(issues).toHaveLength(4);
    expect(JSON.stringify(issues)).not.toContain('secret');
  });

  it('CTX-23: the sender’s spelling of the zone is kept', () => {
    expect(readContext({ timezone: 'asia/CALCUTTA' }).value).toEqual({ timezone: 'asia/CALCUTTA' });
  });

  it('CTX-05: a locale keeps its Unicode extensions', () => {
    expect(readContext({ locale: 'th-TH-u-ca-buddhist-nu-thai' }).value).toEqual({ locale: 'th-TH-u-ca-buddhist-nu-thai' });
    for (const tag of ['de-AT', 'zh-Hant-TW', 'sr-Latn', 'en-US-u-hc-h12']) expect([tag, isLocale(tag)]).toEqual([tag, true]);
    for (const tag of ['de_AT', '', '*', 'en-', 'de-AT,en', 'en;q=1', 'x'.repeat(10_000_000)]) expect(isLocale(tag)).toBe(false);
  });

  it('unknown members and empty objects are ignored without an issue', () => {
    expect(readContext({ weather: 'fine', userLocation: { planet: 'Earth', coordinates: { altitude: 7 } } })).toEqual({
      value: undefined,
      issues: [],
      keys: [],
    });
    expect(read({}).value).toBeUndefined();
  });

  it('a context that is not an object is one issue', () => {
    for (const bad of [null, 1, 'x', [], true]) expect(readContext(bad).keys).toEqual([CLIENT_CONTEXT]);
  });

  it('members of a prototype are not read', () => {
    expect(readContext(Object.create(full)).value).toBeUndefined();
    expect(read(Object.create({ [CLIENT_CONTEXT]: full })).value).toBeUndefined();
    expect(readContext(JSON.parse('{"__proto__":{"timezone":"UTC"},"userLocation":{"__proto__":{"city":"x"}}}')).value).toBeUndefined();
  });

  it('texts of ten million characters cause one issue and nothing else', () => {
    const long = 'x'.repeat(10_000_000);
    const { value, issues } = readContext({
      timezone: long,
      currentTimestamp: long,
      locale: long,
      userLocation: { city: long, region: long, country: long },
    });
    expect(value).toBeUndefined();
    expect(issues).toHaveLength(6);
    expect(JSON.stringify(issues).length).toBeLessThan(2000);
  });
});

describe('the openai dialect', () => {
  const hints = {
    [OPENAI_LOCALE]: 'de-AT',
    [OPENAI_LOCATION]: { city: 'Vienna', region: 'Vienna', country: 'AT', timezone: 'Europe/Vienna', longitude: 16.37, latitude: 48.21 },
    [OPENAI_AGENT]: 'ChatGPT/1.0',
  };
  const dialects: WireOptions = { dialects: ['openai'] };

  it('D-03: its hints are read when the dialect is on, and only then', () => {
    expect(read(hints).value).toBeUndefined();
    expect(read(hints, dialects)).toEqual({
      value: {
        timezone: 'Europe/Vienna',
        locale: 'de-AT',
        location: { city: 'Vienna', region: 'Vienna', country: 'AT', coordinates: { latitude: 48.21, longitude: 16.37 } },
      },
      issues: [],
      keys: [],
    });
  });

  it('D-03: a member of the context beats its hint; a bad or absent member yields to it', () => {
    const meta = { ...hints, [CLIENT_CONTEXT]: { timezone: 'Asia/Tokyo', locale: 'de_AT', userLocation: { city: 'Tokyo' } } };
    const { value, keys } = read(meta, dialects);
    expect(value).toEqual({ timezone: 'Asia/Tokyo', locale: 'de-AT', location: { city: 'Tokyo' } });
    expect(keys).toEqual([`${CLIENT_CONTEXT}.locale`]);
  });

  it('bad hints are issues at their own path', () => {
    const meta = { [OPENAI_LOCALE]: 5, [OPENAI_LOCATION]: { city: 'Vienna', timezone: 'CEST', latitude: 99 } };
    const { value, keys } = read(meta, dialects);
    expect(value).toEqual({ location: { city: 'Vienna' } });
    expect(keys.sort()).toEqual([OPENAI_LOCALE, `${OPENAI_LOCATION}.latitude`, `${OPENAI_LOCATION}.timezone`]);
    expect(read({ [OPENAI_LOCATION]: 'Vienna' }, dialects).keys).toEqual([OPENAI_LOCATION]);
  });

  it('its keys belong to the concern while the dialect is on', () => {
    expect(environment.keys({})).toEqual([CLIENT_CONTEXT]);
    expect(environment.keys({ ...dialects, environmentKey: 'com.example/c' })).toEqual([
      'com.example/c',
      OPENAI_LOCALE,
      OPENAI_LOCATION,
      OPENAI_AGENT,
    ]);
  });
});

describe('writing', () => {
  it('CTX-20: the environment is one key of _meta with the names of the proposal', () => {
    expect(write(meant)).toEqual({ meta: { [CLIENT_CONTEXT]: full }, keys: [] });
    expect(write({ timezone: 'UTC' }, { environmentKey: 'com.example/c' }).meta).toEqual({ 'com.example/c': { timezone: 'UTC' } });
  });

  it('CTX-06: a place on the equator or the prime meridian is a place', () => {
    const location = { coordinates: { latitude: 0, longitude: 0 } };
    const { meta } = write({ location });
    expect(meta[CLIENT_CONTEXT]).toEqual({ userLocation: location });
    expect(read(meta).value).toEqual({ location });
  });

  it('an empty environment writes nothing', () => {
    expect(write({})).toEqual({ meta: {}, keys: [] });
    expect(write({ location: { coordinates: {} } })).toEqual({ meta: {}, keys: [] });
  });

  it('an invalid member is reported and not written', () => {
    const bad: Environment = {
      timezone: 'Pacific Standard Time',
      now: { text: 'now', epochMilliseconds: 0, offsetMinutes: 0 },
      locale: 'de-AT',
      location: { country: 'Austria', coordinates: { latitude: Number.NaN, longitude: 16 } },
    };
    const { meta, keys } = write(bad);
    expect(meta).toEqual({ [CLIENT_CONTEXT]: { locale: 'de-AT', userLocation: { coordinates: { longitude: 16 } } } });
    expect(keys.map((key) => key.slice(CLIENT_CONTEXT.length + 1)).sort()).toEqual([
      'currentTimestamp',
      'timezone',
      'userLocation.coordinates.latitude',
      'userLocation.country',
    ]);
  });

  it('results, errors and notifications carry no environment', () => {
    expect([environment.result, environment.error, environment.notification]).toEqual([undefined, undefined, undefined]);
  });

  const place = fc.string({ unit: 'grapheme', maxLength: 40 });
  const angle = (limit: number) => fc.double({ min: -limit, max: limit, noNaN: true });
  const environments = fc.record(
    {
      timezone: fc.constantFrom('Europe/Vienna', 'asia/calcutta', 'Etc/GMT+5', 'EST'),
      now: fc
        .constantFrom('2025-11-12T06:23:00-08:00', '1999-12-31t23:59:59.123456z', '2016-12-31T23:59:60Z')
        .map((text) => parseTimestamp(text)!),
      locale: fc.constantFrom('de-AT', 'th-u-nu-thai', 'zh-Hant'),
      location: fc.record(
        {
          city: place,
          region: place,
          country: fc.stringMatching(/^[A-Za-z]{2}$/),
          coordinates: fc.record({ latitude: angle(90), longitude: angle(180) }, { requiredKeys: ['latitude'] }),
        },
        { requiredKeys: ['city'] },
      ),
    },
    { requiredKeys: ['timezone'] },
  ) as fc.Arbitrary<Environment>;

  it('a written environment is read back, through JSON', () => {
    fc.assert(
      fc.property(environments, (value) => {
        const meta = JSON.parse(JSON.stringify(write(value).meta));
        expect(read(meta)).toEqual({ value: JSON.parse(JSON.stringify(value)), issues: [], keys: [] });
      }),
    );
  });

  it('CTX-22: any JSON in any place is read without throwing, and the result can be written', () => {
    const hostile = fc.record(
      {
        timezone: fc.jsonValue(),
        currentTimestamp: fc.jsonValue(),
        locale: fc.oneof(fc.string(), fc.jsonValue()),
        userLocation: fc.oneof(
          fc.dictionary(fc.constantFrom('city', 'country', 'coordinates', 'timezone', '__proto__'), fc.jsonValue()),
          fc.jsonValue(),
        ),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(hostile, fc.jsonValue()), fc.jsonValue(), hostile, (context, tag, location) => {
        const meta = { [CLIENT_CONTEXT]: context, [OPENAI_LOCALE]: tag, [OPENAI_LOCATION]: location };
        const { value } = read(meta, { dialects: ['openai'] });
        if (value !== undefined) expect(write(value).keys).toEqual([]);
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
    );
  });
});

describe('coarsening a location', () => {
  it.each([
    ['country', { country: 'US' }],
    ['region', { country: 'US', region: 'California' }],
    ['city', { country: 'US', region: 'California', city: 'Los Angeles' }],
    ['coordinates', { ...full.userLocation, coordinates: { latitude: 34.05, longitude: -118.24 } }],
  ] as const)('a precision of %s gives no finer location', (precision, told) => {
    expect(coarsen(full.userLocation, precision)).toEqual(told);
  });

  it('missing members stay missing, and an unknown precision gives nothing', () => {
    expect(coarsen({ city: 'Vienna' }, 'country')).toBeUndefined();
    expect(coarsen({ coordinates: { latitude: -0.001 } }, 'coordinates')).toEqual({ coordinates: { latitude: 0 } });
    expect(coarsen({ coordinates: {} }, 'coordinates')).toBeUndefined();
    expect(coarsen(full.userLocation, 'exact' as never)).toBeUndefined();
  });
});
