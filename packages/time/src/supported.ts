/** The languages that this runtime lets the package understand, and how well. */
import type { Languages } from './languages/languages.js';
import type { SupportedLanguages } from './types.js';

export const supportedIn = ({ codes, others }: Languages): (() => SupportedLanguages) => {
  let supported: SupportedLanguages | undefined;
  return () => (supported ??= { grammar: [...codes].sort(), relative: others?.languages().filter((code) => !codes.includes(code)) ?? [] });
};
