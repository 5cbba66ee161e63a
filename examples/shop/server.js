#!/usr/bin/env node
// The shop: one tool for each thing a handler can see or do with the context of its request.
//   node examples/shop/server.js (--http PORT | --stdio) [options]; --help lists the options
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { listCache, serverContext } from 'waybill/server';
import { catalogFolder } from 'waybill/server/node';
import * as time from '@waybill/time';
import { CHECK_ARGUMENTS } from './server.checks.js';
import { STATE } from './server.state.js';
import { LANGUAGES, NEEDS } from './server.tools.js';

const USAGE = `Usage: node examples/shop/server.js (--http PORT | --stdio) [options]

--http PORT         Streamable HTTP on 127.0.0.1; 0 takes a free port. The URL is the first line printed.
--stdio             on stdin and stdout
--sdk v1|v2         the SDK that serves; v2 serves both revisions (default v2)
--wire seed         the literal form of the proposals where it differs from today's protocol
--strict            refuse malformed context instead of dropping it
--filter declared   list only the tools that the request's capabilities allow
--cache-lists       answer lists from finished answers, one for each language
--clock TIME        the server's own clock stands still at this moment

On revision 2025-11-25 over HTTP, SDK v2 serves without sessions: it does not know what was declared at initialize, so tools that need a
capability are refused unless the call itself declares it, and ask cannot ask. Use --sdk v1, --stdio, or revision 2026-07-28.
Exit codes: 1 the port cannot be had, 2 wrong usage.`;

const OPTIONS = {
  http: { type: 'string' },
  stdio: { type: 'boolean', default: false },
  sdk: { type: 'string', default: 'v2' },
  wire: { type: 'string', default: 'current' },
  strict: { type: 'boolean', default: false },
  filter: { type: 'string' },
  'cache-lists': { type: 'boolean', default: false },
  clock: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
};

const { values, wrong } = valuesOf();
if (wrong !== undefined || values.help) {
  if (wrong === undefined) console.log(USAGE);
  else console.error(`server: ${wrong}\n\n${USAGE}`);
  process.exit(wrong === undefined ? 0 : 2);
}

// This is the whole setup: what the server can do, and one line for each transport.
const waybill = serverContext({
  languages: LANGUAGES,
  catalogs: await catalogFolder(new URL('./locales/', import.meta.url), { default: 'en' }),
  localise: { argument: { price: 'language', ...CHECK_ARGUMENTS } },
  tools: NEEDS,
  state: STATE,
  time,
  wire: values.wire,
  strict: values.strict,
  ...(values.clock !== undefined && { clock: () => Date.parse(values.clock) }),
  ...(values.filter !== undefined && { filter: values.filter }),
  // All users get the same lists here, so one cached answer serves everybody with the same language.
  ...(values['cache-lists'] && { lists: listCache({ public: true }) }),
});

const { build, httpHandler, serveStdin } = await import(values.sdk === 'v1' ? './server.v1.js' : './server.v2.js');
if (values.stdio) await serveStdin(waybill, build);
else {
  const handler = httpHandler(waybill, build);
  const answer = async (request, response) => {
    try {
      await handler(request, response);
    } catch (error) {
      // A listener that rejects would end the process.
      console.error(error);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    }
  };
  const server = createServer((request, response) => {
    if (request.url.split('?')[0] === '/mcp') void answer(request, response);
    else response.writeHead(404).end();
  });
  server.once('error', (error) => {
    console.error(`server: --http ${values.http}: ${error.code === 'EADDRINUSE' ? 'the port is in use' : error.message}`);
    process.exit(1);
  });
  server.listen(Number(values.http), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
  const stop = () => {
    server.close();
    server.closeAllConnections();
    // Nothing that the server still waits for will come.
    handler.close?.();
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop);
}

function valuesOf() {
  try {
    const { values: given } = parseArgs({ options: OPTIONS });
    return { values: given, wrong: given.help ? undefined : problemOf(given) };
  } catch (error) {
    return { wrong: error.message };
  }
}

function problemOf({ http, stdio, sdk, wire, filter = 'declared', clock }) {
  if (clock !== undefined && Number.isNaN(Date.parse(clock))) return '--clock: expected a moment, such as 2026-10-31T23:40:00Z';
  if ((http === undefined) !== stdio) return 'expected either --http PORT or --stdio';
  if (http !== undefined && !(/^\d{1,5}$/.test(http) && Number(http) <= 65_535)) return '--http: expected a port, 0 to 65535';
  for (const [name, value, known] of [
    ['sdk', sdk, ['v1', 'v2']],
    ['wire', wire, ['current', 'seed']],
    ['filter', filter, ['declared']],
  ])
    if (!known.includes(value)) return `--${name}: expected ${known.join(' or ')}`;
  return undefined;
}
