import { capabilityChecks } from './capabilities.js';
import { environmentChecks } from './environment.js';
import { languageChecks } from './language.js';
import { languageHttpChecks } from './languageHttp.js';
import { protocolChecks } from './protocol.js';
import type { ServerCheck } from './trial.js';
import { stateChecks } from './state.js';
import { traceChecks } from './trace.js';

/** Every check of a server, in the order of a report. */
export const serverChecks: readonly ServerCheck[] = [
  ...protocolChecks,
  ...languageChecks,
  ...languageHttpChecks,
  ...environmentChecks,
  ...stateChecks,
  ...traceChecks,
  ...capabilityChecks,
];
