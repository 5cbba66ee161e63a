#!/usr/bin/env node
/** The raw upstream on stdin, for gateways that start it. What it receives goes to the kit, which waits at --report. */
import { parseArgs } from 'node:util';
import { serveStdin } from '../peers/serve.js';
import type { Received } from '../scenarios/server.js';
import { UpstreamServer } from './server.js';

const { values } = parseArgs({ options: { report: { type: 'string', default: '' } } });
const keep = async (received: Received) => {
  await fetch(values.report, { method: 'POST', body: JSON.stringify({ ...received, process: process.pid }) });
};
const server = new UpstreamServer(keep);
await serveStdin((message, declared) => server.answer(message, declared));
