/** Answers of a 2025 server with the members that 2026 demands. */
import { keys } from 'waybill';
import { isObject, own, type JsonRecord } from '../json/values.js';
import type { Message } from '../message.js';
import { SPOKEN } from '../revision.js';

const CACHEABLE = /^(?:server\/discover|tools\/list|prompts\/list|resources\/list|resources\/templates\/list|resources\/read)$/;

/** The result of `server/discover`, from that of `initialize`. */
export function introduce(introduction: JsonRecord): JsonRecord {
  const { capabilities, serverInfo, instructions, _meta } = introduction;
  return {
    resultType: 'complete',
    supportedVersions: [...SPOKEN],
    capabilities: withoutLogging(capabilities),
    ...(instructions !== undefined && { instructions }),
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { ...(isObject(_meta) ? _meta : {}), [keys.SERVER_INFO]: serverInfo },
  };
}

/** Logging is not carried in this pair, so it is not offered. */
function withoutLogging(capabilities: unknown): JsonRecord {
  if (!isObject(capabilities)) return {};
  const { logging: _, ...rest } = capabilities;
  return rest;
}

/** BASE-10, BASE-15: members that every 2026 result has. */
export function completeResult(answer: Message, method: string): void {
  if (answer.kind !== 'result') return;
  const result = own(answer.value, 'result') as JsonRecord;
  if (result['resultType'] === undefined) answer.set(['result', 'resultType'], 'complete');
  if (!CACHEABLE.test(method)) return;
  if (result['ttlMs'] === undefined) answer.set(['result', 'ttlMs'], 0);
  if (result['cacheScope'] === undefined) answer.set(['result', 'cacheScope'], 'private');
}
