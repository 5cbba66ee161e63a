import { expect, test } from 'vitest';
import type { Refusal } from '../answer.js';
import { Limits, type Counted } from './limits.js';

const rate = { text: '4/s', amount: 4, milliseconds: 1000 };

function setUp(options: { rate?: typeof rate; concurrent?: number }) {
  const clock = { time: 0 };
  const limits = new Limits({ rate: options.rate, concurrent: options.concurrent, now: () => clock.time });
  /** Returns how to leave, or the seconds to wait. */
  const enter = (principal?: string, upstream = 'a', kind: Counted = 'calls'): (() => void) | number => {
    try {
      return limits.enter(principal, upstream, kind);
    } catch (error) {
      const { status, headers } = error as Refusal;
      expect(status).toBe(429);
      return Number(headers['retry-after']);
    }
  };
  return { clock, enter };
}

test('a rate lets a burst of one period through, then as many as come free', () => {
  const { clock, enter } = setUp({ rate });
  expect(Array.from({ length: 6 }, () => typeof enter('u'))).toEqual([...Array<string>(4).fill('function'), 'number', 'number']);
  clock.time = 250;
  expect([typeof enter('u'), enter('u')]).toEqual(['function', 1]);
});

test('Retry-After is the time until the next one is free', () => {
  const { enter } = setUp({ rate: { text: '1/m', amount: 1, milliseconds: 60_000 } });
  enter('u');
  expect(enter('u')).toBe(60);
});

test('each principal and each upstream is counted for itself', () => {
  const { enter } = setUp({ rate: { ...rate, amount: 1 } });
  enter('u');
  expect([typeof enter('u'), typeof enter('v'), typeof enter('u', 'b'), typeof enter()]).toEqual([
    'number',
    'function',
    'function',
    'function',
  ]);
});

test('requests under way are counted until they end, once each; streams are counted apart', () => {
  const { enter } = setUp({ concurrent: 1 });
  const leave = enter('u') as () => void;
  expect([enter('u'), typeof enter('u', 'a', 'streams'), enter('u', 'a', 'streams')]).toEqual([1, 'function', 1]);
  leave();
  leave();
  expect([typeof enter('u'), enter('u')]).toEqual(['function', 1]);
});

test('bodies, calls and streams are counted each for itself, and only calls for the rate', () => {
  const { enter } = setUp({ rate: { text: '1/s', amount: 1, milliseconds: 1000 }, concurrent: 2 });
  for (const kind of ['bodies', 'streams'] as const) {
    expect([enter('u', 'a', kind), enter('u', 'a', kind)].map((one) => typeof one)).toEqual(['function', 'function']);
    expect(enter('u', 'a', kind)).toBe(1);
  }
  expect([typeof enter('u'), enter('u')]).toEqual(['function', 1]);
});
