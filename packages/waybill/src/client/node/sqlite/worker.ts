import { parentPort, workerData } from 'node:worker_threads';
import { findDriver, isBusy, isCorrupt } from './driver.js';
import { openFile } from './file.js';
import { Tables } from './tables.js';

/** A question of the main thread: a `Tables` method by name, `start`, `watch`, or `close`. */
export interface WorkerRequest {
  readonly id: number;
  readonly method: 'load' | 'save' | 'end' | 'drawers' | 'principals' | 'start' | 'watch' | 'close';
  readonly args: readonly unknown[];
}

export type Answered =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string }
  | { readonly changed: { readonly principal: string; readonly server: string } | undefined }
  | { readonly ended: readonly [principal: string, conversation: string] }
  | { readonly problem: string };

/** Milliseconds between tries. SQLite can wait for a lock only by blocking; here it blocks only this thread, and never for long. */
const AGAIN = 5;
const POLL = 50;

const { file, patience } = workerData as { file: string; patience: number };
let tables: Tables | undefined;
/** Writes wait for each other; reads do not wait for writes. */
let writing: Promise<unknown> = Promise.resolve();

function say(message: Answered): void {
  parentPort?.postMessage(message);
}

async function opened(): Promise<Tables> {
  const open = await findDriver();
  const report = (problem: string): void => {
    say({ problem });
  };
  return (tables ??= new Tables(openFile(file, open, report), report));
}

/** Repeats until the lock is free, or the time of the store is over. */
async function patiently<T>(run: (tables: Tables) => T): Promise<T> {
  for (const until = performance.now() + patience; ;) {
    try {
      return run(tables ?? (await opened()));
    } catch (error) {
      if (isCorrupt(error)) {
        // The file broke while it was in use: the next question finds it broken, moves it aside and creates a new one.
        tables?.close();
        tables = undefined;
      }
      if (!isBusy(error) || performance.now() > until) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
  }
}

function inTurn<T>(run: () => Promise<T>): Promise<T> {
  const turn = writing.then(run, run);
  writing = turn.catch(() => undefined);
  return turn;
}

/** Runs without a waiting caller. The reason of a failure shows with the next question. */
function afterwards(run: (tables: Tables) => void): void {
  inTurn(() => patiently(run)).catch(() => undefined);
}

async function answer({ method, args }: WorkerRequest): Promise<unknown> {
  const call = (tables: Tables): unknown => (tables[method as 'load'] as (...args: unknown[]) => unknown).apply(tables, args as unknown[]);
  // Tries once and ignores a failure: a lock is waited for, and a missing driver shows, when the file is read.
  if (method === 'start') {
    await opened().catch(() => undefined);
    return undefined;
  }
  if (method === 'watch') return void setInterval(news, POLL);
  if (method === 'close') {
    await writing;
    return tables?.close();
  }
  if (method !== 'save' && method !== 'end') {
    const result = await patiently(call);
    // After the answer: reads do not wait for the lock that this needs.
    const damaged = tables?.takeDamaged() ?? [];
    if (damaged.length > 0) afterwards((open) => open.deleteDamaged(damaged));
    return result;
  }
  const result = await inTurn(() => patiently(call));
  if (method === 'end' || deletes(args)) afterwards((open) => open.tidy());
  return result;
}

function deletes([batch]: readonly unknown[]): boolean {
  return (batch as readonly { changes: readonly { body?: string }[] }[]).some(({ changes }) =>
    changes.some(({ body }) => body === undefined),
  );
}

function news(): void {
  if (tables === undefined) return;
  try {
    const told = tables.news();
    if (told === undefined) say({ changed: undefined });
    for (const { principal, server, conversation } of told ?? []) {
      if (conversation !== undefined) say({ ended: [principal, conversation] });
      else say({ changed: server === undefined ? undefined : { principal, server } });
    }
  } catch {
    // A lock, or a fault that the next read meets too.
  }
}

parentPort?.on('message', (request: WorkerRequest) => {
  answer(request).then(
    (result) => {
      say({ id: request.id, result });
      if (request.method === 'close') process.exit(0);
    },
    (error: unknown) => {
      say({ id: request.id, error: error instanceof Error ? error.message : String(error) });
    },
  );
});
