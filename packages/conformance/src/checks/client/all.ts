import { capabilityChecks } from './capabilities.js';
import { environmentChecks } from './environment.js';
import { languageChecks } from './language.js';
import { answerChecks } from './protocol/answers.js';
import { requestChecks } from './protocol/requests.js';
import { keepingChecks } from './state/keep.js';
import { ownerChecks } from './state/owner.js';
import { traceChecks } from './trace.js';
import type { ClientCheck } from './trial.js';

/** Every check of a client, in the order of a report. */
export const clientChecks: readonly ClientCheck[] = [
  ...requestChecks,
  ...answerChecks,
  ...languageChecks,
  ...environmentChecks,
  ...keepingChecks,
  ...ownerChecks,
  ...traceChecks,
  ...capabilityChecks,
];
