#!/usr/bin/env node
/** The reference server as a process: `node referenceServer.js [--stdio] [--fault NAME]…`. Over HTTP it prints its URL. */
import { parseArgs } from 'node:util';
import { serveHttp, serveStdin } from './serve.js';
import { ReferenceServer } from './server/server.js';

const { values } = parseArgs({ options: { stdio: { type: 'boolean' }, fault: { type: 'string', multiple: true, default: [] } } });
const server = new ReferenceServer(values.fault);
if (values.stdio === true) await serveStdin((message, declared) => server.answer(message, declared));
else {
  const served = await serveHttp((message, declared, lines) => server.answer(message, declared, lines));
  process.stdout.write(`${served.url}\n`);
}
