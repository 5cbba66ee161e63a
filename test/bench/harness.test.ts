import { describe, expect, it } from 'vitest';
import { difference, paired, quantile, race, runGroup, runRow, turned, verdict } from '../../bench/harness.mjs';
import { alternate, beside } from '../../bench/meter.mjs';
import type { Row } from '../../bench/harness.mjs';

/** A machine on which our operation takes 2 µs and the peer's 6 µs, with its own clock. */
function machine() {
  let time = 0;
  const calls: string[] = [];
  const arm = (name: string, cost: number) => (n: number) => {
    calls.push(name);
    time += n * cost;
  };
  return {
    calls,
    tools: { cpu: () => time, random: () => (calls.length % 3 === 0 ? 0.2 : 0.7) },
    arms: { ours: arm('ours', 2), peer: arm('peer', 6) },
  };
}
const row = (change: Partial<Row>): Row => ({
  name: 'a row',
  peer: 'a peer',
  ratio: 'peer/ours',
  target: 2,
  arms: machine().arms,
  ...change,
});

describe('a race', () => {
  it('a race gives the cost of an operation in each arm and the ratio between them', async () => {
    const { arms, tools } = machine();
    expect(await race(arms, { quick: true, ratio: 'peer/ours' }, tools)).toMatchObject({
      ours: 2,
      peer: 6,
      ratio: 3,
      p10: 3,
      p90: 3,
    });
  });

  it('a race runs both arms in every round, in changing order', async () => {
    const { arms, tools, calls } = machine();
    await race(arms, { quick: true, ratio: 'ours/peer' }, tools);
    const rounds = calls.slice(-60).join(' ');
    expect(rounds.match(/ours/g)?.length).toBe(30);
    expect(rounds).toContain('ours ours');
  });

  it('a race awaits an asynchronous arm', async () => {
    let time = 0;
    const arm = async (n: number): Promise<void> => {
      await Promise.resolve();
      time += n;
    };
    expect(await race({ ours: arm, peer: arm }, { quick: true, ratio: 'ours/peer' }, { cpu: () => time })).toMatchObject({
      ours: 1,
      ratio: 1,
    });
  });

  it('a race ends if an operation takes longer than a batch', async () => {
    let time = 0;
    const slow = (n: number): void => void (time += n * 500_000);
    expect(await race({ ours: slow, peer: slow }, { quick: true, ratio: 'ours/peer' }, { cpu: () => time })).toMatchObject({
      ours: 500_000,
    });
  });

  it('a race refuses an arm that ignores its number of operations', async () => {
    await expect(race({ ours: () => 0, peer: () => 0 }, { quick: true, ratio: 'ours/peer' }, { cpu: () => 0 })).rejects.toThrow(
      'does nothing',
    );
  });

  it('a race pairs by round, so that a slow moment of the machine hits both', () => {
    expect(paired([1, 10, 1], [2, 20, 2], 'peer/ours')).toMatchObject({ ratio: 2, p10: 2, p90: 2 });
    expect(paired([1, 10, 1], [2, 20, 2], 'ours/peer')).toMatchObject({ ratio: 0.5 });
  });

  it('a difference comes from the ratios of the rounds, so that it lies within its spread', () => {
    const figures = difference(paired([3, 9, 30], [2, 8, 10], 'ours/peer'), 2, 'µs a hop');
    expect(figures).toEqual({ ours: 4.5, peer: 4, ratio: 2, p10: expect.closeTo(0.8), p90: expect.closeTo(6.8), unit: 'µs a hop' });
  });
});

describe('a verdict', () => {
  const figures = { ours: 1.23456, peer: 2, ratio: 2, p10: 1.9, p90: 2.1 };
  it.each([
    ['peer/ours', 2, true],
    ['peer/ours', 2.01, false],
    ['ours/peer', 2, true],
    ['ours/peer', 1.99, false],
  ] as const)('the verdict on %s with target %d is %s', (ratio, target, met) => {
    expect(verdict(row({ ratio, target }), figures)).toMatchObject({
      name: 'a row',
      ours: 1.235,
      target,
      met,
      against: 'a peer',
      direction: ratio,
    });
  });

  it.each([
    [1.02, 'met'],
    [1.045, 'not resolved'],
    [1.055, 'not resolved'],
    [1.08, 'missed'],
  ] as const)('the verdict on a ratio of %d, target 1.05, is %s if the peer against itself differs by 1 %%', (ratio, expected) => {
    const floor = { ratio: 1.01, p10: 1, p90: 1.02 };
    expect(verdict(row({ ratio: 'ours/peer', target: 1.05 }), { ...figures, p10: 1, p90: 1.02, ratio, floor, rounds: 16 })).toMatchObject({
      verdict: expected,
    });
  });

  it('a verdict is not given if the ratio of the rounds scatters by more than the distance to the target', () => {
    const wide = { ...figures, ratio: 1.04, p10: 0.9, p90: 1.2, rounds: 9 };
    expect(verdict(row({ ratio: 'ours/peer', target: 1.05 }), wide)).toMatchObject({ verdict: 'not resolved' });
    expect(verdict(row({ ratio: 'ours/peer', target: 1.2 }), wide)).toMatchObject({ verdict: 'met' });
  });

  it('one measurement fills the rows of a group in their order', async () => {
    const group = { name: 'g', rows: [row({ name: 'a' }), row({ name: 'b' })], measure: async () => [figures, { ...figures, ratio: 7 }] };
    expect(await runGroup(group, { quick: true })).toMatchObject([
      { name: 'a', ratio: 2 },
      { name: 'b', ratio: 7 },
    ]);
  });

  it('a row that measures itself gives its own figures', async () => {
    expect(
      await runRow(row({ arms: undefined as never, measure: async () => ({ ...figures, unit: 'MB' }) }), { quick: true }),
    ).toMatchObject({ met: true, unit: 'MB' });
  });

  it('a verdict is refused if the arms do not do the same work', async () => {
    await expect(runRow(row({ check: () => false }), { quick: true })).rejects.toThrow('a row');
  });
});

it('a quantile interpolates', () => {
  expect([0, 0.1, 0.5, 1].map((at) => quantile([4, 1, 3, 2, 5], at))).toEqual([1, 1.4, 3, 5]);
});

it('processes take turns, and the peer against itself is the spread of the meter', async () => {
  const arm = new URL('arm.mjs', import.meta.url);
  const cost = await alternate({ ours: [arm, ['2']], peer: [arm, ['6']], again: [arm, ['6.6']] }, { window: 10, warmUp: 10, rounds: 3 });
  expect(cost).toEqual({ ours: [2, 2, 2], peer: [6, 6, 6], again: [6.6, 6.6, 6.6] });
  const figures = beside(cost.ours, cost.peer, cost.again);
  expect([figures.ratio, figures.floor.ratio, figures.rounds]).toEqual([expect.closeTo(2 / 6.3), expect.closeTo(1.1), 3]);
});

it('an arm that fails fails its race', async () => {
  const arm = new URL('arm.mjs', import.meta.url);
  const plan = { window: 1, warmUp: 1, rounds: 1 };
  await expect(alternate({ ours: [arm, ['fail']] }, plan)).rejects.toThrow('on purpose');
  await expect(alternate({ ours: [arm, ['exit']] }, plan)).rejects.toThrow('code 3');
});

it('each of three arms gets every place equally often', () => {
  const orders = Array.from({ length: 6 }, (_, pair) => turned(['a', 'b', 'c'], pair).join(''));
  expect(new Set(orders)).toEqual(new Set(['abc', 'bca', 'cab', 'cba', 'acb', 'bac']));
});
