#!/usr/bin/env node
/** The reference gateway as a process: `node referenceGateway.js PORT UPSTREAM [FAULT]…`. */
import { serveGateway } from './gateway/gateway.js';

const [port, upstream = '', ...faults] = process.argv.slice(2);
await serveGateway(upstream, faults, Number(port));
