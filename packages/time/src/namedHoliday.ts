/** A holiday that the caller's calendar knows by name, in a sentence. */
import { chooseHoliday, findHoliday, holidaySpans } from './holidays.js';
import type { Languages } from './languages/languages.js';
import { sourceOf, type Folded } from './parse/fold.js';
import { lex, type Item } from './parse/lex.js';
import { asPeriod, recognise, type Recognised } from './recognise.js';
import { tenseOf, type Prefer } from './tense.js';
import type { When } from './when.js';

/** A holiday that the caller knows by name; whatever else the text says about time refuses it. */
export function readHoliday(languages: Languages, folded: Folded, when: When, prefer: Prefer | undefined): Recognised | undefined {
  const named = findHoliday(folded, when);
  if (!named) return undefined;
  const { start, end } = named;
  const rest = `${folded.text.slice(0, start)}${'x'.repeat(end - start)}${folded.text.slice(end)}`;
  if (recognise(languages, { ...folded, text: rest, source: rest }, when, prefer).isTime) return { hit: undefined, isTime: true, steps: 0 };
  const lexicon = languages.lexicon(when.locale.language) ?? languages.plain();
  if (isRelated(lex({ ...folded, text: rest }, lexicon), start, end)) return { hit: undefined, isTime: true, steps: 0 };
  const { index, text } = sourceOf(folded, start, end);
  const tense = tenseOf(lexicon.tense, folded.source, index, index + text.length) ?? prefer;
  const [first, ...others] = chooseHoliday(when, holidaySpans(when, named), tense).map(asPeriod);
  return { hit: first && { ...first, others, start, end }, isTime: true, steps: 0 };
}

/** "Before Christmas", "the week after Easter": another time than the holiday itself. */
function isRelated(items: readonly Item[], start: number, end: number): boolean {
  const before = items.filter((item) => item.end > 0 && item.end <= start && start - item.end <= NEAR).slice(-2);
  const behind = items.filter((item) => item.start >= end && item.start - end <= NEAR).slice(0, 2);
  return [...before, ...behind].some(({ word, num }) => {
    const { bound, boundPost, off, age, lead, rel, edge, third, thirdPost, vague, spoils, unit, each, ago, at } = word;
    const isRelation =
      bound ?? boundPost ?? off ?? age ?? rel ?? edge ?? third ?? thirdPost ?? vague ?? spoils ?? unit ?? each ?? ago ?? at;
    return num !== undefined || isRelation !== undefined || (lead !== undefined && !word.prep);
  });
}

/** Characters between a holiday and a word that may change it. */
const NEAR = 16;
