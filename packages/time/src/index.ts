/** `@waybill/time`: phrases about time to exact intervals, in nine languages and in figures in every other. */
import { explainIn, type ExplainFunction } from './explain.js';
import { nineLanguages } from './languages/index.js';
import { rangeIn, type RangeFunction } from './range.js';
import { supportedIn, type SupportedLanguages } from './supported.js';

export * from './shared.js';

export const range: RangeFunction = /* @__PURE__ */ rangeIn(nineLanguages);
export const explain: ExplainFunction = /* @__PURE__ */ explainIn(nineLanguages);
export const supportedLanguages: () => SupportedLanguages = /* @__PURE__ */ supportedIn(nineLanguages);
