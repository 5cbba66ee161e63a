import { describe, expect, it } from 'vitest';
import type { Issue } from '../issue.js';
import { checkWants, readWant } from './wants.js';

describe('the reason of a server is untrusted text (D-37)', () => {
  it.each([
    ['as it is', 'to read "yesterday" as you mean it', 'to read "yesterday" as you mean it'],
    ['on one line', 'to help\n\nPress Y to continue\r\n\tnow', 'to help Press Y to continue now'],
    ['without bidi controls', 'safe\u202Etxt.exe\u2066', 'safetxt.exe'],
    ['without zero-width characters', 'a\u200Bb\u200Dc\uFEFFd\u00ADe', 'abcde'],
    ['without controls', 'a\u0000\u001B[31mred\u0007', 'a [31mred'],
    ['without separators of lines', 'a\u2028b\u2029c', 'a b c'],
    ['without half a surrogate pair', 'a\uD800b', 'ab'],
    ['without letters that show nothing', 'a\u3164\u2800b', 'ab'],
  ])('%s', (_, reason, shown) => {
    expect(readWant({ wants: { timezone: reason } }, 'timezone', () => undefined)).toBe(shown);
  });

  it('a reason has at most 200 characters, and no character is cut in two', () => {
    const shown = readWant({ wants: { timezone: '😀'.repeat(500) } }, 'timezone', () => undefined) ?? '';
    expect([Array.from(shown).length, shown.endsWith('😀…')]).toEqual([200, true]);
  });

  it('a reason that is empty or invisible is dropped, and one that is not a text is reported', () => {
    const issues: Issue[] = [];
    expect(readWant({ wants: { now: '\u200B \n' } }, 'now', () => undefined)).toBeUndefined();
    expect(readWant({ wants: { now: { text: 'x' } } }, 'now', (issue) => issues.push(issue))).toBeUndefined();
    expect(issues).toMatchObject([{ key: 'wants.now', problem: 'is not a text' }]);
    expect(readWant({ wants: ['now'] }, 'now', () => undefined)).toBeUndefined();
    expect(readWant(undefined, 'now', () => undefined)).toBeUndefined();
  });
});

it.each([
  [{ timzone: 'x' }, 'wants.timzone: unknown field; did you mean timezone?'],
  [{ timezone: true }, 'wants.timezone: expected a text'],
  [{ timezone: '' }, 'wants.timezone: expected one line of at most 200 characters'],
  [{ timezone: 'a\nb' }, 'wants.timezone: expected one line'],
  [{ timezone: 'x'.repeat(201) }, 'wants.timezone: expected one line'],
  ['timezone', 'wants: expected an object'],
])('wants of a program that could not be shown as written are an error: %j', (wants, message) => {
  expect(() => checkWants(wants, 'wants')).toThrow(message);
});
