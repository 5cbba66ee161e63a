import { expect, test } from 'vitest';
import { matcher } from './tools.js';

test.each<[patterns: string[], name: string, isMatch: boolean]>([
  [['*'], 'anything', true],
  [[], 'anything', false],
  [['delete_*'], 'delete_all', true],
  [['delete_*'], 'undelete_all', false],
  [['*_all'], 'delete_all', true],
  [['a*c'], 'abc', true],
  [['a*c'], 'abcd', false],
  [['a.c'], 'abc', false],
  [['a+(b)'], 'a+(b)', true],
  [['x', 'echo'], 'echo', true],
  [['echo'], 'Echo', false],
])('%j and %s: %s', (patterns, name, isMatch) => {
  expect(matcher(patterns)(name)).toBe(isMatch);
});
