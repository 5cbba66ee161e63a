/** `waybill/client/policy`: what each server may know, what it was told, and the user's consent. */
export { policy, type PolicyOptions } from './open.js';
export type { Ask, Consent, ConsentQuestion } from './prompts.js';
export type { Ledger, LedgerEntry, LedgerFilter } from './ledger.js';
export type { ClientPolicy, PolicyFunction, Preview, Withheld } from '../policy.js';
export type { StdioNames, StdioPackage } from '../stdioNames.js';
export type { Level, Policy, PolicyField, PolicyRules } from '../../wire/policy.js';
