/** transports-wg #31 in the reference client: whether what a tool requires is declared. */
import { at, isObject, type Message } from '../../wire/json.js';

/** CAP-12: every member of the requirement is declared, down to `depth` levels. CAP-23: a requirement that is deeper than any real one is unmet. */
export function met(needs: Message, declared: unknown, depth: number): boolean {
  return Object.entries(needs).every(([key, part]) => {
    const own = at(declared, key);
    return isObject(own) && (depth <= 1 || !isObject(part) || met(part, own, depth - 1));
  });
}

export function depthOf(value: unknown): number {
  let [depth, level] = [0, [value]];
  while (level.some(isObject)) [depth, level] = [depth + 1, level.filter(isObject).flatMap(Object.values)];
  return depth;
}
