/** `@waybill/time`: phrases about time to exact intervals, in nine languages and in figures in every other. */
// Files in this order pack best.
export * from './shared.js';
import { explainIn } from './explain.js';
import { nineLanguages } from './languages/index.js';
import { rangeIn } from './range.js';
import { supportedIn } from './supported.js';
import type { ExplainFunction, RangeFunction, SupportedLanguages } from './types.js';

export const range: RangeFunction = /* @__PURE__ */ rangeIn(nineLanguages);
export const explain: ExplainFunction = /* @__PURE__ */ explainIn(nineLanguages);
export const supportedLanguages: () => SupportedLanguages = /* @__PURE__ */ supportedIn(nineLanguages);
