/** Why a phrase has an answer or none, so that a tool can ask back in one sentence: "I understood 'tomorrow', but not 'at lunch'." */
import { spreadIdentifiers } from './agents.js';
import type { Languages } from './languages/languages.js';
import { maskAddresses } from './mask.js';
import { fold, sourceOf } from './parse/fold.js';
import { isSame, rangeIn, readOptions } from './range.js';
import { recognise } from './recognise.js';
import type { ExplainFunction, Explanation, Range, RangeOptions } from './types.js';

export const explainIn = (languages: Languages): ExplainFunction => {
  const range = rangeIn(languages);
  return (text, options) => {
    const found = range(text, options);
    return found ? answered(range, text, options, found) : refused(languages, range, text, options);
  };
};

type Reader = (text: string, options: RangeOptions) => Range | undefined;

function answered(range: Reader, text: string, options: RangeOptions, found: Range): Explanation {
  const { text: phrase, index, alternatives = [], ...interval } = found;
  const [start, end] = shortest(text, index, index + phrase.length, (part) => {
    const again = range(part, options);
    return again?.kind === found.kind && isSame(again, found);
  });
  return { text: text.slice(start, end), index: start, understood: [{ text: phrase, index }], readings: [interval, ...alternatives] };
}

function refused(languages: Languages, range: Reader, text: string, options: RangeOptions): Explanation {
  const { when, prefer } = readOptions(text, options);
  const folded = { ...fold(spreadIdentifiers(maskAddresses(text))), source: text };
  const { refusal } = recognise(languages, folded, when, prefer);
  if (!refusal) return { text: '', index: 0, understood: [], obstacle: { reason: 'nothing', text: '', index: 0 }, readings: [] };
  const known = refusal.known.map(([from, to]) => sourceOf(folded, from, to));
  const obstacle = sourceOf(folded, ...refusal.obstacle);
  const places = [...known, obstacle].flatMap((place) => [place.index, place.index + place.text.length]);
  const [start, end] = shortest(text, Math.min(...places), Math.max(...places), (part) => range(part, options) === undefined);
  const understood = known.filter(
    ({ index, text: { length } }) => length > 0 && (index + length <= obstacle.index || index >= obstacle.index + obstacle.text.length),
  );
  return { text: text.slice(start, end), index: start, understood, obstacle: { reason: refusal.reason, ...obstacle }, readings: [] };
}

/** The phrase itself, its sentence or the whole text: the first that keeps the answer. A tense is in the sentence, not in the phrase. */
function shortest(text: string, start: number, end: number, keeps: (part: string) => boolean): [number, number] {
  const before = Math.max(...['.', '!', '?', '\n', '。', '？', '！'].map((mark) => text.lastIndexOf(mark, Math.max(0, start - 1)))) + 1;
  const behind = text.slice(end).search(/[.!?\n。？！]/);
  const sentence: [number, number] = [Math.min(before, start), behind < 0 ? text.length : end + behind + 1];
  for (const [from, to] of [[start, end] as [number, number], sentence]) if (keeps(text.slice(from, to))) return [from, to];
  return [0, text.length];
}
