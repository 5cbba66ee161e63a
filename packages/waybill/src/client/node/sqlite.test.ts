import { EventEmitter } from 'node:events';
import { beforeEach, expect, it, vi } from 'vitest';
import type { WorkerRequest } from './sqlite/worker.js';

/** A thread that answers and ends when the test says so. */
class Thread extends EventEmitter {
  static started: Thread[] = [];
  readonly requests: WorkerRequest[] = [];
  constructor() {
    super();
    Thread.started.push(this);
  }
  postMessage(request: WorkerRequest): void {
    this.requests.push(request);
  }
  answer(method: WorkerRequest['method'], result: unknown): void {
    this.emit('message', { id: this.requests.find((one) => one.method === method)!.id, result });
  }
  ref(): void {}
  unref(): void {}
  terminate = (): Promise<void> => new Promise((resolve) => this.once('exit', resolve));
}

vi.mock('node:worker_threads', async (original) => ({ ...(await original<object>()), Worker: Thread }));
const { sqliteStore } = await import('./sqlite.js');

beforeEach(() => {
  Thread.started = [];
});

it('a thread that ends after its successor has started takes neither the successor nor its questions with it', async () => {
  const store = sqliteStore('state.db');
  const [old] = Thread.started as [Thread];
  const closing = store.close();
  old.answer('close', undefined);
  // The answer has to reach `close` before the next question is asked.
  await new Promise((resolve) => setImmediate(resolve));
  const principals = store.principals();
  const successor = Thread.started[1]!;
  old.emit('exit', 0);
  await closing;
  successor.answer('principals', ['ann']);
  expect(await principals).toEqual(['ann']);
  const drawers = store.drawers('ann');
  expect(Thread.started).toEqual([old, successor]);
  successor.answer('drawers', []);
  expect(await drawers).toEqual([]);
});

it('a thread that fails rejects its own questions, and the next question starts another', async () => {
  const store = sqliteStore('state.db');
  const principals = store.principals();
  Thread.started[0]!.emit('error', new Error('out of memory'));
  await expect(principals).rejects.toThrow('out of memory');
  const again = store.principals();
  Thread.started[1]!.answer('principals', []);
  expect(await again).toEqual([]);
});
