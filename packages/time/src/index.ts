/** `@waybill/time`: phrases about time to exact intervals, in nine languages and in figures in every other. */
import { nineLanguages } from './languages/index.js';
import { rangeIn, type RangeFunction } from './range.js';
import { supportedIn, type SupportedLanguages } from './supported.js';

export * from './shared.js';

export const range: RangeFunction = /* @__PURE__ */ rangeIn(nineLanguages);
export const supportedLanguages: () => SupportedLanguages = /* @__PURE__ */ supportedIn(nineLanguages);
