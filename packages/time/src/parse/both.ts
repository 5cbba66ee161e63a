/** Two times joined by "and" that touch each other. */
import { isYearless, type Fields } from '../fields.js';
import { resolve, type Direction } from '../resolve.js';
import { DAY_MS } from '../zone.js';
import { overflows } from './ends.js';
import { readMoment, skipLinks } from './moment.js';
import { found, type Outcome } from './outcome.js';
import { wordAt, type Reader } from './reader.js';

/** "July and August 2025", "yesterday and today": one stretch where the two touch. */
export function readBoth(reader: Reader, at: number, end: number, fields: Fields, direction: Direction): Outcome {
  const second = readMoment(reader, skipLinks(reader, end + 1));
  if (!second || second.clash || fields.clock || second.fields.clock || fields.part || second.fields.part || wordAt(reader, reader.end).and)
    return undefined;
  const stop = reader.end;
  const { year } = second.fields;
  const first: Fields = year !== undefined && isYearless(fields) ? { ...fields, year } : fields;
  const a = resolve(reader.when, first, direction);
  const b =
    a &&
    resolve(
      reader.when,
      second.fields,
      isYearless(second.fields) ? { prefer: 'future', day: a.from / DAY_MS, inclusive: true } : direction,
    );
  if (!b || a.exact !== 0 || b.exact !== 0 || a.grain !== b.grain || a.to !== b.from || overflows(reader, stop)) return undefined;
  return { ...found(at, stop, { ...b, from: a.from }), yearless: isYearless(first) };
}
