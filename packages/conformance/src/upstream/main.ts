#!/usr/bin/env node
/** The raw upstream on stdin, for gateways that start it. It sends what it receives to the kit, which listens at --report. */
import { parseArgs } from 'node:util';
import { serveStdin } from '../peers/serve.js';
import { reportTo } from '../scenarios/received.js';
import { UpstreamServer } from './server.js';

const { values } = parseArgs({ options: { report: { type: 'string', default: '' } } });
const server = new UpstreamServer(reportTo(values.report));
await serveStdin((message, declared) => server.answer(message, declared));
