/** Every rule the kit can see on the wire, in the order of a report. */
import { capabilitiesRules } from './requirements/capabilities.js';
import { environmentRules } from './requirements/environment.js';
import { languageRules } from './requirements/language.js';
import { protocolRules } from './requirements/protocol.js';
import { stateRules } from './requirements/state.js';
import { togetherRules } from './requirements/together.js';
import { traceRules } from './requirements/trace.js';
import type { Requirement } from './requirements/rule.js';

export type { Level, Requirement } from './requirements/rule.js';

export const REQUIREMENTS: readonly Requirement[] = [
  ...protocolRules,
  ...languageRules,
  ...environmentRules,
  ...stateRules,
  ...traceRules,
  ...capabilitiesRules,
  ...togetherRules,
];

export const requirementById: ReadonlyMap<string, Requirement> = new Map(REQUIREMENTS.map((one) => [one.id, one]));
