import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatTimestamp, offsetDisagrees, parseTimestamp, zoneOffset } from '../wire/environment.js';
import { PlatformReader } from './platform.js';

it('CTX-04: the text is the same moment, with the offset that the zone has at that moment', () => {
  const zones = ['UTC', 'Europe/Vienna', 'Asia/Kathmandu', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Apia', undefined];
  const moment = fc.integer({ min: Date.UTC(1980, 0, 1), max: Date.UTC(2090, 0, 1) });
  fc.assert(
    fc.property(moment, fc.constantFrom(...zones), (now, zone) => {
      const stamp = parseTimestamp(formatTimestamp(now, zone === undefined ? undefined : zoneOffset(zone, now)).text);
      expect(stamp?.epochMilliseconds).toBe(now);
      expect(zone === undefined ? stamp?.text.endsWith('Z') : !offsetDisagrees(stamp!, zone)).toBe(true);
    }),
  );
});

it('the platform of this process is found without configuration', () => {
  const { current } = new PlatformReader(() => 0);
  expect(current).toMatchObject({ timezone: Intl.DateTimeFormat().resolvedOptions().timeZone });
  expect(current.languages?.length).toBeGreaterThan(0);
});
