/** `waybill/client/node`: keeps a jar on a disk or in Redis, and finds the identity of a server behind a command. */
export { sqliteStore, type SqliteOptions } from './sqlite.js';
export { redisStore, type RedisOptions } from './redis.js';
export type { RedisClient } from './redis/client.js';
export { stdioIdentity, type StdioIdentityOptions } from './stdio.js';
export type { StdioNames, StdioPackage } from '../stdioNames.js';
export { policyFile } from './policyFile.js';
export type { PolicyOptions } from '../policy/open.js';
