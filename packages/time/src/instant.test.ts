import { expect, it } from 'vitest';
import { readInstant } from './instant.js';
import { isZoneName } from './zoneName.js';

it.each([
  ['2026-03-18T10:00:00+01:00', '2026-03-18T09:00:00.000Z'],
  ['2026-03-18t10:00:00.5z', '2026-03-18T10:00:00.500Z'],
  ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59.000Z'],
  ['2026-02-30T10:00:00Z', undefined],
  ['2026-03-18T24:00:00Z', undefined],
  ['2026-03-18T10:00:00', undefined],
  ['2026-03-18', undefined],
])('%s is %s', (text, expected) => {
  const instant = readInstant(text);
  expect(instant === undefined ? undefined : new Date(instant).toISOString()).toBe(expected);
});

it.each([
  ['Europe/Vienna', true],
  ['asia/calcutta', true],
  ['UTC', true],
  ['EST', true],
  ['PST', false],
  ['SystemV/AST4', false],
  ['+02:00', false],
  ['Mars/Olympus', false],
])('CTX-23: %s is a name of the IANA database: %s', (name, expected) => {
  expect(isZoneName(name)).toBe(expected);
});
