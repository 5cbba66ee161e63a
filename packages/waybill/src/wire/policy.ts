/**
 * Policy (D-20): what each server may know. Rules name fields and levels; a rule for a server beats a pattern beats the default, field by
 * field, and of two equal rules the stricter one holds. `never` is enforced by a filter on the message as it leaves.
 */
export { checkPolicy, checkPolicyRules } from './policy/check.js';
export { decisionsOf, levelsOf, readPolicy, type PolicyBook, type PolicyDecision, type PolicyDecisions } from './policy/choose.js';
export {
  fieldsIn,
  isPrecision,
  passes,
  POLICY_FIELDS,
  PolicyTally,
  type FieldLevel,
  type FieldSet,
  type Level,
  type Policy,
  type PolicyField,
  type PolicyLevels,
  type PolicyRules,
} from './policy/fields.js';
export { policyFilter, type HeaderLine, type LimitAbout, type PolicyFilter, type PolicyFilterOptions } from './policy/filter.js';
export { namesAt, NO_NAMES, originOf, type ServerNames } from './policy/servers.js';
export { checkWants, MAX_REASON, readWant, type Wants } from './policy/wants.js';
