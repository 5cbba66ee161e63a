export { listCache, type ListCache, type ListCacheOptions, type ListRequest } from '../parts/lists.js';
export { CatalogError, type CatalogProblem, type CatalogSource } from './catalog.js';
export { catalogs, type CatalogOptions, type Catalogs, type FoundText } from './catalogs.js';
export type { Format, Moment, Stretch } from './format.js';
export type { FormatPresets, GivenPresets } from './format/presets.js';
export type { MessageValues } from './message.js';
export type { LocaliseOptions } from '../parts/localise.js';
export type { Display, Translate } from './speak.js';
export type { CatalogFile, CatalogGiven } from './table.js';
