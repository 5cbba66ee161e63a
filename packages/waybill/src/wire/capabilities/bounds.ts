import type { Report } from '../issue.js';
import { isObject, outOfBounds, type Bounds, type JsonObject } from '../json.js';

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
