import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NEVER } from '../signals.js';
import { Supervisor } from './supervisor.js';

// Only the clock of the supervisor: the child process and its pipes run in real time.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

test('a process that nobody uses is ended after the idle time, and not before', async () => {
  const command = { command: process.execPath, args: ['-e', 'process.stdin.resume()'], env: {} };
  const supervisor = new Supervisor({ name: 's', command, max: 2, idle: 300_000, time: 1_000, log: () => undefined });
  const channel = await supervisor.start({ isShared: true, questions: 'of the session' }, NEVER);
  vi.advanceTimersByTime(299_000);
  expect([supervisor.children.running, channel.isGone]).toEqual([1, false]);
  vi.advanceTimersByTime(60_000);
  expect([supervisor.children.running, channel.isGone]).toEqual([0, true]);
  await supervisor.close();
  expect(() => process.kill(channel.pid as number, 0)).toThrow('ESRCH');
});
