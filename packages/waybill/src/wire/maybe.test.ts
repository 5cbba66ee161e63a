import { describe, expect, it, vi } from 'vitest';
import { failingThenable, thenable } from '../../../../test/support/thenable.js';
import { atOnce, rejectedWith, reportRejection, safeCallback, andThen, andThenAll, andThenAsk, isThenable, promiseIn } from './maybe.js';

const error = new Error('no');

describe('D-35: a value that may be a promise', () => {
  it.each([
    ['a native promise', Promise.resolve(1), true],
    ['a thenable object', thenable(1), true],
    ['a thenable function', Object.assign(() => 1, { then: () => undefined }), true],
    ['a member then that is no function', { then: 1 }, false],
    ['null', null, false],
    ['undefined', undefined, false],
    ['a text', 'then', false],
    ['a symbol', Symbol('then'), false],
  ])('%s: %#', (_what, value, expected) => {
    expect(isThenable<unknown>(value)).toBe(expected);
  });

  it('a native promise stays the same object, and a thenable becomes a native promise', async () => {
    const native = Promise.resolve(1);
    expect(promiseIn(native)).toBe(native);
    expect(promiseIn(thenable(2))).toBeInstanceOf(Promise);
    expect(await promiseIn(thenable(2))).toBe(2);
    expect(promiseIn(3)).toBeUndefined();
  });

  it('a value goes on at once, and every kind of promise is awaited', async () => {
    const double = (value: number): number => 2 * value;
    expect(andThen(1, double)).toBe(2);
    expect(await andThen(Promise.resolve(2), double)).toBe(4);
    expect(await andThen(thenable(3), double)).toBe(6);
    expect(await andThen<number, string>(failingThenable(error), String, () => 'failed')).toBe('failed');
    await expect(andThen(failingThenable(error), String)).rejects.toBe(error);
  });

  it('several values go on together', async () => {
    const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
    expect(andThenAll([1, 2], sum)).toBe(3);
    expect(await andThenAll([1, thenable(3)], sum)).toBe(4);
  });

  it('a function that throws, and one that rejects, have both failed', async () => {
    const throwing = (): number => {
      throw error;
    };
    expect(andThenAsk<number, unknown>(throwing, String, (caught) => caught)).toBe(error);
    expect(
      await andThenAsk<number, unknown>(
        () => failingThenable(error),
        String,
        (caught) => caught,
      ),
    ).toBe(error);
    expect(
      andThenAsk(
        () => 1,
        String,
        () => 'failed',
      ),
    ).toBe('1');
  });

  it('an error of the next step is no failure of the function', () => {
    const next = (): never => {
      throw error;
    };
    expect(() =>
      andThenAsk(
        () => 1,
        next,
        () => 'failed',
      ),
    ).toThrow(error);
  });
});

describe('D-35: a callback', () => {
  it.each([
    ['a native promise', () => Promise.reject(error)],
    ['a thenable', () => failingThenable(error)],
    [
      'an error it throws',
      () => {
        throw error;
      },
    ],
  ])('a callback that fails with %s is reported and breaks nothing', async (_how, callback) => {
    const faults = vi.fn();
    safeCallback(callback, faults)(undefined);
    await vi.waitFor(() => {
      expect(faults).toHaveBeenCalledExactlyOnceWith(error);
    });
  });

  it('a missing callback is left out, and its value stays unchanged', async () => {
    safeCallback(undefined)(1);
    const value = thenable(1);
    expect(reportRejection(value)).toBe(value);
    await expect(rejectedWith(error)).rejects.toBe(error);
  });

  it('a callback that has to answer at once may not return a promise, and the rejection of that promise breaks nothing', () => {
    expect(atOnce({ then: 1 }, 'hide')).toEqual({ then: 1 });
    expect(() => atOnce(failingThenable(error), 'hide')).toThrow(new TypeError('hide: returned a promise; return the value itself'));
    expect(() => atOnce(Promise.reject(error), 'values()', 'mine')).toThrow('part "mine": values(): returned a promise');
  });
});
