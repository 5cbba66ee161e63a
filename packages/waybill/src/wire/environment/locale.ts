import { remember } from './memo.js';

/** CTX-05: a BCP 47 tag that `Intl` formats for, Unicode extensions included (CTX-29). `de_AT` is none (CTX-22). */
export const isLocale: (text: string) => boolean = remember((text) => {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}, 128);
