import { isObject, type JsonRecord } from '../json/values.js';

/** Objects are joined member by member, so that a default for one field stays when another is set. */
export function merged(defaults: JsonRecord, given: JsonRecord): JsonRecord {
  const joined: JsonRecord = { ...defaults };
  for (const [name, value] of Object.entries(given)) {
    const before = joined[name];
    joined[name] = isObject(before) && isObject(value) ? { ...before, ...value } : value;
  }
  return joined;
}
