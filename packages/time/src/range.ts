/**
 * From a phrase to an interval: "last month" to exact instants, in the user's zone and language (SEP-1809, CTX-07). An unsupported
 * phrase is `undefined`, never a guess; a phrase with two readings lists the other.
 */
import { phraseOfLength, spreadIdentifiers } from './agents.js';
import type { Languages } from './languages/languages.js';
import { maskAddresses } from './mask.js';
import { readHoliday } from './namedHoliday.js';
import { fold, sourceOf, type Folded } from './parse/fold.js';
import { recognise, type Hit } from './recognise.js';
import { intervalOf } from './span.js';
import type { Prefer } from './tense.js';
import { inEnglish, moveTo, readWhen, type When } from './when.js';
import { isWhole } from './whole.js';
import { readZone, type Zoned } from './zoneMark.js';
import type { Interval, Range, RangeFunction, RangeOptions } from './types.js';

const PREFERENCES: ReadonlySet<unknown> = new Set(['future', 'past', undefined]);

export function readOptions(text: string, options: RangeOptions): { when: When; prefer: Prefer | undefined } {
  if (typeof text !== 'string') throw new TypeError('text: not a string');
  const when = readWhen(options);
  const { prefer } = options;
  if (!PREFERENCES.has(prefer)) throw new RangeError(`prefer: ${String(prefer)} is neither "future" nor "past"`);
  return { when, prefer };
}

export const rangeIn =
  (languages: Languages): RangeFunction =>
  (text, options) => {
    const { when, prefer } = readOptions(text, options);
    const found = text.length > LONG ? readLong(languages, text, when, prefer) : readZoned(languages, text, when, prefer);
    if (found && options.whole === true && !isWhole(languages, when.locale.language, text, found)) return undefined;
    return found;
  };

/** Longer texts are prose: a zone is looked for beside the phrase alone. */
const LONG = 4096;

const AROUND = 64;

function readLong(languages: Languages, text: string, when: When, prefer: Prefer | undefined): Range | undefined {
  const found = read(languages, text, when, prefer);
  if (!found) return undefined;
  const from = Math.max(0, found.index - AROUND);
  const part = text.slice(from, found.index + found.text.length + AROUND);
  if (!readZone(part)) return found;
  const zoned = readZoned(languages, part, when, prefer);
  return zoned && { ...zoned, index: zoned.index + from };
}

/** "3pm UTC": the phrase is read on that zone's clock, and answered in the caller's. */
function readZoned(languages: Languages, text: string, when: When, prefer: Prefer | undefined): Range | undefined {
  const zoned = readZone(text);
  if (!zoned) return read(languages, text, when, prefer);
  const range = zoned.zone && read(languages, zoned.text, moveTo(when, zoned.zone), prefer);
  return range && inOwnZone(when, range, text, zoned);
}

function read(languages: Languages, text: string, when: When, prefer: Prefer | undefined): Range | undefined {
  const length = phraseOfLength(text, prefer === 'future', when.locale.language);
  if (length !== undefined) return wholeText(readIn(languages, length, inEnglish(when), undefined), text);
  return readIn(languages, spreadIdentifiers(maskAddresses(text)), when, prefer, text);
}

function readIn(languages: Languages, text: string, when: When, prefer: Prefer | undefined, source = text): Range | undefined {
  const folded = fold(text);
  const { hit } = readHoliday(languages, folded, when, prefer) ?? recognise(languages, folded, when, prefer);
  return hit && rangeOf(when, { ...folded, source }, hit);
}

const wholeText = (range: Range | undefined, text: string): Range | undefined =>
  range && { ...range, text: text.trim(), index: text.length - text.trimStart().length };

function inOwnZone({ zone }: When, range: Range, source: string, { marks }: Zoned): Range {
  const { index, alternatives } = range;
  let end = index + range.text.length;
  for (const mark of marks)
    if (/^\s?[([]?$/.test(source.slice(end, mark.start))) end = source.charAt(mark.end) === ')' ? mark.end + 1 : mark.end;
  const moved = <T extends Interval>(interval: T): T => ({
    ...interval,
    start: interval.start?.withTimeZone(zone.id),
    end: interval.end?.withTimeZone(zone.id),
  });
  const text = source.slice(index, end);
  return alternatives ? { ...moved(range), text, alternatives: alternatives.map(moved) } : { ...moved(range), text };
}

function rangeOf(when: When, folded: Folded, hit: Hit): Range | undefined {
  const { index, text } = sourceOf(folded, hit.start, hit.end);
  const interval = intervalOf(when, hit);
  if (!interval) return undefined;
  const alternatives: Interval[] = [];
  for (const other of hit.others) {
    const reading = intervalOf(when, other);
    if (reading && ![interval, ...alternatives].some((known) => isSame(known, reading))) alternatives.push(reading);
  }
  return alternatives.length === 0 ? { ...interval, text, index } : { ...interval, text, index, alternatives };
}

export const isSame = (a: Interval, b: Interval): boolean =>
  a.start?.epochMilliseconds === b.start?.epochMilliseconds && a.end?.epochMilliseconds === b.end?.epochMilliseconds;
