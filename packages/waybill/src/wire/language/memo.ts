/** How many answers a memo keeps. A peer chooses the keys, so it may churn a memo but not grow it. */
const CAPACITY = 512;

/** Remembers an answer. A full memo forgets everything, which costs less than keeping count of what is old. */
export function remember<T>(memo: Map<string, T>, key: string, value: T): T {
  if (memo.size >= CAPACITY) memo.clear();
  memo.set(key, value);
  return value;
}
