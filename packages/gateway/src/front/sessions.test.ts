import { expect, test } from 'vitest';
import { SessionSeal } from './sessions.js';

const alice = { upstream: 'crm', principal: 'alice' };
const session = { id: 'upstream-7', capabilities: { roots: {} } };
const KEY = 'a key of at least thirty-two letters';

test('another replica with the same key opens what one has sealed', () => {
  expect(new SessionSeal([KEY], 'gw-1').open(new SessionSeal([KEY], 'gw-0').seal(session, alice), alice)).toEqual(session);
});

test('the name of the replica stands in front, for a proxy to route by', () => {
  expect(new SessionSeal([KEY], 'gw-0').seal(session, alice)).toMatch(/^gw-0\.[\w-]+$/);
});

test.each([
  ['another principal', KEY, { ...alice, principal: 'bob' }],
  ['nobody', KEY, { ...alice, principal: undefined }],
  ['another upstream', KEY, { ...alice, upstream: 'time' }],
  ['another key', `${KEY}!`, alice],
])('%s finds no session', (_, key, owner) => {
  expect(new SessionSeal([key]).open(new SessionSeal([KEY]).seal(session, alice), owner)).toBeUndefined();
});

test('a new key comes before the old one goes: sessions of either are open meanwhile', () => {
  const [old, next] = [KEY, `${KEY} of next year`];
  const sealedBefore = new SessionSeal([old]).seal(session, alice);
  const rotating = new SessionSeal([next, old]);
  expect(rotating.open(sealedBefore, alice)).toEqual(session);
  const sealedSince = rotating.seal(session, alice);
  expect(new SessionSeal([next]).open(sealedSince, alice)).toEqual(session);
  expect(new SessionSeal([next]).open(sealedBefore, alice)).toBeUndefined();
});

test('a session has one id: letters that mean nothing make another text of it', () => {
  const seal = new SessionSeal([KEY]);
  const id = seal.seal(session, alice);
  for (const other of [`${id}!`, `!${id}`, `${id}=`, ` ${id}`, `${id}, ${id}`])
    expect([other, seal.open(other, alice)]).toEqual([other, undefined]);
});

test.each(['', 'x', 'upstream-7', 'A'.repeat(100), '.', '🙂'.repeat(20)])('%j is no session', (text) => {
  expect(new SessionSeal([KEY]).open(text, alice)).toBeUndefined();
});

test('capabilities that are too long for an id are left out', () => {
  const seal = new SessionSeal([KEY]);
  const sealed = seal.seal({ id: 's', capabilities: { extensions: { x: 'y'.repeat(3000) } } }, alice);
  expect(sealed.length).toBeLessThan(100);
  expect(seal.open(sealed, alice)).toEqual({ id: 's', capabilities: undefined });
});
