#!/usr/bin/env node
/** The scenario server on stdin, for clients that start it. What it receives goes to the kit, which waits at --report. */
import { parseArgs } from 'node:util';
import { serveStdin } from '../peers/serve.js';
import type { Revision } from '../wire/keys.js';
import { type Received, ScenarioServer } from './server.js';

const { values } = parseArgs({
  options: {
    scenario: { type: 'string', default: '' },
    revision: { type: 'string', default: '' },
    report: { type: 'string', default: '' },
  },
});

const keep = async (received: Received) => {
  await fetch(values.report, { method: 'POST', body: JSON.stringify(received) });
};
const server = new ScenarioServer(values.scenario, values.revision as Revision, keep);
await serveStdin((message, declared) => server.answer(message, declared));
