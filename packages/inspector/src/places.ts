/** Cities that set zone, locale, language and place together, and moments that are hard for programs. */
import type { PageContext } from '../../cli/src/inspect/protocol.js';

export interface Preset extends Pick<PageContext, 'language' | 'timezone' | 'locale'> {
  readonly name: string;
  readonly place: { country: string; region: string; city: string; coordinates: { latitude: number; longitude: number } };
}

const preset = (name: string, language: string, timezone: string, locale: string, place: [string, string, number, number]): Preset => ({
  name,
  language,
  timezone,
  locale,
  place: { country: place[0], region: place[1], city: name, coordinates: { latitude: place[2], longitude: place[3] } },
});

export const presets: readonly Preset[] = [
  preset('Vienna', 'de-AT,de;q=0.9,en;q=0.5', 'Europe/Vienna', 'de-AT', ['AT', 'Vienna', 48.21, 16.37]),
  preset('Tokyo', 'ja,en;q=0.5', 'Asia/Tokyo', 'ja-JP', ['JP', 'Tokyo', 35.68, 139.69]),
  preset('São Paulo', 'pt-BR,pt;q=0.9,en;q=0.5', 'America/Sao_Paulo', 'pt-BR', ['BR', 'São Paulo', -23.55, -46.63]),
  preset('Cairo', 'ar-EG,ar;q=0.9,en;q=0.5', 'Africa/Cairo', 'ar-EG', ['EG', 'Cairo', 30.04, 31.24]),
  preset('Los Angeles', 'en-US,en;q=0.9,es;q=0.5', 'America/Los_Angeles', 'en-US', ['US', 'California', 34.05, -118.24]),
  preset('Kathmandu', 'ne,en;q=0.5', 'Asia/Kathmandu', 'ne-NP', ['NP', 'Bagmati', 27.72, 85.32]),
];

export const zones: readonly string[] = Intl.supportedValuesOf('timeZone');

/** `UTC+5:45` of a zone at this moment, or nothing for a text that is no zone. */
export function offsetOf(timezone: string | undefined, at = new Date()): string {
  try {
    const parts = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'shortOffset' }).formatToParts(at);
    return parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', 'UTC') ?? '';
  } catch {
    return '';
  }
}

/** The moments are the same for everybody, so that two people see the same answers. */
export const moments: Readonly<Record<'clock.dst' | 'clock.month', string>> = {
  'clock.dst': '2026-10-25T02:30:00+02:00',
  'clock.month': '2026-10-31T23:50:00+01:00',
};
