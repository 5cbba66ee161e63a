/** `@waybill/time/de`: German, and English, which agents write whatever the user speaks. */
import { german } from '../languages/de.js';
import { english } from '../languages/en.js';
import { Languages } from '../languages/languages.js';
import { explainIn } from '../explain.js';
import { rangeIn } from '../range.js';
import { supportedIn } from '../supported.js';
import type { ExplainFunction, RangeFunction, SupportedLanguages } from '../types.js';

export * from '../shared.js';

const languages = /* @__PURE__ */ new Languages({ de: german, en: english });
export const range: RangeFunction = /* @__PURE__ */ rangeIn(languages);
export const explain: ExplainFunction = /* @__PURE__ */ explainIn(languages);
export const supportedLanguages: () => SupportedLanguages = /* @__PURE__ */ supportedIn(languages);
