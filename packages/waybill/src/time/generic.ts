import type { Hit } from './range.js';
import type { Folded } from './parse/fold.js';
import type { When } from './when.js';
export function findRelative(_folded: Folded, _when: When, _prefer: 'future' | 'past'): { hit: Hit | undefined; steps: number } {
  return { hit: undefined, steps: 0 };
}
