import type { Report } from '../issue.js';
import { isObject, own } from '../json.js';
import { remember, defined, readMember, textIf } from './members.js';

// CTX-06, CTX-30
/** A coarse hint of where the user is. Opt-in, never logged, never used for authorisation. */
export interface Location {
  readonly city?: string;
  readonly region?: string;
  /** ISO 3166-1 alpha-2, in the sender's case. */
  readonly country?: string;
  readonly coordinates?: Coordinates;
}

export interface Coordinates {
  readonly latitude?: number;
  readonly longitude?: number;
}

// D-20
/** The precisions of a place, coarsest first. */
export const PRECISIONS = ['country', 'region', 'city', 'coordinates'] as const;
export type Precision = (typeof PRECISIONS)[number];

/** Control characters and half surrogate pairs are not allowed in a name. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;
/** The same places and countries come again and again, so the checks are remembered. */
const placeName = textIf(remember((text) => !UNPRINTABLE.test(text), 256));
const countryCode = textIf(remember((text) => /^[A-Za-z]{2}$/.test(text), 2));
const degrees =
  (limit: number) =>
  (value: unknown): number | undefined =>
    typeof value === 'number' && Math.abs(value) <= limit ? value : undefined;
const latitude = degrees(90);
const longitude = degrees(180);
const NOT_A_NAME = 'is not a printable text of at most 256 characters';

export function readLocation(source: Record<string, unknown>, path: string, report: Report): Location | undefined {
  const place = own(source, 'coordinates');
  if (place !== undefined && !isObject(place)) report({ concern: 'environment', key: `${path}.coordinates`, problem: 'is not an object' });
  return readPlace(source, path, isObject(place) ? readCoordinates(place, `${path}.coordinates`, report) : undefined, report);
}

/** Reads `openai/userLocation`, which has the coordinates beside the names. */
export function readFlatLocation(source: Record<string, unknown>, path: string, report: Report): Location | undefined {
  return readPlace(source, path, readCoordinates(source, path, report), report);
}

function readPlace(source: Record<string, unknown>, path: string, coordinates: Coordinates | undefined, report: Report) {
  return defined<Location>({
    city: readMember(source, 'city', path, placeName, NOT_A_NAME, report),
    region: readMember(source, 'region', path, placeName, NOT_A_NAME, report),
    country: readMember(source, 'country', path, countryCode, 'is not a country code of two letters', report),
    coordinates,
  });
}

function readCoordinates(source: Record<string, unknown>, path: string, report: Report): Coordinates | undefined {
  return defined<Coordinates>({
    latitude: readMember(source, 'latitude', path, latitude, 'is not a number from -90 to 90', report),
    longitude: readMember(source, 'longitude', path, longitude, 'is not a number from -180 to 180', report),
  });
}

// CTX-30, D-20
/** Cuts a place down to `precision`. Coordinates keep two decimals at most, about a kilometre. */
export function coarsen({ city, region, country, coordinates }: Location, precision: Precision): Location | undefined {
  const rank = PRECISIONS.indexOf(precision);
  return defined<Location>({
    city: rank >= 2 ? city : undefined,
    region: rank >= 1 ? region : undefined,
    country: rank >= 0 ? country : undefined,
    coordinates:
      rank >= 3 && coordinates
        ? defined<Coordinates>({ latitude: rounded(coordinates.latitude), longitude: rounded(coordinates.longitude) })
        : undefined,
  });
}

function rounded(angle: number | undefined): number | undefined {
  return angle === undefined ? undefined : Math.round(angle * 100) / 100 || 0;
}
