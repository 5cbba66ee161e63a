import { remember } from './memo.js';

// CTX-05, CTX-29, CTX-22
/** Accepts a BCP 47 tag that `Intl` can format for, with Unicode extensions. `de_AT` is not one. */
export const isLocale: (text: string) => boolean = remember((text) => {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}, 128);
