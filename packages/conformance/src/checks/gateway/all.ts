import { capabilityChecks } from './capabilities.js';
import { environmentChecks } from './environment.js';
import { languageChecks } from './language.js';
import { protocolChecks } from './protocol.js';
import { stateChecks } from './state.js';
import { traceChecks } from './trace.js';
import type { GatewayCheck } from './trial.js';

/** Every check of a gateway, in the order of a report. */
export const gatewayChecks: readonly GatewayCheck[] = [
  ...protocolChecks,
  ...languageChecks,
  ...environmentChecks,
  ...stateChecks,
  ...traceChecks,
  ...capabilityChecks,
];
