import { remember } from './memo.js';

// CTX-05, CTX-29, CTX-22
/** A BCP 47 tag that `Intl` formats for, Unicode extensions included. `de_AT` is none. */
export const isLocale: (text: string) => boolean = remember((text) => {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}, 128);
