import type { Report } from '../issue.js';
import { isEmpty, isObject, membersWithin, outOfBounds, own, type Bounds, type JsonObject, type Meta } from '../json.js';

// CAP-23
/** The bounds of a declaration or annotation of a peer. Real ones have about a dozen values, three levels deep. */
export const CAPABILITY_BOUNDS: Bounds = { depth: 16, values: 1024, characters: 32_768 };

/** Returns the value as a set of capabilities, or reports it. */
export function checkCapabilities(value: unknown, key: string, report: Report): JsonObject | undefined {
  if (value === undefined) return undefined;
  const problem = isObject(value) ? outOfBounds(value, CAPABILITY_BOUNDS) : 'is not an object';
  if (problem === undefined) return value as JsonObject;
  report({ concern: 'capabilities', key, problem });
  return undefined;
}

// D-13
/** Reads the declaration of a request. A member or extension that is too large is dropped and reported; the others stay. */
export function readDeclaration(value: unknown, key: string, report: Report): JsonObject | undefined {
  if (!isObject(value)) return checkCapabilities(value, key, report);
  if (outOfBounds(value, CAPABILITY_BOUNDS) === undefined) return value as JsonObject;
  const extensions = own(value, 'extensions');
  const isOut = isObject(extensions) && outOfBounds(extensions, CAPABILITY_BOUNDS) !== undefined;
  const kept = fitting(isOut ? { ...value, extensions: fitting(extensions, `${key}.extensions`, report) } : value, key, report);
  return isEmpty(kept) ? undefined : (kept as JsonObject);
}

function fitting(members: Meta, key: string, report: Report): Meta {
  if (Object.keys(members).length > CAPABILITY_BOUNDS.values) return checkCapabilities(members, key, report) ?? {};
  return membersWithin(members, CAPABILITY_BOUNDS, (name, problem) => {
    report({ concern: 'capabilities', key: `${key}.${name}`, problem });
  });
}
