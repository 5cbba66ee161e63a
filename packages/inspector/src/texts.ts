/** The page's own words, from catalogues as servers have them. */
import { signal } from '@preact/signals';
import { catalogs } from 'waybill/server';
import de from '../locales/de.json';
import en from '../locales/en.json';

export const languages = { en: 'English', de: 'Deutsch' } as const;
export type PageLanguage = keyof typeof languages;
type Key = keyof typeof en;

const STORED = 'waybill-language';
const texts = await catalogs({ en, de }, { default: 'en' });

function firstLanguage(): PageLanguage {
  const stored = sessionStorage.getItem(STORED) ?? navigator.language;
  return stored.startsWith('de') ? 'de' : 'en';
}

export const pageLanguage = signal<PageLanguage>(firstLanguage());

export function speak(language: PageLanguage): void {
  sessionStorage.setItem(STORED, language);
  document.documentElement.lang = pageLanguage.value = language;
}

export const t = (key: Key): string => texts.find(pageLanguage.value, key)?.text ?? key;

/** The language of the page as the user writes it. */
const ownTag = (): string => navigator.languages.find((tag) => tag.startsWith(pageLanguage.value)) ?? pageLanguage.value;

/** A time of day. */
export const clockTime = (at: number): string => new Date(at).toLocaleTimeString(ownTag());

export const dayAndTime = (at: number): string => new Date(at).toLocaleString(ownTag());

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** The time between two moments in its largest unit: "2 min". */
export function age(from: number, to: number): string {
  const seconds = Math.max(0, Math.floor((to - from) / 1000));
  const [unit, size] = UNITS.find(([, size]) => seconds >= size) ?? ['second', 1];
  return new Intl.NumberFormat(ownTag(), { style: 'unit', unit, unitDisplay: 'short' }).format(Math.floor(seconds / size));
}
