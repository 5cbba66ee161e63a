/** The page's own words, from catalogues as servers have them. */
import { signal } from '@preact/signals';
import { catalogs } from 'waybill/server';
import de from '../locales/de.json';
import en from '../locales/en.json';

export const languages = { en: 'English', de: 'Deutsch' } as const;
export type PageLanguage = keyof typeof languages;
export type Key = keyof typeof en;

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

/** A time of day as the user writes it, in the language of the page. */
export function clockTime(at: number): string {
  const own = navigator.languages.find((tag) => tag.startsWith(pageLanguage.value));
  return new Date(at).toLocaleTimeString(own ?? pageLanguage.value);
}
