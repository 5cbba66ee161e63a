import type { Report } from '../issue.js';
import { isObject, own, type JsonObject, type Meta } from '../json.js';
import { checkNames } from '../check.js';
import { POLICY_FIELDS, type PolicyField } from './fields.js';

// D-37
/** The fields that a server would use, each with its reason in the server's own words. */
export type Wants = Readonly<Partial<Record<PolicyField, string>>>;

export const MAX_REASON = 200;

/** Controls, bidi controls, zero-width and other characters that show nothing, separators of lines, half surrogate pairs. */
const UNFIT = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Throws for wants that could not be shown as they are written. */
export function checkWants(wants: unknown, path: string): asserts wants is Wants {
  checkNames(wants, POLICY_FIELDS, path, `${path}.`, 'field');
  for (const [field, reason] of Object.entries(wants as Meta)) {
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
