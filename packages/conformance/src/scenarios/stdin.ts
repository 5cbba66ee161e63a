/** The scenario server on stdin; `as` is the server that it is for the kit. */
import { parseArgs } from 'node:util';
import { serveStdin } from '../peers/serve.js';
import type { Revision } from '../wire/keys.js';
import { type Received, ScenarioServer } from './server.js';

export async function serveScenario(as: 'first' | 'other'): Promise<void> {
  const { values } = parseArgs({
    options: {
      scenario: { type: 'string', default: '' },
      revision: { type: 'string', default: '' },
      report: { type: 'string', default: '' },
    },
  });
  const keep = async (received: Received) => {
    await fetch(values.report, { method: 'POST', body: JSON.stringify({ ...received, server: as }) });
  };
  const server = new ScenarioServer(values.scenario, values.revision as Revision, keep);
  await serveStdin((message, declared) => server.answer(message, declared));
}
