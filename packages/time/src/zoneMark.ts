/** A zone behind a time: "3pm UTC", "9:00 CET", "15:00 GMT+2". */
import { findZone, type Zone } from './zone.js';

/** Hours east of UTC. Letters that mean several zones (CST, IST) are in the second list: known, and refused. */
const OFFSETS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    '+00:00 UTC GMT WET',
    '+01:00 WEST BST CET MEZ',
    '+02:00 CEST MESZ EET',
    '+03:00 EEST MSK',
    '+08:00 HKT SGT',
    '+09:00 JST KST',
    '+10:00 AEST',
    '+11:00 AEDT',
    '+12:00 NZST',
    '-04:00 EDT',
    '-05:00 EST CDT',
    '-06:00 MDT',
    '-07:00 MST PDT',
    '-08:00 PST',
    'America/New_York ET',
    'America/Chicago CT',
    'America/Denver MT',
    'America/Los_Angeles PT',
  ].flatMap((row) => {
    const [zone = '', ...names] = row.split(' ');
    return names.map((name) => [name, zone]);
  }),
);
const SEVERAL: ReadonlySet<string> = new Set(['CST', 'IST', 'AST', 'ECT']);

/** Words of some language in small letters: "um 15 Uhr ist". */
const WORDS: ReadonlySet<string> = new Set(['IST', 'EST', 'ET', 'CT', 'MT', 'PT', 'AST', 'MSK', 'WEST', 'WET']);
const NAMES = [...Object.keys(OFFSETS), ...SEVERAL].sort((a, b) => b.length - a.length).join('|');
const MARK = new RegExp(
  `(?<=[\\s\\d\\p{L}][(\\[]?)(?:(UTC|GMT)([+-]\\d{1,2})(?::?(\\d\\d))?|(${NAMES}|[A-Z][a-z]+/[A-Z][A-Za-z_]+)|(\\p{Lu}\\p{L}+ time))(?![\\p{L}\\p{N}])`,
  'giu',
);
/** Most texts name no zone: a quick look before the careful one. */
const MAYBE = new RegExp(`\\b(?:${NAMES.replace(/\|[A-Z]T(?=\||$)/g, '')})(?:\\b|[+-])|[a-z] time\\b`, 'i');
const MAYBE_SHORT = /\b[ECMP]T\b|[A-Z][a-z]+\/[A-Z]/;
/** The end of a clock time, or of a phrase in brackets. */
const CLOCK = /(?:\d|[ap]\.?m\.?|uhr|heures?|uur|horas?|ore|h|noon|midnight|o.clock|時|时|点|點)\s?[([]?$|\($/iu;

export interface Zoned {
  /** The text with blanks in place of the zones. */
  readonly text: string;
  /** `undefined`: which zone is meant is not known. */
  readonly zone: Zone | undefined;
  /** Places in the text that were blanked. */
  readonly marks: readonly { readonly start: number; readonly end: number }[];
}

/** The zone that the times of a text are in; nothing where none is named. */
export function readZone(source: string): Zoned | undefined {
  if (!/[\d(]|noon|midnight|heures/i.test(source) || (!MAYBE.test(source) && !MAYBE_SHORT.test(source))) return undefined;
  const marks: { start: number; end: number }[] = [];
  const zones = new Set<Zone | undefined>();
  let text = source;
  for (const found of source.matchAll(MARK)) {
    const [mark, base, hours, minutes = '00', name = ''] = found;
    const start = found.index;
    const before = source.slice(Math.max(0, start - 10), start);
    const isPlain = mark === mark.toUpperCase() || /[ap]\.?m\.?\s$/i.test(before);
    if ((WORDS.has(name.toUpperCase()) && !isPlain) || !CLOCK.test(before)) continue;
    zones.add(
      base === undefined || hours === undefined
        ? zoneNamed(name)
        : findZone(`${hours.charAt(0)}${hours.slice(1).padStart(2, '0')}:${minutes}`),
    );
    const end = start + mark.length;
    marks.push({ start, end });
    text = `${text.slice(0, start)}${' '.repeat(mark.length)}${text.slice(end)}`;
  }
  if (marks.length === 0) return undefined;
  return { text, zone: zones.size === 1 ? [...zones][0] : undefined, marks };
}

function zoneNamed(name: string): Zone | undefined {
  const upper = name.toUpperCase();
  return Object.hasOwn(OFFSETS, upper) ? findZone(OFFSETS[upper] ?? '') : name.includes('/') ? findZone(name) : undefined;
}
