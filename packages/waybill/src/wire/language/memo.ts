/** How many results a memo keeps. A peer chooses the keys: it can replace entries but not make the memo grow. */
const CAPACITY = 512;

/** Remembers a result. A full memo is emptied, which costs less than tracking the age of entries. */
export function remember<T>(memo: Map<string, T>, key: string, value: T): T {
  if (memo.size >= CAPACITY) memo.clear();
  memo.set(key, value);
  return value;
}
