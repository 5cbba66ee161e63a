import { cleanLine } from './output.js';

/** Known names that look like a misspelt one, for "Did you mean …?". */
export function nearest(name: string, known: Iterable<string>, most = 3): string[] {
  const wanted = name.toLowerCase();
  const limit = Math.max(2, Math.floor(wanted.length / 3));
  return [...known]
    .map((one) => ({ one, away: distanceOf(wanted, one.toLowerCase()) }))
    .filter(({ away }) => away <= limit)
    .sort((a, b) => a.away - b.away)
    .slice(0, most)
    .map(({ one }) => one);
}

/** A part of the name, or a name that contains it, is one step away. */
function distanceOf(a: string, b: string): number {
  if (a === b) return 0;
  if (a.length > 2 && (b.includes(a) || (b.length > 2 && a.includes(b)))) return 1;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1));
    row = next;
  }
  return row[b.length] ?? 0;
}

/** "Did you mean a, b or c?", or else every name there is. */
export const suggestion = (name: string, known: readonly string[]): string =>
  didYouMean(name, known) ?? `There are: ${known.map(cleanLine).join(', ') || 'none'}.`;

/** "Did you mean a, b or c?", or nothing if no name is near. */
export function didYouMean(name: string, known: Iterable<string>): string | undefined {
  const found = nearest(name, known);
  if (found.length === 0) return undefined;
  return `Did you mean ${found.length === 1 ? '' : `${found.slice(0, -1).join(', ')} or `}${found.at(-1) ?? ''}?`;
}
