/** SEP-1809 in the reference server: phrases as instants, and numbers as the locale writes them. */
import { isObject, type Message } from '../../wire/json.js';
import { ACCEPT_LANGUAGE, CLIENT_CONTEXT, INVALID_PARAMS } from '../../wire/keys.js';
import type { Faults } from '../reply.js';
import { dayAround, fixedZone, hourAround, midnights, namedZone, type Zone } from './days.js';
import { answer, Refusal, type Request } from './request.js';

const SPELLINGS = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', 'Asia/Calcutta']);
/** Zones of a server that takes the region of a language for a place. */
const ZONE_OF_REGION: Readonly<Record<string, string>> = { US: 'America/New_York', AU: 'Australia/Sydney' };
const STAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(Z|([+-])(\d\d):(\d\d))$/;
const WHOLE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|([+-])(\d\d):(\d\d))$/;
const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(Z|([+-])(\d\d):(\d\d))?$/;

interface Read {
  readonly zone: Zone;
  readonly now: number;
  readonly locale: string | undefined;
}

function read(faults: Faults, { message, meta }: Request): Read {
  const beside = faults.has('environment-no-sibling') ? undefined : message['clientContext'];
  const carried = meta[CLIENT_CONTEXT];
  if (carried !== undefined && !isObject(carried) && faults.has('environment-breaks-on-text'))
    throw new TypeError('clientContext is no object');
  const places = faults.has('environment-beside-wins') ? [beside, carried] : [carried, beside];
  const { timezone, currentTimestamp: stamp, locale } = places.find(isObject) ?? {};
  const named = zoneOf(faults, timezone);
  const tag = localeOf(locale);
  const bad = (timezone !== undefined && named === undefined) || (locale !== undefined && tag === undefined);
  if (bad && faults.has('environment-refuses-bad')) throw new Refusal(INVALID_PARAMS, 'bad client context');
  const format = faults.has('environment-reads-local-time') ? LOCAL : faults.has('environment-no-fractions') ? WHOLE : STAMP;
  const match = typeof stamp === 'string' ? format.exec(stamp) : null;
  const offset = match === null ? 0 : offsetOf(match, faults.has('environment-offset-minutes'));
  const now = match === null || faults.has('environment-own-clock') ? Date.now() : Date.parse(match[0]);
  const disagrees = named !== undefined && match !== null && match[1] !== 'Z' && named.offset(now) !== offset;
  if (disagrees && faults.has('environment-refuses-disagreement')) throw new Refusal(INVALID_PARAMS, 'offset and zone disagree');
  let zone = named ?? fixedZone(faults.has('environment-needs-zone') ? 0 : offset);
  if (faults.has('environment-ignores-zone') && named !== undefined) zone = fixedZone(offset);
  const unknown = typeof timezone === 'string' && !SPELLINGS.has(timezone) && faults.has('environment-case-sensitive');
  if (unknown) zone = fixedZone(offset);
  if (bad && faults.has('environment-drops-all')) zone = fixedZone(0);
  const region = regionOf(meta[ACCEPT_LANGUAGE]);
  if (region !== undefined && faults.has('environment-zone-from-language')) zone = namedZone(ZONE_OF_REGION[region] ?? 'UTC') ?? zone;
  // The wall clock read again in the zone: in a repeated hour that is the earlier instant.
  if (faults.has('environment-forgets-offset')) return { zone, now: earliest(zone, now), locale: tag };
  return { zone, now, locale: tag };
}

/** The zone with this name. */
function zoneOf(faults: Faults, timezone: unknown): Zone | undefined {
  if (typeof timezone !== 'string') return undefined;
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(timezone) ?? [];
  if (hours !== undefined && faults.has('environment-reads-offset-zones'))
    return fixedZone((sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000);
  const [, ahead] = /^Etc\/GMT([+-]\d+)$/.exec(timezone) ?? [];
  if (ahead !== undefined && faults.has('environment-etc-sign')) return fixedZone(Number(ahead) * 3_600_000);
  return namedZone(timezone);
}

const regionOf = (preference: unknown): string | undefined =>
  typeof preference === 'string' ? /-([A-Z]{2})/.exec(preference)?.[1] : undefined;

function offsetOf([, , sign, hours, minutes]: RegExpExecArray, hoursOnly: boolean): number {
  if (sign === undefined) return 0;
  const signed = sign === '-' ? -1 : 1;
  const all = hoursOnly ? signed * Number(hours) * 60 + Number(minutes) : signed * (Number(hours) * 60 + Number(minutes));
  return all * 60_000;
}

function earliest(zone: Zone, now: number): number {
  const before = now - 3_600_000;
  return now + zone.offset(now) === before + zone.offset(before) ? before : now;
}

function localeOf(locale: unknown): string | undefined {
  try {
    return typeof locale === 'string' ? Intl.getCanonicalLocales(locale)[0] : undefined;
  } catch {
    return undefined;
  }
}

/** The tool check_range. */
export function range(faults: Faults, request: Request, phrase: string): Message {
  const { zone, now } = read(faults, request);
  const moved = { yesterday: -1, today: 0, tomorrow: 1 }[phrase];
  if (faults.has('environment-public')) request.reply.headers.push(['Cache-Control', 'public, max-age=60']);
  if (phrase === 'this hour') return answer({ ...hourAround(zone, now) });
  if (moved === undefined) throw new Refusal(INVALID_PARAMS, `no such phrase: ${phrase}`);
  if (faults.has('environment-adds-24-hours')) return answer({ ...dayAround(zone, now + moved * 86_400_000, 0, false) });
  if (faults.has('environment-midnight')) return answer({ ...midnights(zone, now, moved) });
  return answer({ ...dayAround(zone, now, moved, faults.has('environment-24-hours')) });
}

/** The tool check_format. */
export function format(faults: Faults, request: Request, number: number): Message {
  const { locale = 'en' } = read(faults, request);
  const plain = faults.has('environment-ignores-extensions') ? new Intl.Locale(locale).baseName : locale;
  return answer({ text: new Intl.NumberFormat(faults.has('environment-ignores-locale') ? 'en' : plain).format(number) });
}
