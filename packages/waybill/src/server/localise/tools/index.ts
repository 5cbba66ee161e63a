/** `waybill/server/tools`: for tests, and for people who maintain catalogues. */
export { compareLanguages, guardLanguages, type Ask, type GuardOptions, type Violation } from '../guard.js';
export { describeProblem, type CatalogProblem } from '../catalog.js';
export { coverage, describeCoverage, type CoverageOptions, type LanguageCoverage } from './coverage.js';
export { catalogOf, extractStrings, type AskServer, type Extracted, type ExtractOptions } from './extract.js';
export { pseudoCatalog, type PseudoOptions } from './pseudo.js';
