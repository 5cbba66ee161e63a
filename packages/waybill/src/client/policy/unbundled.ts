import type { ClientPolicy } from '../policy.js';

/** Stands in for `policy()` in a browser bundle: its code is a third of the client's, so a page that needs it imports it by name. */
export function policy(): ClientPolicy {
  throw new TypeError("policy: expected policy(rules) in a browser; import { policy } from 'waybill/client/policy'");
}
