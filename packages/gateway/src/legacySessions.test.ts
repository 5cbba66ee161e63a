import { expect, test } from 'vitest';
import { LegacySessions } from './legacySessions.js';

test('a session exists for the user who began it, and for nobody else', () => {
  const sessions = new LegacySessions();
  sessions.remember('a', { principal: 'ann' }, { roots: {} });
  sessions.remember('b', {}, undefined);
  expect(sessions.find('a', { principal: 'ann' })?.capabilities).toEqual({ roots: {} });
  expect(() => sessions.find('a', { principal: 'bob' })).toThrow('Session not found');
  expect(() => sessions.find('a', {})).toThrow('Session not found');
  expect(() => sessions.find('b', { principal: 'ann' })).toThrow('Session not found');
  expect([sessions.find('elsewhere', {}), sessions.find(undefined, {})]).toEqual([undefined, undefined]);
});

test('if there is no more room, the session that was not used for the longest time is forgotten', () => {
  const sessions = new LegacySessions();
  for (let at = 0; at < 10_000; at++) sessions.remember(String(at), {}, undefined);
  sessions.find('0', {});
  expect(sessions.remember('new', {}, undefined)).toBe('1');
  expect(sessions.find('0', {})).toBeDefined();
});
