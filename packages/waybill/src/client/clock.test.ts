import fc from 'fast-check';
import { expect, it } from 'vitest';
import { offsetDisagrees, parseTimestamp } from '../wire/environment.js';
import { ClockText } from './clock.js';
import { PlatformReader } from './platform.js';

it('CTX-04: the text is the same moment, with the offset that the zone has at that moment', () => {
  const zones = ['UTC', 'Europe/Vienna', 'Asia/Kathmandu', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Apia', undefined];
  const moment = fc.integer({ min: Date.UTC(1980, 0, 1), max: Date.UTC(2090, 0, 1) });
  const clock = new ClockText();
  fc.assert(
    fc.property(
      moment,
      fc.constantFrom(...zones),
      fc.array(fc.integer({ min: 0, max: 90_000 }), { maxLength: 4 }),
      (start, zone, steps) => {
        let now = start;
        for (const step of [0, ...steps]) {
          now += step;
          const stamp = parseTimestamp(clock.at(now, zone));
          expect(stamp?.epochMilliseconds).toBe(now);
          expect(zone === undefined ? stamp?.text.endsWith('Z') : !offsetDisagrees(stamp!, zone)).toBe(true);
        }
      },
    ),
  );
});

it('the platform of this process is found without configuration', () => {
  const { current } = new PlatformReader(() => 0);
  expect(current).toMatchObject({ timezone: Intl.DateTimeFormat().resolvedOptions().timeZone });
  expect(current.languages?.length).toBeGreaterThan(0);
});
