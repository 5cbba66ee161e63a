/** How many answers a memo keeps. A peer chooses the keys, so it may churn a memo but not grow it. */
const CAPACITY = 512;

/** Remembers an answer; the oldest goes when the memo is full. */
export function remember<T>(memo: Map<string, T>, key: string, value: T): T {
  if (memo.size >= CAPACITY) for (const oldest of memo.keys()) if (memo.delete(oldest)) break;
  memo.set(key, value);
  return value;
}
