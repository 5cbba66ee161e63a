/** `@waybill/time/en`: English alone. */
import { english } from '../languages/en.js';
export * from '../shared.js';
import { Languages } from '../languages/languages.js';
import { explainIn } from '../explain.js';
import { rangeIn } from '../range.js';
import { supportedIn } from '../supported.js';
import type { ExplainFunction, RangeFunction, SupportedLanguages } from '../types.js';

const languages = /* @__PURE__ */ new Languages({ en: english });
export const range: RangeFunction = /* @__PURE__ */ rangeIn(languages);
export const explain: ExplainFunction = /* @__PURE__ */ explainIn(languages);
export const supportedLanguages: () => SupportedLanguages = /* @__PURE__ */ supportedIn(languages);
