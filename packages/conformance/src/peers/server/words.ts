/** Languages of the reference server: choosing one, by the simplest rules that honour weights, `*` and exclusion. */
import type { Faults } from '../reply.js';

interface Words {
  readonly title: string;
  readonly hello: string;
  readonly failed: string;
  readonly step: string;
  readonly colour: string;
  readonly colours: readonly string[];
  readonly tones: readonly string[];
}

export const WORDS: Readonly<Record<string, Words>> = {
  en: {
    ...{ title: 'Check the language', hello: 'Hello', failed: 'It failed', step: 'Working' },
    ...{ colour: 'Which colour?', colours: ['red', 'blue'], tones: ['formal', 'plain'] },
  },
  de: {
    ...{ title: 'Sprache prüfen', hello: 'Guten Tag', failed: 'Es schlug fehl', step: 'Arbeite' },
    ...{ colour: 'Welche Farbe?', colours: ['rot', 'blau'], tones: ['förmlich', 'einfach'] },
  },
  fr: {
    ...{ title: 'Vérifier la langue', hello: 'Bonjour', failed: 'Échec', step: 'En cours' },
    ...{ colour: 'Quelle couleur ?', colours: ['rouge', 'bleu'], tones: ['formel', 'simple'] },
  },
};
export const DEFAULT = 'en';

const MEMBER = /^(\*|[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)(?:[ \t]*;[ \t]*[qQ]=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/;

/** A fault: servers read it so that expect the spelling of most clients. */
const SMALL = /^(\*|[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)(?:;q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/;

export interface Range {
  readonly range: string;
  readonly weight: number;
}

/** The ranges of a preference; undefined if it is malformed. */
export function ranges(value: string, faults: Faults = new Set()): Range[] | undefined {
  const found: Range[] = [];
  for (const part of value.split(',').map((one) => one.trim())) {
    if (part === '') continue;
    const match =
      (faults.has('language-small-q') ? SMALL : MEMBER).exec(part) ??
      (faults.has('language-reads-malformed') ? /^([A-Za-z]+)/.exec(part) : null);
    if (match?.[1] === undefined) return undefined;
    const weight = faults.has('language-one-decimal') ? Math.trunc(Number(match[2] ?? 1) * 10) / 10 : Number(match[2] ?? 1);
    found.push({
      range: faults.has('language-minds-case') ? match[1] : match[1].toLowerCase(),
      weight: weight === 0 && faults.has('language-ignores-zero') ? 1 : weight,
    });
  }
  return found;
}

/** Undefined if nothing matches. */
export function choose(preference: readonly Range[], faults: Faults): string | undefined {
  // A fault: an excluded * excludes everything.
  if (faults.has('language-star-excludes') && preference.some(({ range, weight }) => range === '*' && weight === 0)) return undefined;
  const weightOf = (tag: string) => {
    const exact = preference.find(({ range }) => range === tag || range.startsWith(`${tag}-`));
    const star = preference.find(({ range }) => range === '*');
    return faults.has('language-star-first') ? (star ?? exact) : (exact ?? star);
  };
  const ranked = Object.keys(WORDS)
    .map((tag) => ({ tag, range: weightOf(tag) }))
    .filter(({ range }) => range !== undefined && range.weight > 0)
    .sort((one, other) => {
      const place = (range: Range | undefined) => (range === undefined ? 0 : preference.indexOf(range));
      const byPlace = place(one.range) - place(other.range);
      if (faults.has('language-ignores-weights')) return byPlace;
      const byWeight = (other.range?.weight ?? 0) - (one.range?.weight ?? 0);
      return byWeight !== 0 || faults.has('language-ignores-order') ? byWeight : byPlace;
    });
  return ranked[0]?.tag;
}
