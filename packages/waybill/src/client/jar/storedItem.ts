import { isObject, type Json } from '../../wire/json.js';
import { itemBytes } from './limits.js';
import { isTombstone, type Entry, type Item } from './item.js';

/** The format of a name in a store: `{"written": ms, "values": [[id, value], …]}`. */

export function writeBody(item: Item): string | undefined {
  if (isTombstone(item)) return undefined;
  return JSON.stringify({ written: item.written, values: item.entries.map(({ id, value }) => [id, value]) });
}

interface Body {
  readonly written: number;
  readonly entries: readonly Entry[];
}

/** Reads a row; returns `undefined` if it is not ours. `tick` gives a revision to values that this jar sees for the first time. */
export function readBody(body: string, name: string, known: Item | undefined, tick: () => number): Body | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (!isObject(parsed) || typeof parsed['written'] !== 'number' || !Array.isArray(parsed['values'])) return undefined;
  const entries: Entry[] = [];
  for (const pair of parsed['values'] as unknown[]) {
    if (!Array.isArray(pair) || typeof pair[0] !== 'string' || pair[1] === undefined) return undefined;
    const [id, value] = pair as [string, Json];
    const same = known?.entries.find((entry) => entry.id === id);
    if (same) entries.push(same);
    else {
      const now = tick();
      entries.push({ id, value, bytes: itemBytes(name, value, Infinity) ?? 0, revision: now, issued: now });
    }
  }
  return entries.length > 0 ? { written: parsed['written'], entries } : undefined;
}
