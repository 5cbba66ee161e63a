/** Rules of how the concerns work together, and what gateways pass. */
import { DERIVED, rule, type Requirement } from './rule.js';

export const togetherRules: readonly Requirement[] = [
  rule('D-21', 'SHOULD', 'gateway', DERIVED, 'Keys of `_meta` that a gateway does not know pass it untouched.'),
  rule(
    'IX-01',
    'SHOULD',
    'gateway',
    DERIVED,
    'The key of a cached list has all that changes it: method, params, cursor, preference, credentials of a private one.',
  ),
  rule('IX-02', 'SHOULD', 'client', DERIVED, 'Discovery carries the preference too.'),
  rule(
    'IX-04',
    'SHOULD',
    'server',
    DERIVED,
    'Words follow the preference, formats the locale; a language taken from a locale is not reported as negotiated.',
  ),
  rule(
    'IX-08',
    'SHOULD',
    'client',
    DERIVED,
    'State and request state are different things: on a retry both are sent, and state of the question applies before it.',
  ),
  rule(
    'IX-09',
    'SHOULD',
    'server',
    DERIVED,
    'A cached result does not apply its state again; a result that sets state is not public; lists do not vary by state.',
  ),
  rule('IX-10', 'SHOULD', 'client', DERIVED, 'State applies by name, in the order in which answers arrive.'),
  rule('IX-11', 'SHOULD', 'client', DERIVED, 'The state capability is declared only where state may be kept.'),
  rule('IX-12', 'SHOULD NOT', 'client', DERIVED, 'State and data of the user never go into baggage.'),
  rule('IX-13', 'SHOULD', 'client', DERIVED, 'A refusal for headers is recovered from once at most.'),
  rule('IX-14', 'SHOULD', 'client', DERIVED, 'Each leg of a multi-round-trip has its own timestamp and span within the same trace.'),
  rule('IX-15', 'SHOULD', 'server', DERIVED, 'At the edge agreement of headers comes before the envelope and before capabilities.'),
  rule('IX-19', 'SHOULD', 'server', DERIVED, 'On 2025-11-25 language, trace and state work through `_meta`, without an envelope.'),
];
