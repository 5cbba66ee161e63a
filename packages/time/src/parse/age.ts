/** Ages and distances: "older than 30 days", "more than two weeks ago", "less than 3 days ago", "within 3 days". */
import { inReach } from '../calendar.js';
import { daySpan, startOf, type Span } from '../span.js';
import { moved, readLength, type Length } from './length.js';
import { found, REFUSED, type Outcome } from './outcome.js';
import { wordAt, type Reader } from './reader.js';

type Age = 'more' | 'less' | 'within';

export function readAge(reader: Reader, at: number): Outcome {
  const { lead } = wordAt(reader, at);
  // "Vor mehr als zwei Wochen", "il y a plus d'un an"
  const place = lead === undefined ? at : at + 1;
  const { age, ageAlone } = wordAt(reader, place);
  if (age === undefined) return lead === undefined ? readAgeBehind(reader, at) : undefined;
  let next = place + 1;
  while (next < place + 3 && (wordAt(reader, next).of ?? wordAt(reader, next).about)) next++;
  const length = readLength(reader, next);
  if (!length) return undefined;
  if (lead !== undefined) return lead < 0 ? aged(reader, at, age, length) : REFUSED;
  if (wordAt(reader, reader.end).ago === -1 || wordAt(reader, reader.end).old) reader.end++;
  else if (!ageAlone && age !== 'within')
    return (wordAt(reader, reader.end).ago ?? wordAt(reader, reader.end).off) === undefined ? undefined : REFUSED;
  return aged(reader, at, age, length);
}

/** 30日以上前, 3天以内, 30日より古い: said behind the length. */
function readAgeBehind(reader: Reader, at: number): Outcome {
  const length = readLength(reader, at);
  const { agePost, ageAlone } = length ? wordAt(reader, reader.end) : wordAt(reader, -1);
  if (!length || agePost === undefined) return undefined;
  reader.end++;
  if (wordAt(reader, reader.end).ago === -1) reader.end++;
  else if (!ageAlone && agePost !== 'within') return undefined;
  return aged(reader, at, agePost, length);
}

function aged(reader: Reader, at: number, age: Age, length: Length): Outcome {
  const { when, end } = reader;
  const sign = age === 'within' ? 1 : -1;
  const edge =
    length.ms === 0 ? dayEdge(reader, length, sign) : length.months + length.days === 0 ? when.now + sign * length.ms : undefined;
  if (edge === undefined) return REFUSED;
  const { unit: grain } = length;
  if (age === 'within') return found(at, end, { from: when.now, to: edge, grain, exact: 3 });
  if (age === 'less') return found(at, end, { from: edge, to: when.now, grain, exact: 3 }, 'since');
  return found(at, end, { from: edge, to: edge, grain, exact: 3 }, 'until');
}

/** The start of the day that far back or ahead. */
function dayEdge({ when }: Reader, length: Length, sign: number): number | undefined {
  const day = moved(when.today, length, sign);
  const days = { from: day, to: day + 1 };
  if (!inReach(days)) return undefined;
  const span: Span = daySpan(days, 'day');
  return startOf(when, span);
}
