/** Questions about one word that stands beside a phrase. */
import type { Word } from './lexicon.js';

/** A word that says something about time, whatever else it may be. */
export function isAboutTime(word: Word): boolean {
  if (word.weak || word.article || (word.ord !== undefined && !word.plural)) return false;
  const { unit, weekday, month, part, day, span, half, quarter, hour, toDate, spell, deadline, thirdUnit } = word;
  if ((word.workday ?? word.fiscal ?? word.feast) !== undefined) return true;
  return (
    (unit ?? weekday ?? month ?? part ?? day ?? span ?? half ?? quarter ?? hour ?? toDate ?? spell ?? deadline ?? thirdUnit) !== undefined
  );
}

export const isLink = ({ of, prep, skip, num, day }: Word): boolean =>
  (of ?? prep ?? (skip && num === undefined && day === undefined)) === true;

/** Articles and joints that may stand between a phrase and a word that changes it. */
export const isJoint = (word: Word): boolean => isLink(word) || (word.and ?? word.or ?? word.at ?? word.article) === true;
