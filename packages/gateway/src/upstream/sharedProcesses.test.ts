import { expect, test } from 'vitest';
import type { Channel } from './channel.js';
import { SharedProcesses } from './sharedProcesses.js';

const process = (isGone = false) => ({ channel: { isGone } as unknown as Channel & { isGone: boolean } });

test('callers with one key share a process, also if they come at once; after its end they share the next one', async () => {
  const shared = new SharedProcesses();
  let starts = 0;
  const start = () => Promise.resolve({ ...process(), number: ++starts });
  const [one, two] = await Promise.all([shared.of('a', start), shared.of('a', start)]);
  expect([one, starts]).toEqual([two, 1]);
  Object.assign(one.channel, { isGone: true });
  const [three, four] = await Promise.all([shared.of('a', start), shared.of('a', start)]);
  expect([three, starts]).toEqual([four, 2]);
});

test('a start that failed is tried again', async () => {
  const shared = new SharedProcesses();
  await expect(shared.of('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await shared.of('a', () => Promise.resolve(process()))).toBeDefined();
});

test('a client that invents keys does not make the table grow, and keys in use stay', async () => {
  const shared = new SharedProcesses();
  const kept = await shared.of('kept', () => Promise.resolve(process()));
  for (let n = 0; n < 1_500; n++) {
    await shared.of(`invented ${n}`, () => Promise.resolve(process(true)));
    expect(await shared.of('kept', () => Promise.reject(new Error('another one')))).toBe(kept);
  }
  expect(shared.size).toBe(1_000);
});
