import { expect, it, vi } from 'vitest';
import { remember } from './members.js';

it('a result is computed once per spelling', () => {
  const check = vi.fn((text: string) => text === 'yes');
  const remembered = remember(check, 10);
  expect([remembered('yes'), remembered('no'), remembered('yes'), remembered('no')]).toEqual([true, false, true, false]);
  expect(check).toHaveBeenCalledTimes(2);
});

it('a text that is too long is refused unread', () => {
  const check = vi.fn(() => true);
  expect(remember(check, 3)('long')).toBe(false);
  expect(check).not.toHaveBeenCalled();
});

it('a flood of texts empties the memo instead of growing it', () => {
  const check = vi.fn(() => true);
  const remembered = remember(check, 10);
  remembered('first');
  for (let i = 0; i < 2000; i++) remembered(`x${i}`);
  remembered('first');
  expect(check).toHaveBeenCalledTimes(2002);
});
