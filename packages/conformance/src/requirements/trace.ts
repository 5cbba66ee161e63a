/** Rules of trace context. */
import { DERIVED, TRACE, rule, type Requirement } from './rule.js';

export const traceRules: readonly Requirement[] = [
  rule('TRACE-01', 'MUST', 'server client gateway', TRACE, 'The three trace keys are bare names in `_meta`; prefixed variants are wrong.'),
  rule('TRACE-02', 'MUST', 'server client gateway', TRACE, 'Their values follow W3C Trace Context and Baggage.'),
  rule('TRACE-03', 'MUST', 'server', TRACE, 'Any request may carry trace context; a server accepts it.'),
  rule('TRACE-04', 'MUST', 'server client', TRACE, 'Unknown `_meta` keys are ignored.'),
  rule(
    'TRACE-05',
    'SHOULD',
    'client gateway',
    DERIVED,
    'Metadata stays apart from the params of a method: nothing changes their members or types.',
  ),
  rule(
    'TRACE-06',
    'MUST',
    'server client gateway',
    TRACE,
    'A progress token is a string or an integer, unlike those of other active requests, and is carried as it is; progress rises, and is sent only for active tokens.',
  ),
  rule('TRACE-08', 'MUST', 'server gateway', TRACE, 'A difference between the HTTP header and `_meta` is never a reason to refuse.'),
  rule(
    'TRACE-09',
    'SHOULD',
    'server',
    DERIVED,
    'An invalid traceparent is ignored together with tracestate; versions above 00 are read by their first four fields.',
  ),
  rule(
    'TRACE-10',
    'SHOULD',
    'server gateway',
    DERIVED,
    'Trace state of 32 members and 512 characters and baggage of 64 members are accepted; the order stays.',
  ),
  rule(
    'TRACE-12',
    'SHOULD',
    'gateway',
    DERIVED,
    'Baggage is controlled by its caller: it is passed or removed, and says nothing about who somebody is.',
  ),
  rule(
    'TRACE-11',
    'SHOULD',
    'server gateway',
    DERIVED,
    'A hop that takes part makes a new parent id within the same trace; one that does not passes the keys byte for byte.',
  ),
  rule(
    'TRACE-14',
    'SHOULD',
    'gateway',
    DERIVED,
    'Trace keys, progress tokens and client info do not change a result and stay out of cache keys.',
  ),
];
