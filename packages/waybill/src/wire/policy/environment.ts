import { changed, isEmpty, isObject, own, type Meta } from '../json.js';
import { coarsen, PRECISIONS, type Location, type Precision } from '../environment.js';
import { readFlatLocation, readLocation } from '../environment/location.js';
import { formatTimestamp, parseTimestamp } from '../environment/timestamp.js';
import { ignore, type Report } from '../issue.js';
import { isPrecision, passes, type PolicyField, type PolicyLevels, type PolicyTally } from './fields.js';

const ENVIRONMENT: readonly PolicyField[] = ['timezone', 'now', 'locale', 'location'];
const MEMBERS = [
  { name: 'timezone', field: 'timezone' },
  { name: 'currentTimestamp', field: 'now' },
  { name: 'locale', field: 'locale' },
] as const;

/** The part of an environment that may leave; undefined if nothing of it may. */
export function limitEnvironment(value: unknown, levels: PolicyLevels, tally: PolicyTally): unknown {
  // A value of another type may say anything, so it leaves only where everything may.
  if (!isObject(value)) return ENVIRONMENT.every((field) => levels[field] === 'always') ? value : undefined;
  let changes: Meta | undefined;
  for (const { name, field } of MEMBERS)
    if (own(value, name) !== undefined && !tally.count(field, levels[field])) (changes ??= {})[name] = undefined;
  if (passes(levels.now) && !passes(levels.timezone)) {
    const now = own(value, 'currentTimestamp');
    if (now !== undefined) (changes ??= {})['currentTimestamp'] = inUtc(now);
  }
  const place = own(value, 'userLocation');
  const limited = place === undefined ? place : limitPlace(place, levels, tally, readLocation);
  if (limited !== place) (changes ??= {})['userLocation'] = limited;
  // Members that nobody here knows leave only with at least one that may.
  if (!ENVIRONMENT.some((field) => passes(levels[field]))) return undefined;
  if (changes === undefined) return value;
  const kept = changed(value, changes);
  return isEmpty(kept) ? undefined : kept;
}

/** The offset of a clock reveals half of the zone: if the zone may not be sent, the same instant is sent in UTC. */
function inUtc(now: unknown): unknown {
  const at = typeof now === 'string' ? parseTimestamp(now) : undefined;
  return at && formatTimestamp(at.epochMilliseconds).text;
}

/** The vendor key that holds place and zone side by side. */
export function limitFlatPlace(value: unknown, levels: PolicyLevels, tally: PolicyTally): unknown {
  if (!isObject(value)) return levels.location === 'always' && levels.timezone === 'always' ? value : undefined;
  const { timezone, ...place } = value;
  const kept = isEmpty(place) ? place : limitPlace(place, levels, tally, readFlatLocation);
  const isZoneKept = timezone !== undefined && tally.count('timezone', levels.timezone);
  if (kept === place && (isZoneKept || timezone === undefined)) return value;
  const { coordinates, ...names } = (kept ?? {}) as Location & Meta;
  const next = { ...names, ...coordinates, ...(isZoneKept && { timezone }) };
  return isEmpty(next) ? undefined : next;
}

type ReadPlace = (source: Record<string, unknown>, path: string, report: Report) => Location | undefined;

function limitPlace(place: unknown, levels: PolicyLevels, tally: PolicyTally, read: ReadPlace): unknown {
  const { location: level } = levels;
  const known = isObject(place) ? read(place, '', ignore) : undefined;
  const kept = isPrecision(level) ? known && coarsen(known, level) : passes(level) ? place : undefined;
  if (kept === undefined) {
    tally.withhold('location');
    return undefined;
  }
  tally.count('location', level);
  tally.precision = finer(tally.precision, precisionOf(isPrecision(level) ? (kept as Location) : (known ?? {})));
  return kept;
}

/** Returns the precision of a location, by its finest member. */
function precisionOf({ coordinates, city, region, country }: Location): Precision | undefined {
  if (coordinates !== undefined) return 'coordinates';
  if (city !== undefined) return 'city';
  return region !== undefined ? 'region' : country === undefined ? undefined : 'country';
}

function finer(one: Precision | undefined, other: Precision | undefined): Precision | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return PRECISIONS.indexOf(one) > PRECISIONS.indexOf(other) ? one : other;
}
