import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { requireDriver } from './sqlite/driver.js';
import { checkMembers, expectMilliseconds, LONGEST_TIMER } from '../../wire/check.js';
import type { StateStore, StoreWatcher } from '../jar/store.js';
import { within } from '../jar/timeouts.js';
import type { Answered, WorkerRequest } from './sqlite/worker.js';

export interface SqliteOptions {
  /** Milliseconds to wait for a lock of another process. */
  readonly lockTimeout?: number;
}

/** Milliseconds that anything may take beyond the lock, until the thread is ended. */
const GRACE = 6_000;

const WATCH: WorkerRequest = { id: 0, method: 'watch', args: [] };

interface Waiting {
  readonly worker: Worker;
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Keeps a jar in one SQLite file, for this process and others on the same machine. The drivers are synchronous, so they run in their own
 * thread: a lock or a slow disk never stops this one. The thread starts at once and does not keep the process alive.
 */
export function sqliteStore(file: string, options: SqliteOptions = {}): StateStore {
  if (typeof file !== 'string' || file === '') throw new TypeError('sqliteStore.file: expected a path');
  checkMembers(options, { lockTimeout: expectMilliseconds }, 'sqliteStore');
  const { lockTimeout = 4_000 } = options;
  requireDriver();
  const path = resolve(file);
  const waiting = new Map<number, Waiting>();
  const watchers = new Set<StoreWatcher>();
  /** Problems from before anybody watched. */
  const untold: string[] = [];
  let worker: Worker | undefined;
  let closing: Promise<void> | undefined;
  let last = 0;

  function start(): Worker {
    const started = new Worker(new URL('./sqlite/worker.js', import.meta.url), {
      workerData: { file: path, patience: lockTimeout },
      // Options of the host (--import, --inspect-brk) are not for this thread: they would run its modules twice, or stop it.
      execArgv: [],
    });
    started.on('message', receive);
    const failed = (error: Error): void => {
      // A thread may end after its successor has started: only its own questions are lost.
      if (worker === started) worker = undefined;
      for (const [id, one] of waiting) {
        if (one.worker !== started) continue;
        waiting.delete(id);
        one.reject(error);
      }
    };
    started.on('error', failed);
    started.on('exit', () => {
      failed(new Error('the thread of the store has ended'));
    });
    started.unref();
    if (watchers.size > 0) started.postMessage(WATCH);
    return started;
  }

  function receive(message: Answered): void {
    if ('id' in message) {
      const one = waiting.get(message.id);
      forget(message.id);
      if ('result' in message) one?.resolve(message.result as never);
      else one?.reject(new Error(`${file}: ${message.error}`));
      return;
    }
    if ('problem' in message && watchers.size === 0) untold.push(message.problem);
    for (const watcher of watchers) {
      if ('problem' in message) watcher.problem(`${file} ${message.problem}`);
      else if ('ended' in message) watcher.ended(...message.ended);
      else watcher.changed(message.changed);
    }
  }

  /** A thread that hangs on a disk must not keep the process alive for ever. */
  function ask<T>(method: WorkerRequest['method'], ...args: readonly unknown[]): Promise<T> {
    const running = (worker ??= start());
    running.ref();
    const id = ++last;
    running.postMessage({ id, method, args } satisfies WorkerRequest);
    const answered = new Promise<T>((resolve, reject) => waiting.set(id, { worker: running, resolve, reject }));
    return within(answered, Math.min(lockTimeout + GRACE, LONGEST_TIMER)).catch((error: unknown) => {
      forget(id);
      throw error;
    });
  }

  function forget(id: number): void {
    waiting.delete(id);
    if (waiting.size === 0) worker?.unref();
  }

  async function close(): Promise<void> {
    if (worker === undefined) return;
    const ending = worker;
    await ask('close').finally(() => {
      worker = undefined;
      ending.unref();
    });
    await ending.terminate();
  }

  // Starting takes longer than a request may wait for a store, so it begins at once. A failure shows when the file is read.
  const starting = ask('start').catch(() => undefined);

  return {
    starting,
    load: ({ principal, server }) => ask('load', { principal, server }),
    save: (batch) => ask('save', batch),
    end: (principal, conversation) => ask('end', principal, conversation),
    drawers: (principal) => ask('drawers', principal),
    principals: () => ask('principals'),
    watch(watcher) {
      watchers.add(watcher);
      for (const problem of untold.splice(0)) watcher.problem(`${file} ${problem}`);
      if (watchers.size === 1 && worker) worker.postMessage(WATCH);
      return () => void watchers.delete(watcher);
    },
    // A second close waits for the first: the thread ends once.
    close: () =>
      (closing ??= close().finally(() => {
        closing = undefined;
      })),
  };
}
