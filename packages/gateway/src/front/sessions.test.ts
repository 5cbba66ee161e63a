import { expect, test } from 'vitest';
import { SessionSeal } from './sessions.js';

const alice = { upstream: 'crm', principal: 'alice' };
const session = { id: 'upstream-7', capabilities: { roots: {} } };
const KEY = 'a key of at least thirty-two letters';

test('another replica with the same key opens what one has sealed', () => {
  expect(new SessionSeal(KEY, 'gw-1').open(new SessionSeal(KEY, 'gw-0').seal(session, alice), alice)).toEqual(session);
});

test('the name of the replica stands in front, for a proxy to route by', () => {
  expect(new SessionSeal(KEY, 'gw-0').seal(session, alice)).toMatch(/^gw-0\.[\w-]+$/);
});

test.each([
  ['another principal', KEY, { ...alice, principal: 'bob' }],
  ['nobody', KEY, { ...alice, principal: undefined }],
  ['another upstream', KEY, { ...alice, upstream: 'time' }],
  ['another key', `${KEY}!`, alice],
])('%s finds no session', (_, key, owner) => {
  expect(new SessionSeal(key).open(new SessionSeal(KEY).seal(session, alice), owner)).toBeUndefined();
});

test.each(['', 'x', 'upstream-7', 'A'.repeat(100), '.', '🙂'.repeat(20)])('%j is no session', (text) => {
  expect(new SessionSeal(KEY).open(text, alice)).toBeUndefined();
});

test('capabilities that are too long for an id are left out', () => {
  const seal = new SessionSeal(KEY);
  const sealed = seal.seal({ id: 's', capabilities: { extensions: { x: 'y'.repeat(3000) } } }, alice);
  expect(sealed.length).toBeLessThan(100);
  expect(seal.open(sealed, alice)).toEqual({ id: 's', capabilities: undefined });
});
