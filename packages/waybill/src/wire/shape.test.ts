import { describe, expect, it } from 'vitest';
import { fits, pairAt, shapeOf } from './shape.js';

describe('a shape', () => {
  const date = shapeOf('0000-00-00T');

  it.each(['2026-11-15T', '0000-00-00t', '2026-11-15Tand more'])('%s fits', (text) => {
    expect(fits(text, date)).toBe(true);
  });

  it.each([
    '',
    '2026-11-15',
    '2026-11-1 T',
    '2026\r11-15T',
    '2026-11-15\u0054\u0301'.replace('T', '\u0422'),
    '202\u0666-11-15T',
    'x026-11-15T',
  ])('%j does not', (text) => {
    expect(fits(text, date)).toBe(false);
  });

  it('is looked for from a place on', () => {
    expect(fits('in 12:30', shapeOf('00:00'), 3)).toBe(true);
    expect(fits('in 12:3', shapeOf('00:00'), 3)).toBe(false);
  });

  it('tells lower-case hexadecimal digits from others', () => {
    expect(fits('09af', shapeOf('xxxx'))).toBe(true);
    for (const text of ['09aF', '09ag', '09a']) expect(fits(text, shapeOf('xxxx'))).toBe(false);
  });

  it('takes either sign', () => {
    for (const sign of ['+', '-']) expect(fits(`${sign}1`, shapeOf('+0'))).toBe(true);
    expect(fits('\u22121', shapeOf('+0'))).toBe(false);
  });
});

describe('a pair of digits', () => {
  it('is read as one number', () => {
    expect([pairAt('2026-11-15', 2), pairAt('+05:30', 1), pairAt('+05:30', 4), pairAt('00', 0), pairAt('99', 0)]).toEqual([
      26, 5, 30, 0, 99,
    ]);
  });
});
