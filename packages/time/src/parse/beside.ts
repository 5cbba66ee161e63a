/**
 * The words beside a phrase belong to it or refuse it: "8 this evening", "nights last week", "tomorrow at lunch", "> yesterday". A word that
 * the grammar knows as one about time must not be left over next to a phrase. An unknown word may stand there, unless a word of time leads to it.
 */
import type { Fields } from '../fields.js';
import { readLength } from './length.js';
import { leftOver } from './leftOver.js';
import type { Item } from './lex.js';
import type { Word } from './lexicon.js';
import { readMoment, skipLinks } from './moment.js';
import { isAccounted } from './neighbours.js';
import type { Found } from './outcome.js';
import { blames, findItem, isCapital, isSum, isUnknown, itemAt, markAt, wordAt, type Reader } from './reader.js';
import { DAY_MS } from '../zone.js';
import { rightOver } from './rightOver.js';
import { isAboutTime, isJoint } from './timeWords.js';

/** Marks that compute or compare: what stands beside them is an operand. */
const OPERATOR = /^[<>=+*≥≤±^|~≈]$/;

export function isBeside(reader: Reader, found: Found): boolean {
  const { start, end } = found;
  if (isCompared(reader, found)) return blames(reader, 'several', start, end + 2);
  if (isAltered(reader, start, end)) return blames(reader, 'beside', Math.max(0, start - 1), end + 1);
  const excluding = excludedBy(reader, found);
  if (excluding !== undefined) return blames(reader, 'beside', excluding);
  if (isRough(reader, found)) return blames(reader, 'vague', start - 1, end);
  if (leftOver(reader, found)) return blames(reader, 'beside', start - 1);
  if (isNarrowedTo(reader, found)) return blames(reader, 'beside', end, end + NARROWED);
  if (rightOver(reader, found)) return blames(reader, 'beside', end, end + 2);
  if (!isAccounted(reader, found)) return true;
  return (isOperand(reader, found) || isCompound(reader, found) || isStreet(reader, found)) && blames(reader, 'beside', start - 1, end + 1);
}

/** "About 3 weeks ago", "around 5 March", 金曜日ごろ. "About 3pm", "about a month ago", "around next week" are near enough. */
function isRough(reader: Reader, { start, end, fields }: Found): boolean {
  if (fields?.clock) return false;
  let from = start - 1;
  for (let steps = 0; steps < 2 && leadsOn(wordAt(reader, from)); steps++) from--;
  const isNumbered =
    findItem(reader, start, end, ({ num, word }) => (num ?? (word.article ? undefined : word.num)) !== undefined) !== undefined;
  const isExact = fields !== undefined && (fields.span ?? fields.shift ?? fields.turn) === undefined;
  const isRoughly = ({ about }: Word): boolean =>
    about === 'of' ? isNumbered && fields?.span !== undefined : about === true && (isNumbered || isExact);
  return findItem(reader, from, end + 1, ({ word }) => isRoughly(word)) !== undefined;
}

/** A preposition or article between such a word and the phrase: "respecto al", "aux environs du". */
const leadsOn = (word: Word): boolean => !(word.about ?? word.compares) && (isJoint(word) || word.to === true);

function isAltered(reader: Reader, start: number, end: number): boolean {
  let [left, right] = [start - 1, end];
  for (let steps = 0; steps < 2 && isJoint(wordAt(reader, left)) && !wordAt(reader, left).alters; steps++) left--;
  // "On March 30 and never got it"
  const isJoined = (at: number): boolean => isJoint(wordAt(reader, at)) && !wordAt(reader, at).and;
  for (let steps = 0; steps < 2 && isJoined(right) && !wordAt(reader, right).alters; steps++) right++;
  const [before, behind] = [wordAt(reader, left), wordAt(reader, right)];
  if (OPERATOR.test(markAt(reader, left)) && left < start - 1) return true;
  if (wordAt(reader, start - 1).alters === 'touching') return true;
  return before.alters === true || behind.alters === true || (before.age !== undefined && before.ageAlone === true);
}

/** Words between the one that excludes and the phrase. */
const EXCLUDED = 6;

/** "Everything except the orders from last week", 先週の注文以外: the phrase says what is left out. Returns the word that says so. */
function excludedBy(reader: Reader, { start, end, kind }: Found): number | undefined {
  let isOf = wordAt(reader, start).from === true;
  for (let at = start - 1; at >= start - EXCLUDED && markAt(reader, at) === ''; at--) {
    const { excludes, of, from } = wordAt(reader, at);
    const { skip, article } = wordAt(reader, at + 1);
    // "Do not deliver before Monday"
    if (excludes === true || (excludes && (kind === 'until' || (isOf && (skip ?? article))))) return at;
    isOf ||= (of ?? from) === true;
  }
  return findItem(reader, end, end + EXCLUDED, ({ word }) => word.excludes === 'behind');
}

