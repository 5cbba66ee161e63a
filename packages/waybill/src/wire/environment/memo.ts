/** How many verdicts one check remembers. Full means: forget them all; a peer may churn the memo but not grow it. */
const CAPACITY = 1024;

/** A slow check on short strings, run once per spelling. What is longer than `longest` is refused without being looked at. */
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
