/** `waybill/server/node`: everything that needs Node's own modules. */
export { liftStream } from '../../transport/node/lift.js';
export { catalogFolder, type FolderCatalogs, type FolderOptions } from './catalogs.js';
export { nodeSeal, type NodeSeal } from './seal.js';
