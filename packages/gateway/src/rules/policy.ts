/** Policy: takes out what this upstream may not know. It comes last, because it also holds for what other rules wrote. */
import { decisionsOf, levelsOf, policyFilter, PolicyTally, type PolicyRules } from 'waybill/adapter';
import type { NamesDisclosed } from '../operations/exchanges.js';
import type { Rule } from './rule.js';

/** A gateway without a rule for a field passes it. */
const OPEN: PolicyRules = {
  ...{ language: 'always', timezone: 'always', now: 'always', locale: 'always', location: 'always' },
  ...{ state: 'always', trace: 'always', baggage: 'always', capabilities: 'always' },
};

const levelsUnder = (given: PolicyRules = {}) => levelsOf(decisionsOf({ ...OPEN, ...given }, 'policy'));

const EVERYTHING = levelsUnder();
const COUNTING = policyFilter();

/** Names what a message and its headers tell of the client, in the words of the policy. */
export const namesDisclosed: NamesDisclosed = (message, headers) => {
  const tally = new PolicyTally();
  COUNTING.message(message.value, EVERYTHING, tally);
  COUNTING.headers(Object.entries(headers), EVERYTHING, tally);
  return tally.sent;
};

/** Tells whether this upstream may be told a field as the client sent it. */
export function mayKnow(given: PolicyRules | undefined): (field: 'timezone' | 'locale') => boolean {
  const levels = levelsUnder(given);
  return (field) => levels[field] === 'always';
}

export function policyRule(given: PolicyRules): Rule {
  const levels = levelsUnder(given);
  const filter = policyFilter();
  return {
    name: 'policy',
    request(hop) {
      const { message, headers } = hop;
      const tally = new PolicyTally();
      message.become([], filter.message(message.value, levels, tally));
      const kept = Object.fromEntries(filter.headers(Object.entries(headers), levels, tally));
      for (const name of Object.keys(headers)) {
        const value = kept[name];
        if (value === undefined) Reflect.deleteProperty(headers, name);
        else headers[name] = value;
      }
      hop.disclosure = tally;
    },
  };
}
