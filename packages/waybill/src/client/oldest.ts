/** Drops the entry that was set first if there are more than `most`. Returns true if it did. */
export function dropOldest<K>(entries: Map<K, unknown> | Set<K>, most: number): boolean {
  if (entries.size > most) for (const oldest of entries.keys()) return entries.delete(oldest);
  return false;
}
