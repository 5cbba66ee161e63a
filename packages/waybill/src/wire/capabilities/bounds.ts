import type { Report } from '../issue.js';
import { isEmpty, isObject, membersWithin, outOfBounds, type Bounds, type JsonObject } from '../json.js';

/** CAP-23: what a declaration or an annotation of a peer may have; today's are a dozen values, three deep. */
export const CAPABILITY_BOUNDS: Bounds = { depth: 16, values: 1024, characters: 32_768 };

/** The value as a capability set, or one issue. */
export function checkCapabilities(value: unknown, key: string, report: Report): JsonObject | undefined {
  if (value === undefined) return undefined;
  const problem = isObject(value) ? outOfBounds(value, CAPABILITY_BOUNDS) : 'is not an object';
  if (problem === undefined) return value as JsonObject;
  report({ concern: 'capabilities', key, problem });
  return undefined;
}

/** What a request declares. A member that is too large goes with one issue, and the rest stays (D-13): what the client can do besides, it can. */
export function readDeclaration(value: unknown, key: string, report: Report): JsonObject | undefined {
  if (!isObject(value)) return checkCapabilities(value, key, report);
  if (outOfBounds(value, CAPABILITY_BOUNDS) === undefined) return value as JsonObject;
  if (Object.keys(value).length > CAPABILITY_BOUNDS.values) return checkCapabilities(value, key, report);
  const kept = membersWithin(value, CAPABILITY_BOUNDS, (name, problem) => {
    report({ concern: 'capabilities', key: `${key}.${name}`, problem });
  });
  return isEmpty(kept) ? undefined : (kept as JsonObject);
}
