import { atOnce, reportRejection } from '../../wire/callbacks.js';

/**
 * Checks the principal that the author's function returned: a text, or `null` for no particular user. Everything else throws (D-35). A
 * sealed value is bound to the principal, so `undefined` from a misspelt member, or any two promises or objects, would make all users one.
 */
export function principalIn(given: unknown, onFault: (error: unknown) => void): string | null {
  if (given === null || (typeof given === 'string' && given !== '')) return given;
  atOnce(reportRejection(given, onFault), 'principal');
  const gave = given === '' ? 'an empty text' : given === undefined ? 'undefined' : 'no text';
  throw new TypeError(`principal: returned ${gave}: expected a text, or null for no particular user`);
}
