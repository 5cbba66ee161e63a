import type { Report } from '../issue.js';
import { isObject, own, type JsonObject } from '../json.js';
import { nearest } from '../nearest.js';
import { POLICY_FIELDS, type PolicyField } from './fields.js';

// D-37
/** The fields that a server would use, each with its reason in the server's own words. */
export type Wants = Readonly<Partial<Record<PolicyField, string>>>;

export const MAX_REASON = 200;

/** Controls, bidi controls, zero-width and other characters that show nothing, separators of lines, half surrogate pairs. */
const UNFIT = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Throws for wants that could not be shown as they are written. */
export function checkWants(wants: unknown, path: string): asserts wants is Wants {
  if (!isObject(wants)) throw new TypeError(`${path}: expected an object`);
  for (const [field, reason] of Object.entries(wants)) {
    if (!isField(field)) {
      const near = nearest(field, POLICY_FIELDS);
      throw new TypeError(
        `${path}.${field}: unknown field; ${near ? `did you mean ${near}?` : `expected one of ${POLICY_FIELDS.join(', ')}`}`,
      );
    }
    if (typeof reason !== 'string') throw new TypeError(`${path}.${field}: expected a text`);
    if (reason === '' || plainReason(reason) !== reason)
      throw new RangeError(
        `${path}.${field}: expected one line of at most ${MAX_REASON} characters, without control or invisible characters`,
      );
  }
}

/** The reason that a server gives for one field, fit for a prompt: it is the text of somebody who wants a yes. */
export function readWant(settings: JsonObject | undefined, field: PolicyField, report: Report): string | undefined {
  const wants = settings && own(settings, 'wants');
  const reason = isObject(wants) ? own(wants, field) : undefined;
  if (reason === undefined) return undefined;
  if (typeof reason !== 'string') {
    report({ concern: 'meta', key: `wants.${field}`, problem: 'is not a text' });
    return undefined;
  }
  return plainReason(reason) || undefined;
}

/** One line of at most 200 characters. A longer one ends with an ellipsis. */
function plainReason(reason: string): string {
  // A peer chooses the length: no more is looked at than could be shown.
  const line = reason
    .slice(0, MAX_REASON * 8)
    .replace(/[\p{Z}\p{Cc}]+/gu, ' ')
    .replace(UNFIT, '')
    .replace(/ {2,}/g, ' ')
    .trim();
  const characters = Array.from(line);
  return characters.length <= MAX_REASON
    ? line
    : `${characters
        .slice(0, MAX_REASON - 1)
        .join('')
        .trimEnd()}…`;
}

function isField(name: string): name is PolicyField {
  return (POLICY_FIELDS as readonly string[]).includes(name);
}
