/** How many results one check remembers. A full memo is emptied: a peer can replace its entries but not make it grow. */
const CAPACITY = 1024;

/** Remembers the results of a slow check on short strings. A string longer than `longest` is refused unread. */
export function remember(check: (text: string) => boolean, longest: number): (text: string) => boolean {
  const verdicts = new Map<string, boolean>();
  return (text) => {
    if (text.length > longest) return false;
    const known = verdicts.get(text);
    if (known !== undefined) return known;
    if (verdicts.size >= CAPACITY) verdicts.clear();
    const verdict = check(text);
    verdicts.set(text, verdict);
    return verdict;
  };
}
