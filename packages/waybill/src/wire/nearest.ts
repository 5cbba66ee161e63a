/** Returns the name that the writer of `text` most likely meant, or `undefined` if none is close. */
export function nearest(text: string, names: Iterable<string>): string | undefined {
  const written = text.slice(0, LONGEST).toLowerCase();
  let best: string | undefined;
  // A third of the letters may be wrong: `langauge` is `language`, `tool` is not `trace`.
  let least = Math.floor(written.length / 3) + 1;
  for (const name of names) {
    const distance = editDistance(written, name.toLowerCase());
    if (distance >= least) continue;
    least = distance;
    best = name;
  }
  return best;
}

const LONGEST = 64;

/** Counts the letters that have to be inserted, removed, replaced or swapped with their neighbour. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const costs = [at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (isSame ? 0 : 1)];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (row > 1 && column > 1 && isSwapped) costs.push(at(beforeLast, column - 2) + 1);
      current.push(Math.min(...costs));
    }
    beforeLast = last;
    last = current;
  }
  return at(last, to.length);
}

function at(numbers: readonly number[], index: number): number {
  return numbers[index] ?? Infinity;
}
