/**
 * Every word that touches a phrase is accounted for, or the phrase is refused. A word of the grammar was judged by its sense already. An unknown
 * word may stand before a preposition ("kick-off in March"), in a sentence where it cannot modify the phrase ("who left the team last week"), and
 * anywhere if the grammar lists it as neutral. "Crack of yesterday", "Taco Tuesday", "tomorrow at kick-off" have no answer.
 */
import type { Found } from './outcome.js';
import { blames, type Reader } from './reader.js';
import { allowsBefore } from './wordsBefore.js';
import { allowsBehind } from './wordsBehind.js';

export function isAccounted(reader: Reader, found: Found): boolean {
  if (reader.joined) return reader.joined.touchesNothing(reader, found) || !blames(reader, 'beside', found.start - 1, found.end + 1);
  if (!allowsBefore(reader, found)) return !blames(reader, 'beside', found.start - 1);
  return allowsBehind(reader, found) || !blames(reader, 'beside', found.end);
}
