#!/usr/bin/env node
/** The reference server as a process: `node referenceServer.js [--stdio | --http PORT] [--fault NAME]…`. */
import { parseArgs } from 'node:util';
import { serveHttp, serveStdin } from './serve.js';
import { ReferenceServer } from './server/server.js';

const { values } = parseArgs({
  options: {
    stdio: { type: 'boolean' },
    http: { type: 'string', default: '0' },
    wire: { type: 'string' },
    fault: { type: 'string', multiple: true, default: [] },
  },
});
const server = new ReferenceServer(values.fault, values.wire === 'seed' ? 'seed' : 'current');
if (values.stdio === true) await serveStdin((message, declared) => server.answer(message, declared));
else {
  const served = await serveHttp((message, declared, lines) => server.answer(message, declared, lines), Number(values.http));
  process.stdout.write(`${served.url}\n`);
}
