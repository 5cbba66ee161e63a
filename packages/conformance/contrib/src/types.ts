/**
 * The part of the suite's own `src/types.ts` that these files use, so that they can be checked and run here. It is not contributed: in the
 * suite the imports find the file of this name.
 */
export type CheckStatus = 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';

export interface ConformanceCheck {
  id: string;
  name: string;
  description: string;
  status: CheckStatus;
  timestamp: string;
  specReferences?: { id: string; url?: string }[];
  details?: Record<string, unknown>;
  errorMessage?: string;
}

export interface ScenarioUrls {
  serverUrl: string;
  context?: Record<string, unknown>;
}

/** A scenario for clients: it is the server that they talk to. */
export interface Scenario {
  name: string;
  description: string;
  source: { introducedIn: '2026-07-28' };
  allowClientError?: boolean;
  start(ctx: { specVersion: string }): Promise<ScenarioUrls>;
  stop(): Promise<void>;
  getChecks(): ConformanceCheck[];
}

/** A scenario for servers: it is their client. */
export interface ClientScenario {
  name: string;
  description: string;
  source: { introducedIn: '2026-07-28' };
  run(ctx: { serverUrl: string; specVersion: string }): Promise<ConformanceCheck[]>;
}
