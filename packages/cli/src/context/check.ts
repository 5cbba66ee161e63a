/** Checks what a person typed about a user: zones, tags, clocks, places. A mistake comes with a suggestion. */
import type { Location } from 'waybill';
import { isLocale, isValidTimeZone, isWellFormedTag, parseAcceptLanguage, parseTimestamp } from 'waybill/adapter';
import { usage } from '../failure.js';
import { didYouMean, nearest } from '../nearest.js';

export function checkZone(text: string, flag = '--tz'): string {
  if (isValidTimeZone(text)) return text;
  const near = zonesNear(text);
  throw usage(
    `${flag}: "${text}" is not a time zone`,
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'Zones are named as in the IANA database: Europe/Vienna.',
  );
}

/** Zones of the same part of the world go before those of others. */
function zonesNear(text: string): string[] {
  const parts = text.replaceAll(' ', '_').split('/');
  const city = parts.at(-1) ?? text;
  const known =
    CITIES[
      city
        .normalize('NFD')
        .replace(/[\u0300-\u036f_]/g, '')
        .toLowerCase()
    ];
  if (known !== undefined) return [known];
  const zones = Intl.supportedValuesOf('timeZone');
  const inRegion = zones.filter((zone) => parts.length > 1 && zone.toLowerCase().startsWith(`${(parts[0] ?? '').toLowerCase()}/`));
  const among = inRegion.length > 0 ? inRegion : zones;
  const cities = new Map(among.map((zone) => [zone.split('/').at(-1) ?? zone, zone]));
  return nearest(city, cities.keys()).flatMap((name) => cities.get(name) ?? []);
}

/** Cities without a zone of their own, and the names that some have at home. */
const CITIES: Readonly<Record<string, string>> = {
  wien: 'Europe/Vienna',
  rom: 'Europe/Rome',
  roma: 'Europe/Rome',
  milan: 'Europe/Rome',
  kairo: 'Africa/Cairo',
  tokio: 'Asia/Tokyo',
  moskau: 'Europe/Moscow',
  lissabon: 'Europe/Lisbon',
  praha: 'Europe/Prague',
  munich: 'Europe/Berlin',
  munchen: 'Europe/Berlin',
  frankfurt: 'Europe/Berlin',
  hamburg: 'Europe/Berlin',
  geneva: 'Europe/Zurich',
  barcelona: 'Europe/Madrid',
  kyiv: 'Europe/Kyiv',
  beijing: 'Asia/Shanghai',
  mumbai: 'Asia/Kolkata',
  delhi: 'Asia/Kolkata',
  bangalore: 'Asia/Kolkata',
  boston: 'America/New_York',
  washington: 'America/New_York',
  sanfrancisco: 'America/Los_Angeles',
  seattle: 'America/Los_Angeles',
  brasilia: 'America/Sao_Paulo',
};

export function checkLocale(text: string, flag = '--locale'): string {
  if (isLocale(text)) return text;
  throw usage(`${flag}: "${text}" is not a language tag`, suggestTag(text));
}

/** A list of tags, or an Accept-Language text. */
export function checkLanguages(text: string, flag = '--lang'): string {
  const tags = text.split(',').map((part) => (part.split(';')[0] ?? '').trim());
  const wrong = tags.find((tag) => tag !== '*' && !(isWellFormedTag(tag) && isKnownLanguage(tag)));
  if (wrong !== undefined) throw usage(`${flag}: "${wrong}" is not a language tag`, suggestTag(wrong));
  if (parseAcceptLanguage(text) === undefined)
    throw usage(`${flag}: "${text}" is not a list of languages`, 'It looks like this: de-AT, en;q=0.5');
  return text;
}

/** The best tag of a list. `*` names no language. */
export const firstTag = (text: string): string | undefined =>
  parseAcceptLanguage(text)?.find(({ range, q }) => q > 0 && isLocale(range))?.range;

const NAMES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** A well-formed tag whose first part is not a language is most likely a word: "german". */
const isKnownLanguage = (tag: string): boolean => {
  const [language = ''] = tag.split('-');
  return language.length < 4 || nameOf(language) !== undefined;
};

