/** Parts of a configuration whose shape the schema has checked. */
import { isObject, own, type JsonRecord } from '../json/values.js';

/** A member that is an object; empty if it is not there. */
export function part(value: unknown, name: string): JsonRecord {
  const found = own(value, name);
  return isObject(found) ? found : {};
}

/** Objects are joined member by member, so that a default for one field stays when another is set. */
export function merged(defaults: JsonRecord, given: JsonRecord): JsonRecord {
  const joined: JsonRecord = { ...defaults };
  for (const [name, value] of Object.entries(given)) {
    const before = joined[name];
    joined[name] = isObject(before) && isObject(value) ? { ...before, ...value } : value;
  }
  return joined;
}
