/** The page's own words, from catalogues in the library's format. */
import { signal } from '@preact/signals';
import de from '../locales/de.json';
import en from '../locales/en.json';

export const languages = { en: 'English', de: 'Deutsch' } as const;
export type PageLanguage = keyof typeof languages;
export type Key = keyof typeof en;

const catalogs: Readonly<Record<PageLanguage, Readonly<Record<Key, string>>>> = { en, de };
const STORED = 'waybill-language';

function firstLanguage(): PageLanguage {
  const stored = sessionStorage.getItem(STORED) ?? navigator.language;
  return stored.startsWith('de') ? 'de' : 'en';
}

export const pageLanguage = signal<PageLanguage>(firstLanguage());

export function speak(language: PageLanguage): void {
  sessionStorage.setItem(STORED, language);
  document.documentElement.lang = pageLanguage.value = language;
}

export const t = (key: Key): string => catalogs[pageLanguage.value][key];