function nameOf(tag: string): string | undefined {
  try {
    return NAMES.of(tag);
  } catch {
    return undefined;
  }
}

const ownNameOf = (tag: string): string | undefined => new Intl.DisplayNames([tag], { type: 'language' }).of(tag);

const COMMON =
  'ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nb nl pl pt ro ru sk sl sr sv sw ta th tr uk ur vi zh'.split(
    ' ',
  );

function suggestTag(text: string): string {
  const hyphened = text.replaceAll('_', '-').replace(/\.[\w-]*$/, '');
  if (hyphened !== text && isWellFormedTag(hyphened)) return `Did you mean ${hyphened}?`;
  // "german" and "deutsch"
  const byName = new Map(COMMON.flatMap((tag) => [nameOf(tag), ownNameOf(tag)].map((name) => [name?.toLowerCase() ?? tag, tag])));
  const tag = byName.get(text.toLowerCase()) ?? byName.get(nearest(text, byName.keys(), 1)[0] ?? '');
  return tag === undefined ? 'Tags look like this: de, de-AT, zh-Hant.' : `Did you mean ${tag}?`;
}

export function checkNow(text: string, flag = '--now'): string {
  if (parseTimestamp(text) !== undefined) return text;
  const hint = /^\d{4}-\d\d-\d\d$/.test(text)
    ? `A moment needs a time: ${text}T12:00:00Z`
    : /T[\d:.]+$/.test(text)
      ? `It needs an offset: ${text}Z, or ${text}+01:00`
      : 'It looks like this: 2026-10-25T02:30:00+01:00';
  throw usage(`${flag}: "${text}" is not a moment`, hint);
}

/** `AT`, `AT/Vienna`, `AT/9/Vienna`, or `48.21,16.37`. */
export function checkPlace(text: string, flag = '--place'): Location {
  const [, latitude, longitude] = /^\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*$/.exec(text) ?? [];
  if (latitude !== undefined && longitude !== undefined) {
    if (Math.abs(Number(latitude)) > 90 || Math.abs(Number(longitude)) > 180) throw usage(`${flag}: "${text}" is not on the Earth`);
    return { coordinates: { latitude: Number(latitude), longitude: Number(longitude) } };
  }
  const parts = text.split('/').map((part) => part.trim());
  const [country = '', ...rest] = parts;
  if (!/^[A-Za-z]{2}$/.test(country) || parts.includes('') || rest.length > 2)
    throw usage(`${flag}: "${text}" is not a place`, 'Write AT, AT/Vienna, AT/9/Vienna or 48.21,16.37.');
  const [region, city] = rest.length === 2 ? rest : [undefined, rest[0]];
  return { country: country.toUpperCase(), ...(region !== undefined && { region }), ...(city !== undefined && { city }) };
}

const CAPABILITIES = ['elicitation', 'elicitation.form', 'elicitation.url', 'sampling', 'sampling.tools', 'sampling.context', 'roots'];

const capabilityNames = (given: readonly string[]): string[] =>
  given.flatMap((one) => one.split(',').map((name) => name.trim())).filter((name) => name !== 'none');

/** `['sampling.tools', 'elicitation.form']` as the object that a request declares; `none` is an empty one. */
export function checkCapabilities(given: readonly string[], flag = '--capability'): Record<string, Record<string, object>> {
  const declared: Record<string, Record<string, object>> = {};
  for (const name of capabilityNames(given)) {
    const [whole = '', part, ...more] = name.split('.');
    if (!/^[a-z]\w*$/i.test(whole) || more.length > 0)
      throw usage(
        `${flag}: "${name}" is not a capability`,
        didYouMean(name, CAPABILITIES) ?? `There are ${CAPABILITIES.join(', ')}, and none.`,
      );
    const parts = (declared[whole] ??= {});
    if (part !== undefined) parts[part] = {};
  }
  return declared;
}

/** A name that the protocol does not have is declared all the same, and told. */
export const unknownCapabilities = (given: readonly string[]): { name: string; hint: string | undefined }[] =>
  capabilityNames(given)
    .filter((name) => !CAPABILITIES.includes(name))
    .map((name) => ({ name, hint: didYouMean(name, CAPABILITIES) }));
