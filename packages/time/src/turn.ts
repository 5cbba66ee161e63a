/** Chooses the year or the Monday that is meant: by the tense of the sentence, then by `prefer`; otherwise the nearest year, and the next Monday. */
import { readAgain, type Place } from './parse/find.js';
import { sourceOf, type Folded } from './parse/fold.js';
import type { Lexicon } from './parse/lexicon.js';
import { REFUSED, type Found } from './parse/outcome.js';
import { findItem, itemAt, type Reader } from './parse/reader.js';
import { isTonight } from './resolve.js';
import { endOf, startOf, type Reading } from './span.js';
import { tenseOf, type Prefer } from './tense.js';
import type { When } from './when.js';

/** `others`: the reading of the other direction. */
export type Turned = Found & { readonly others: readonly Reading[] };

/** `place` was read looking ahead. */
export function turn(
  reader: Reader,
  { at, outcome }: Place,
  lexicon: Lexicon,
  folded: Folded,
  asked: Prefer | undefined,
): Turned | undefined {
  const ahead = outcome === REFUSED ? undefined : outcome;
  if (ahead && !isOpen(ahead)) return { ...ahead, others: [] };
  const { start, end } = itemAt(reader, at);
  const { index, text } = sourceOf(folded, start, ahead ? itemAt(reader, ahead.end - 1).end : end);
  const prefer = tenseOf(lexicon.tense, folded.source, index, index + text.length) ?? asked;
  // Refused, but "after Friday" has an answer where the sentence looks back.
  if (!ahead && prefer !== 'past') return undefined;
  const back = readAgain(reader, at, 'past');
  if (!ahead || !back) return withOther(prefer === 'past' ? back : ahead, undefined);
  if (prefer === 'past' && isOpenUntil(reader, ahead, folded.source)) {
    reader.blame = { reason: 'several', start: ahead.start, end: ahead.end };
    return undefined;
  }
  const isYearless = ahead.yearless || (ahead.fields === undefined && hasBareMonth(reader, ahead));
  const isBack = prefer === undefined ? isYearless && distance(reader.when, back) < distance(reader.when, ahead) : prefer === 'past';
  return isBack ? withOther(back, ahead) : withOther(ahead, back);
}

/** "Plazo abierto hasta el viernes": outside a question, a participle tells of now as often as of the past, and then the end is to come. */
function isOpenUntil(reader: Reader, { start, end, kind }: Found, source: string): boolean {
  if (kind !== 'until' || reader.when.locale.language === 'en' || /[?？]/.test(source)) return false;
  return findItem(reader, start, end + 1, ({ word }) => word.bound === 'until' || word.boundPost === 'until') !== undefined;
}

/** "The week of March 9", "two days after 5 May": a month is said, and no year. */
function hasBareMonth(reader: Reader, { start, end }: Found): boolean {
  return (
    findItem(reader, start, end, ({ word }) => word.month) !== undefined &&
    findItem(reader, start, end, ({ digits, word }) => digits === 4 || word.rel !== undefined) === undefined
  );
}

/** Tells whether the direction can matter: not where a year, a distance from now or a clock time alone is all there is. */
function isOpen({ fields, kind, yearless, isTurning }: Found): boolean {
  if (isTurning) return true;
  if (yearless || fields === undefined) return kind !== 'since';
  if (fields.shift?.open || isTonight(fields)) return true;
  if ((fields.year ?? fields.span ?? fields.shift) !== undefined || (fields.turn !== undefined && fields.turn.by !== 0)) return false;
  return (
    (fields.weekday ?? fields.day ?? fields.month ?? fields.quarter ?? fields.half ?? fields.week ?? fields.clock ?? fields.nth) !==
    undefined
  );
}

function withOther(chosen: Found | undefined, other: Found | undefined): Turned | undefined {
  return chosen && { ...chosen, others: other ? [{ span: other.span, kind: other.kind }] : [] };
}

/** The distance from now. An open stretch is measured at its one end. */
function distance(when: When, { span, kind }: Found): number {
  const [start, end] = [startOf(when, span), endOf(when, span)];
  if (kind === 'since' || kind === 'from') return Math.abs(start - when.now);
  return when.now < start ? start - when.now : when.now >= end ? when.now - end : 0;
}
