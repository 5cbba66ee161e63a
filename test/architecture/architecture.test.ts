import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { block, blockIn, examine, root, sources } from './picture.mjs';
import { rooms } from './rules.mjs';

const picture = examine(sources());

describe('the import picture', () => {
  it('the picture has no forbidden edge', () => {
    expect(picture.problems, 'the rules are in test/architecture/rules.mjs').toEqual([]);
  });

  it('every allowed edge is in the picture', () => {
    for (const [room, rule] of Object.entries(rooms)) expect([...(picture.edges.get(room) ?? [])].sort(), room).toEqual([...rule.rooms]);
  });

  it('the picture is derived from everything that ships', () => {
    expect(sources().length).toBeGreaterThan(4);
    expect([...picture.edges.keys()]).toContain('wire');
    expect([...(picture.edges.get('wire') ?? ['none'])]).toEqual([]);
  });

  it('ARCHITECTURE.md shows the current picture', () => {
    const { found } = blockIn(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'));
    expect(found, 'run: node scripts/architecture.mjs --write').toBe(block(picture.edges));
  });
});

it('only transport/sdk.ts looks at members and private members of SDK objects', () => {
  const telling =
    /constructor\.name|'(?:sessionId|stderr|finishAuth|handleRequest|handleMessage|handlePostMessage)' in |(?:\.|\[')_(?!meta\b)[a-z]/;
  const found = sources().filter(({ path, text }) => path.startsWith('packages/waybill/src/') && telling.test(text));
  expect(found.map(({ path }) => path)).toEqual(['packages/waybill/src/transport/sdk.ts']);
});

describe('the check of the picture', () => {
  const problemsOf = (path: string, text: string): string[] => examine([{ path: `packages/${path}`, text }]).problems;

  const bad: [what: string, path: string, text: string][] = [
    ['wire that imports another room', 'waybill/src/wire/read.ts', `import { x } from '../client/jar.js';`],
    ['wire that imports a type of another room', 'waybill/src/wire/read.ts', `import type { X } from '../transport/hook.js';`],
    ['wire that re-exports another room', 'waybill/src/wire/read.ts', `export * from '../hosts/index.js';`],
    ['wire that imports a package', 'waybill/src/wire/state.ts', `import { z } from 'zod';`],
    ['wire that imports a type of a package', 'waybill/src/wire/state.ts', `import type { z } from 'zod';`],
    ['the matcher outside the language', 'waybill/src/wire/trace.ts', `import { match } from '@formatjs/intl-localematcher';`],
    ['wire that imports Node', 'waybill/src/wire/node.ts', `import { randomBytes } from 'node:crypto';`],
    ['wire that imports lazily', 'waybill/src/wire/read.ts', `export const f = () => import('../hosts/index.js');`],
    ['a concern that imports another', 'waybill/src/wire/state.ts', `import { x } from './trace.js';`],
    ['a part of a concern that imports another', 'waybill/src/wire/language/match.ts', `import { x } from '../environment/zone.js';`],
    ['a concern that imports a part of another', 'waybill/src/wire/trace.ts', `import { x } from './state/limits.js';`],
    ['a clock in wire', 'waybill/src/wire/environment.ts', `export const now = () => Date.now();`],
    ['another clock in wire', 'waybill/src/wire/environment.ts', `export const now = () => new Date();`],
    ['chance in wire', 'waybill/src/wire/trace.ts', `export const id = () => Math.random();`],
    ['the console in wire', 'waybill/src/wire/trace.ts', `console.log(1);`],
    ['the process in wire', 'waybill/src/wire/trace.ts', `export const x = process.env['X'];`],
    ['a client that imports the server', 'waybill/src/client/index.ts', `import { x } from '../server/index.js';`],
    ['a server that imports the client', 'waybill/src/server/index.ts', `import type { X } from '../client/jar.js';`],
    ['a server that imports the client by name', 'waybill/src/server/index.ts', `import { x } from 'waybill/client';`],
    ['a client that imports the hosts', 'waybill/src/client/jar.ts', `import { x } from '../hosts/index.js';`],
    ['a transport that imports more than wire', 'waybill/src/transport/hook.ts', `import { x } from '../client/index.js';`],
    ['a transport that imports a package', 'waybill/src/transport/hook.ts', `import { Client } from '@modelcontextprotocol/client';`],
    ['hosts that import another package', 'waybill/src/hosts/index.ts', `import { x } from 'tough-cookie';`],
    ['time that imports the library', 'time/src/index.ts', `import { x } from 'waybill';`],
    ['a server that imports time', 'waybill/src/server/environment.ts', `import type { X } from '@waybill/time';`],
    ['otel that imports the client', 'waybill/src/otel/index.ts', `import { x } from '../client/index.js';`],
    ['Node outside of a node folder', 'waybill/src/client/index.ts', `import { readFile } from 'node:fs/promises';`],
    ['Node under its old name', 'waybill/src/server/edge.ts', `import http from 'http';`],
    ['Node by an import that only names a type', 'waybill/src/server/edge.ts', `import { type Server } from 'node:http';`],
    ['the entry that imports the client', 'waybill/src/index.ts', `export * from './client/index.js';`],
    ['a room that nobody knows', 'waybill/src/attic/index.ts', `export const x = 1;`],
    ['conformance that imports the client', 'conformance/src/index.ts', `import { x } from 'waybill/client';`],
    ['a key outside of wire', 'waybill/src/client/index.ts', `export const key = 'io.modelcontextprotocol/acceptLanguage';`],
    [
      'a key of the seed outside of wire',
      'waybill/src/client/jar.ts',
      'export const key = (s: string) => `modelcontextprotocol.io/state/${s}`;',
    ],
    ['a key of our own outside of wire', 'waybill/src/server/index.ts', `export const x = { 'dev.waybill/context': {} };`],
    ['a wire word outside of wire', 'waybill/src/server/lift.ts', `export const x = (m: object) => 'clientContext' in m;`],
    [
      'a wire member outside of wire',
      'waybill/src/server/lift.ts',
      `export const x = (m: { currentTimestamp: string }) => m.currentTimestamp;`,
    ],
  ];
  it.each(bad)('the check finds %s', (_, path, text) => {
    expect(problemsOf(path, text)).not.toEqual([]);
  });

  const good: [what: string, path: string, text: string][] = [
    [
      'a concern that imports the vocabulary',
      'waybill/src/wire/state.ts',
      `import { own } from './json.js'; import type { Report } from './issue.js';`,
    ],
    ['a concern that imports its own parts', 'waybill/src/wire/state.ts', `import { limits } from './state/limits.js';`],
    ['the list of concerns', 'waybill/src/wire/concerns.ts', `import { state } from './state.js'; import { trace } from './trace.js';`],
    ['the matcher in the language', 'waybill/src/wire/language/match.ts', `import { match } from '@formatjs/intl-localematcher';`],
    ['a date that is handed in', 'waybill/src/wire/environment.ts', `export const x = (text: string) => new Date(text).getTime();`],
    [
      'a member named like a global',
      'waybill/src/wire/trace.ts',
      `export const x = (o: { process: number; fetch(): void }) => { o.fetch(); return o.process; };`,
    ],
    ['a key in wire', 'waybill/src/wire/keys.ts', `export const key = 'io.modelcontextprotocol/acceptLanguage';`],
    ['a key in a comment', 'waybill/src/client/index.ts', `// io.modelcontextprotocol/acceptLanguage\nexport const x = 1;`],
    ['Node in a node folder', 'waybill/src/client/node/sqlite.ts', `import { readFile } from 'node:fs/promises';`],
    ['Node in a node file', 'waybill/src/server/node-edge.ts', `import http from 'node:http';`],
    ['a type of Node anywhere', 'waybill/src/server/edge.ts', `import type { Server } from 'node:http';`],
    ['a type of the SDK in the transport', 'waybill/src/transport/hook.ts', `import type { Transport } from '@modelcontextprotocol/core';`],
    ['the entry that exports wire', 'waybill/src/index.ts', `export * from './wire/read.js';`],
    [
      'a gateway that uses the jar',
      'gateway/src/index.ts',
      `import { x } from 'waybill/client'; import http from 'node:http'; import { request } from 'undici';`,
    ],
  ];
  it.each(good)('the check accepts %s', (_, path, text) => {
    expect(problemsOf(path, text)).toEqual([]);
  });

  it('an edge between rooms is drawn once', () => {
    const files = ['hook', 'pending'].map((name) => ({
      path: `packages/waybill/src/transport/${name}.ts`,
      text: `import '../wire/read.js';`,
    }));
    expect(block(examine(files).edges)).toContain('\ntransport -> wire\n');
  });

  it('only the block of a document is replaced', () => {
    const empty = block(new Map());
    const next = block(new Map([['wire', new Set<string>()]]));
    expect(blockIn(`before\n${empty}\nafter`).replace(next)).toBe(`before\n${next}\nafter`);
    expect(blockIn('no markers').found).toBeUndefined();
  });
});
