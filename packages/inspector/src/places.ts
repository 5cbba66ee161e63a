/** Cities that set zone, locale, language and place together, and moments that are hard for programs. */
import type { PageContext, Place } from '../../cli/src/inspect/protocol.js';

type City = 'vienna' | 'tokyo' | 'sao-paulo' | 'cairo' | 'los-angeles' | 'kathmandu';

export interface Preset extends Pick<PageContext, 'language' | 'timezone' | 'locale'> {
  /** The key of its name in the catalogues of the page. */
  readonly name: `city.${City}`;
  readonly place: { country: string; region: string; city: string; coordinates: { latitude: number; longitude: number } };
}

const preset = (
  city: City,
  language: string,
  timezone: string,
  locale: string,
  place: [string, string, string, number, number],
): Preset => ({
  name: `city.${city}`,
  language,
  timezone,
  locale,
  place: { country: place[0], region: place[1], city: place[2], coordinates: { latitude: place[3], longitude: place[4] } },
});

export const presets: readonly Preset[] = [
  preset('vienna', 'de-AT,de;q=0.9,en;q=0.5', 'Europe/Vienna', 'de-AT', ['AT', 'Vienna', 'Vienna', 48.21, 16.37]),
  preset('tokyo', 'ja,en;q=0.5', 'Asia/Tokyo', 'ja-JP', ['JP', 'Tokyo', 'Tokyo', 35.68, 139.69]),
  preset('sao-paulo', 'pt-BR,pt;q=0.9,en;q=0.5', 'America/Sao_Paulo', 'pt-BR', ['BR', 'São Paulo', 'São Paulo', -23.55, -46.63]),
  preset('cairo', 'ar-EG,ar;q=0.9,en;q=0.5', 'Africa/Cairo', 'ar-EG', ['EG', 'Cairo', 'Cairo', 30.04, 31.24]),
  preset('los-angeles', 'en-US,en;q=0.9,es;q=0.5', 'America/Los_Angeles', 'en-US', ['US', 'California', 'Los Angeles', 34.05, -118.24]),
  preset('kathmandu', 'ne,en;q=0.5', 'Asia/Kathmandu', 'ne-NP', ['NP', 'Bagmati', 'Kathmandu', 27.72, 85.32]),
];

/** Browsers list some zones by an old name. Both names are found. */
const RENAMED: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Godthab': 'America/Nuuk',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

const zones: readonly { name: string; words: string }[] = ['UTC', ...Intl.supportedValuesOf('timeZone')].map((listed) => {
  const name = RENAMED[listed] ?? listed;
  return { name, words: `${name} ${listed}`.toLowerCase().replaceAll('_', ' ') };
});

/** The zones whose name contains every word of a text; those with a part that begins with it come first. */
export function zonesLike(text: string): readonly string[] {
  const words = text
    .toLowerCase()
    .split(/[\s_]+/)
    .filter(Boolean);
  const found = zones.filter((zone) => words.every((word) => zone.words.includes(word)));
  const begins = ({ words: all }: { words: string }): boolean => all.split(/[/ ]/).some((part) => part.startsWith(words[0] ?? ''));
  return [...found.filter(begins), ...found.filter((zone) => !begins(zone))].map(({ name }) => name);
}

/** `UTC+5:45` of a zone at this moment, or nothing for a text that is not a zone. */
export function offsetOf(timezone: string | undefined, at = new Date()): string {
  try {
    const parts = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'shortOffset' }).formatToParts(at);
    return parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', 'UTC') ?? '';
  } catch {
    return '';
  }
}

export type ClockMode = 'now' | 'dst' | 'month';
export const clockModes: readonly ClockMode[] = ['now', 'dst', 'month'];

/** The clock of a call as RFC 3339 in this zone, or nothing: then the clock runs. The days are fixed, so that two people see the same answers. */
export function nowOf(mode: ClockMode, timezone = 'UTC'): string | undefined {
  if (mode === 'now') return undefined;
  return mode === 'month' ? localTime('2026-10-31T23:50:00', timezone) : localTime(`${changeDay(timezone)}T12:00:00`, timezone);
}

/** The mode of a context that was set before this page was loaded. */
export const clockModeOf = ({ now, timezone }: Pick<PageContext, 'now' | 'timezone'>): ClockMode =>
  clockModes.find((mode) => nowOf(mode, timezone) === now) ?? 'now';

const DAY = 86_400_000;

/** The first Sunday of 2026 on which clocks of this zone change; where none change, the one of Vienna. */
function changeDay(timezone: string): string {
  for (let at = Date.UTC(2026, 0, 4); at < Date.UTC(2027, 0, 1); at += 7 * DAY)
    if (offsetOf(timezone, new Date(at - DAY)) !== offsetOf(timezone, new Date(at + DAY))) return new Date(at).toISOString().slice(0, 10);
  return '2026-10-25';
}

function localTime(local: string, timezone: string): string {
  const [, sign = '+', hours = '0', minutes = '00'] = /UTC([+-])(\d+)(?::(\d+))?/.exec(offsetOf(timezone, new Date(`${local}Z`))) ?? [];
  return `${local}${sign}${hours.padStart(2, '0')}:${minutes}`;
}

/** `AT/Vienna`, `US/California/Los Angeles` or `48.21,16.37` as a place; nothing for a text that is none of these. */
export function placeFrom(text: string): Omit<Place, 'precision'> | undefined {
  const [latitude, longitude] = text.split(',').map(Number);
  if (text.includes(',') && Number.isFinite(latitude) && Number.isFinite(longitude))
    return { coordinates: { latitude: latitude ?? 0, longitude: longitude ?? 0 } };
  const [country = '', ...names] = text.split('/').map((part) => part.trim());
  if (!/^[A-Za-z]{2}$/.test(country)) return undefined;
  const [region, city] = names.length > 1 ? names : [undefined, names[0]];
  return { country: country.toUpperCase(), ...(region && { region }), ...(city && { city }) };
}

/** A preset counts as chosen while none of its values was changed by hand. */
export const isPreset = (preset: Preset, { language, timezone, locale }: PageContext): boolean =>
  preset.language === language && preset.timezone === timezone && preset.locale === locale;

export function placeText({ country, region, city, coordinates }: Omit<Place, 'precision'>): string {
  if (country === undefined) return coordinates === undefined ? '' : `${coordinates.latitude},${coordinates.longitude}`;
  return [country, region === city ? undefined : region, city].filter(Boolean).join('/');
}
