/** A zone behind a time: "3pm UTC", "9:00 CET", "15:00 GMT+2". */
import { findZone, type Zone } from './zone.js';

/** Hours east of UTC. Letters that mean several zones (CST, IST) are in the second list: known, and refused. */
const OFFSETS: Readonly<Record<string, string>> = {
  UTC: '+00:00',
  GMT: '+00:00',
  WET: '+00:00',
  WEST: '+01:00',
  BST: '+01:00',
  CET: '+01:00',
  MEZ: '+01:00',
  CEST: '+02:00',
  MESZ: '+02:00',
  EET: '+02:00',
  EEST: '+03:00',
  MSK: '+03:00',
  JST: '+09:00',
  KST: '+09:00',
  HKT: '+08:00',
  SGT: '+08:00',
  EST: '-05:00',
  EDT: '-04:00',
  CDT: '-05:00',
  MST: '-07:00',
  MDT: '-06:00',
  PST: '-08:00',
  PDT: '-07:00',
  AEST: '+10:00',
  AEDT: '+11:00',
  NZST: '+12:00',
  NZDT: '+13:00',
  ET: 'America/New_York',
  CT: 'America/Chicago',
  MT: 'America/Denver',
  PT: 'America/Los_Angeles',
};
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
