import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { apiReport, entriesWithNode, reportedPackages, reportFile } from './api.mjs';
import { pinned, pins } from './surface.mjs';

const how = (name: string): string =>
  `test/pins/${name} no longer holds. If the change is meant: note it in CHANGELOG.md, then npm run build && node test/pins/update.mjs`;

describe('public names, keys and codes stay as pinned', () => {
  it.each(Object.keys(pins))('%s', async (name) => {
    expect(await pins[name]?.(), how(`${name}.json`)).toEqual(pinned(name));
  });

  it.each(reportedPackages())('every type of the package %s', (folder) => {
    expect(apiReport(folder), how(`api/${folder}.txt`)).toBe(readFileSync(reportFile(folder), 'utf8'));
  });

  it('only the entries for Node need types of Node', () => {
    expect([...entriesWithNode('waybill'), ...entriesWithNode('time')]).toEqual(['./adapter/node', './server/node']);
  });

  it('BASE-04: every refusal has a code of JSON-RPC or one the specification assigned, and the seed profile alone uses the old one', async () => {
    const table = (await pins['errors']?.()) as Record<string, { code: number; seedCode?: number; status: number }>;
    const assigned = [-32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022];
    for (const { code } of Object.values(table)) expect(assigned).toContain(code);
    expect(Object.values(table).flatMap(({ seedCode }) => seedCode ?? [])).toEqual([-32005]);
  });
});
