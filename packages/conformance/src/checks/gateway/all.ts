import { capabilityChecks } from './capabilities.js';
import { environmentChecks } from './environment.js';
import { languageChecks } from './language.js';
import { answerChecks } from './protocol/answers.js';
import { listChecks } from './protocol/lists.js';
import { requestChecks } from './protocol/requests.js';
import { stateChecks } from './state.js';
import { traceChecks } from './trace.js';
import type { GatewayCheck } from './trial.js';

/** Every check of a gateway, in the order of a report. */
export const gatewayChecks: readonly GatewayCheck[] = [
  ...requestChecks,
  ...answerChecks,
  ...listChecks,
  ...languageChecks,
  ...environmentChecks,
  ...stateChecks,
  ...traceChecks,
  ...capabilityChecks,
];
