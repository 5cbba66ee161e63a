#!/usr/bin/env node
/**
 * The scenario server on stdin, for clients that start it. It sends what it receives to the kit, which listens at --report. Started as other.js
 * it is the second server of scenario `servers`.
 */
import { parseArgs } from 'node:util';
import { serveStdin } from '../peers/serve.js';
import type { Revision } from '../wire/keys.js';
import { reportTo } from './received.js';
import { ScenarioServer } from './server.js';

const { scenario, revision, report } = parseArgs({
  options: { scenario: { type: 'string', default: '' }, revision: { type: 'string' }, report: { type: 'string', default: '' } },
}).values;
const name = process.argv[1]?.endsWith('other.js') === true ? 'other' : 'first';
const server = new ScenarioServer(scenario, revision as Revision, reportTo(report, { server: name }));
await serveStdin((message, declared) => server.answer(message, declared));
