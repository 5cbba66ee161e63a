/** Parts of a configuration whose shape the schema has checked. */
import { isObject, own, type JsonRecord } from '../json/values.js';

/** A member that is an object; empty if it is not there. */
export function part(value: unknown, name: string): JsonRecord {
  const found = own(value, name);
  return isObject(found) ? found : {};
}
