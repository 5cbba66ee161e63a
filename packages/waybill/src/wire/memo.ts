/**
 * Puts an entry into a map whose keys a peer chooses: it can replace entries but not make the map grow. A full map is emptied, which costs less
 * than tracking the age of entries.
 */
export function keep<K, V>(memo: Map<K, V>, key: K, value: V, most = 512): V {
  if (memo.size >= most && !memo.has(key)) memo.clear();
  memo.set(key, value);
  return value;
}
