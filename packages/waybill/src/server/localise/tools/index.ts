/** `waybill/server/tools`: for tests, and for people who maintain catalogues. */
export type { GuardOptions, Violation } from '../guard.js';
export { coverage, describeCoverage, type CoverageOptions, type LanguageCoverage } from './coverage.js';
export { catalogOf, extractStrings, type AskServer, type Extracted, type ExtractOptions } from './extract.js';
export { guardLanguages, type Ask } from './guardLanguages.js';
export { pseudoCatalog, type PseudoOptions } from './pseudo.js';
