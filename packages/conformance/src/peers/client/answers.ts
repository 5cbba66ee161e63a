/** The reference client's reading of an answer: whether the call failed, and why. */
import { type Exchange, header } from '../../wire/exchange.js';
import { at, isObject, type Message } from '../../wire/json.js';
import { CONTENT_LANGUAGE, isKnownKey, MISSING_CAPABILITY } from '../../wire/keys.js';
import type { Faults } from '../reply.js';

/** LANG-27: an error is known by its code. */
export function isMissing(faults: Faults, { answer }: Exchange): boolean {
  if (faults.has('branches-on-message')) return /capability/i.test(String(at(answer, 'error', 'message')));
  return at(answer, 'error', 'code') === MISSING_CAPABILITY;
}

/** Whether a result can be used: it is of a known type, and header and body name one language. */
export function isValid(faults: Faults, exchange: Exchange): boolean {
  const { resultType: type, _meta: meta = {} } = resultOf(exchange);
  // BASE-15
  if (type !== undefined && type !== 'complete' && !faults.has('takes-any-type')) return false;
  // TRACE-04: unknown keys are no reason to refuse a result.
  if (faults.has('refuses-unknown-meta') && !Object.keys(meta as Message).every(isKnownKey)) return false;
  // LANG-49
  const [body, sent] = [at(meta, CONTENT_LANGUAGE), header(exchange, 'content-language')];
  const alike = faults.has('language-lenient-answer') && String(body).toLowerCase() === sent?.toLowerCase();
  return body === undefined || sent === undefined || body === sent || alike || faults.has('language-accepts-mismatch');
}

const resultOf = ({ answer }: Exchange): Message => (isObject(answer?.['result']) ? answer['result'] : {});
