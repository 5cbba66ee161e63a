/** The languages that this runtime lets the package understand, and how well. */
import type { Languages } from './languages/languages.js';

export interface SupportedLanguages {
  /** A grammar of their own: everything in the documents. */
  readonly grammar: readonly string[];
  /** Languages in which `Intl.RelativeTimeFormat` can say something; none in an entry for one language. */
  readonly relative: readonly string[];
}

export const supportedIn = ({ codes, others }: Languages): (() => SupportedLanguages) => {
  let supported: SupportedLanguages | undefined;
  return () => (supported ??= { grammar: [...codes].sort(), relative: others?.languages().filter((code) => !codes.includes(code)) ?? [] });
};
