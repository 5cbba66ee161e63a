import { expect, test } from 'vitest';
import type { Post } from '../face.js';
import { makeMessage } from '../message.js';
import { NEVER } from '../signals.js';
import { PARKED_LIFE, ParkedCalls } from './parkedCalls.js';

const post = (params: object, caller: Post['caller'] = { principal: 'ann' }, headers = {}): Post => ({
  message: makeMessage({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'book', arguments: { n: 1 }, ...params } }),
  ...{ caller, headers, signal: NEVER },
});

function parked() {
  const timers: { milliseconds: number; then: () => void }[] = [];
  const calls = new ParkedCalls<{ giveUp(): void }>((milliseconds, then) => {
    const timer = { milliseconds, then };
    timers.push(timer);
    return () => void timers.splice(timers.indexOf(timer), 1);
  });
  const given: string[] = [];
  const call = { giveUp: () => void given.push('up') };
  return { calls, timers, given, call, state: calls.park(call, post({})) };
}

test('the request that began a call finds it again, once', () => {
  const { calls, call, state, timers } = parked();
  expect(calls.take(post({ requestState: state, inputResponses: { a: {} } }))).toBe(call);
  expect([calls.size, timers]).toEqual([0, []]);
  expect(() => calls.take(post({ requestState: state }))).toThrow(/no call waits/);
});

test('a request without a state begins a call of its own', () => {
  expect(parked().calls.take(post({}))).toBeUndefined();
});

test.each<[string, (state: string) => Post]>([
  ['another user', (requestState) => post({ requestState }, { principal: 'bob' })],
  ['nobody', (requestState) => post({ requestState }, {})],
  ['another token of the client', (requestState) => post({ requestState }, undefined, { authorization: 'Bearer b' })],
  ['another tool', (requestState) => post({ requestState, name: 'cancel' })],
  ['other arguments', (requestState) => post({ requestState, arguments: { n: 2 } })],
  ['a state that was changed', (requestState) => post({ requestState: `${requestState}A` })],
  ['a state that is no text', () => post({ requestState: 7 })],
])('%s does not get the call, and it goes on waiting', (_, other) => {
  const { calls, call, state } = parked();
  expect(() => calls.take(other(state))).toThrow(/no call waits/);
  expect(calls.take(post({ requestState: state }))).toBe(call);
});

test('a call that nobody comes back for is given up after five minutes', () => {
  const { calls, state, timers, given } = parked();
  expect(timers[0]?.milliseconds).toBe(PARKED_LIFE);
  timers[0]?.then();
  expect([given, calls.size]).toEqual([['up'], 0]);
  expect(() => calls.take(post({ requestState: state }))).toThrow(/no call waits/);
});

test('a closed gateway gives all calls up, and there is room for a thousand', () => {
  const { calls, call, given, timers } = parked();
  while (!calls.isFull) calls.park(call, post({}));
  expect(calls.size).toBe(1_000);
  calls.close();
  expect([given.length, calls.size, timers]).toEqual([1_000, 0, []]);
});