const NARROWED = 8;

/** "All of last week, minus Tuesday", "next week but Friday", "today, at the end of the day": a word that narrows, and a time to which. */
function isNarrowedTo(reader: Reader, { end, span }: Found): boolean {
  const isLong = span.exact === 0 && span.to - span.from > DAY_MS;
  for (let at = end; at < end + NARROWED && !/^[.!?;]$/.test(markAt(reader, at)); at++) {
    const { vague, edge, alters, spell, part } = wordAt(reader, at);
    // "Last week only in the evenings"
    if (isLong && (spell ?? part) !== undefined) return true;
    const next = skipLinks(reader, at + 1);
    const takes = vague ?? edge ?? (alters === 'touching' && at > end ? undefined : alters);
    if (takes !== undefined && (isAboutTime(wordAt(reader, next)) || readMoment(reader, next) || readLength(reader, next))) return true;
  }
  return false;
}

const COMPARED = 5;

/** "Last month vs last year", "compare March with April": one of two. */
function isCompared(reader: Reader, { start, end, fields, kind }: Found): boolean {
  const compares = ({ word }: Item): unknown => word.compares;
  const leads = findItem(reader, start - COMPARED, start, compares) !== undefined;
  const joint = leads ? end : findItem(reader, end, end + COMPARED, compares);
  if (joint !== undefined && fields === undefined && kind === 'period') return true;
  if (leads && findItem(reader, start - COMPARED, start, ({ word }) => word.month ?? word.weekday) !== undefined) return true;
  let left = start - 1;
  for (let steps = 0; steps < 2 && leadsOn(wordAt(reader, left)); steps++) left--;
  // "Vs last month", "up 10% from last week"
  if (wordAt(reader, left).compares === 'with') return true;
  if (isSum(reader, start - 2) && (wordAt(reader, start - 1).from ?? wordAt(reader, start - 1).age) && isBefore(fields)) return true;
  if (joint === undefined) return false;
  for (let at = end + 1; at <= joint + COMPARED; at++) {
    const { rel, lastYears } = wordAt(reader, at);
    // "Compare this week with the last"
    if ((rel ?? lastYears) !== undefined || isAboutTime(wordAt(reader, at)) || readMoment(reader, at)) return true;
  }
  return false;
}

const isBefore = (fields: Fields | undefined): boolean => (fields?.shift?.by ?? fields?.turn?.by ?? 0) < 0;

/** "gte:2025-03-01", 2020/23/Sep, "1.1.–31.1.2026" from its second date on. */
const JOINED_BEFORE = /[\dd][/.:]$|\.-$|\.\. ?$|[gl]te?:$/;
/** 2025-03-01/PT2H, 2025-03-01--2025-03-05, 24h/24, "today - 7 days". */
const JOINED_BEHIND = /^ ?(?:-[-\d]|- \d|\.\.(?!\.+ ?(?:[^\dp.]|$))|[/:][\dp.])/;

function isOperand(reader: Reader, { start, end }: Found): boolean {
  const mark = markAt(reader, start - 1);
  // "!yesterday"
  if (mark === '!' && itemAt(reader, start).glued) return true;
  // "period=last_month" names it, ">= 2026-03-01" compares with it.
  const before = mark === '=' && !/[<>=!]/.test(markAt(reader, start - 2)) ? '' : mark;
  if (OPERATOR.test(before) || OPERATOR.test(markAt(reader, end))) return true;
  const [from, to] = [itemAt(reader, start).start, itemAt(reader, end - 1).end];
  if (JOINED_BEFORE.test(reader.text.slice(Math.max(0, from - 4), from)) || JOINED_BEHIND.test(reader.text.slice(to, to + 9))) return true;
  // "since:yesterday"
  return mark === ':' && (wordAt(reader, start - 2).bound ?? wordAt(reader, start - 2).off) !== undefined;
}

/** "Rua Sete de Setembro": a number in words has a capital only in a name. */
const isStreet = (reader: Reader, { start, end }: Found): boolean =>
  reader.when.locale.language !== 'en' &&
  findItem(
    reader,
    Math.max(1, start),
    end,
    ({ word, start: place }) =>
      (word.num ?? word.ord) !== undefined && (word.weekday ?? word.month) === undefined && isCapital(reader, place),
  ) !== undefined;

/** "Pre-2024", "afternoon-ish", "quinta-essência": a hyphen makes one word of two. */
function isCompound(reader: Reader, { start, end }: Found): boolean {
  const [from, to] = [itemAt(reader, start).start, itemAt(reader, end - 1).end];
  if (/\p{L}-$/u.test(reader.text.slice(Math.max(0, from - 2), from)) && isUnknown(reader, start - 2)) return true;
  return /^-\p{L}/u.test(reader.text.slice(to, to + 2)) && (isUnknown(reader, end + 1) || wordAt(reader, end + 1).ish === true);
}
