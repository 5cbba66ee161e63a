/** The scenarios that are added to the two lists of the suite's `src/scenarios/index.ts`. */
import type { ClientScenario, Scenario } from '../types.js';
import { LanguageClientScenario } from './client/language.js';
import { TraceContextClientScenario } from './client/trace-context.js';
import { LanguageServerScenario } from './server/language.js';
import { TraceContextServerScenario } from './server/trace-context.js';

export const forClients: readonly Scenario[] = [new TraceContextClientScenario(), new LanguageClientScenario()];
export const forServers: readonly ClientScenario[] = [new TraceContextServerScenario(), new LanguageServerScenario()];
