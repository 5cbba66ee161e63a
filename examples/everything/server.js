#!/usr/bin/env node
// The everything server: each thing a handler can see or do with its request's context, one tool each.
//   node examples/everything/server.js (--http PORT | --stdio) [--sdk v1|v2] [--wire seed] [--strict] [--filter declared]
// With --http the URL is the first line printed; port 0 takes a free one.
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { serverContext } from 'waybill/server';
import { catalogFolder } from 'waybill/server/node';
import * as time from 'waybill/time';
import { STATE } from './server.state.js';
import { LANGUAGES, NEEDS } from './server.tools.js';

const { values } = parseArgs({
  options: {
    http: { type: 'string' },
    stdio: { type: 'boolean' },
    sdk: { type: 'string', default: 'v2' },
    wire: { type: 'string', default: 'current' },
    strict: { type: 'boolean', default: false },
    filter: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});
const port = values.http === undefined ? undefined : Number(values.http);
if (values.help || (port === undefined) === !values.stdio || !['v1', 'v2'].includes(values.sdk) || !(port === undefined || isPort(port))) {
  (values.help ? console.log : console.error)(`Usage: node examples/everything/server.js (--http PORT | --stdio) [options]

--http PORT         Streamable HTTP on 127.0.0.1; 0 takes a free port. The URL is the first line printed.
--stdio             on stdin and stdout
--sdk v1|v2         the SDK that serves; v2 serves both revisions (default v2)
--wire seed         the literal form of the proposals where it differs from today's protocol
--strict            refuse malformed context instead of dropping it
--filter declared   list only the tools that the request's capabilities allow`);
  process.exit(values.help ? 0 : 2);
}

// This is all there is to it: what the server can do, and one line at each door.
const waybill = serverContext({
  languages: LANGUAGES,
  catalogs: await catalogFolder(new URL('./locales/', import.meta.url), { default: 'en' }),
  localise: { argument: { price: 'language' } },
  tools: NEEDS,
  state: STATE,
  time,
  wire: values.wire,
  strict: values.strict,
  ...(values.filter !== undefined && { filter: values.filter }),
});

const { build, httpHandler, serveStdin } = await import(values.sdk === 'v1' ? './server.v1.js' : './server.v2.js');
if (values.stdio) await serveStdin(waybill, build);
else {
  const handler = httpHandler(waybill, build);
  const server = createServer((request, response) => {
    if (new URL(request.url, 'http://localhost').pathname === '/mcp') void handler(request, response);
    else response.writeHead(404).end();
  });
  server.listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => (server.close(), server.closeAllConnections()));
}

function isPort(number) {
  return Number.isInteger(number) && number >= 0 && number <= 65_535;
}
