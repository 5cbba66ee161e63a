/** The scenarios for the protocol's own suite, against the reference peers: each check is seen passing, and failing for its fault. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { forClients, forServers } from '../../packages/conformance/contrib/src/scenarios/index.js';
import type { ConformanceCheck } from '../../packages/conformance/contrib/src/types.js';
import { referenceClient } from '../../packages/conformance/src/peers/client/client.js';
import { serveHttp } from '../../packages/conformance/src/peers/serve.js';
import { ReferenceServer } from '../../packages/conformance/src/peers/server/server.js';
import { CONTRIB_FAULTS as FAULTS } from './fixtures/contribFaults.mjs';

const specVersion = '2026-07-28';
const failed = (checks: readonly ConformanceCheck[]) =>
  checks.filter(({ status }) => status !== 'SUCCESS' && status !== 'SKIPPED').map(({ id }) => id);

async function ofServers(faults: string[]): Promise<ConformanceCheck[]> {
  const server = new ReferenceServer(faults);
  const { url, close } = await serveHttp((message, declared, lines) => server.answer(message, declared, lines));
  const checks = [];
  for (const scenario of forServers) checks.push(...(await scenario.run({ serverUrl: url, specVersion })));
  await close();
  return checks;
}

async function ofClients(faults: string[]): Promise<ConformanceCheck[]> {
  const checks = [];
  for (const scenario of forClients) {
    const { serverUrl, context } = await scenario.start({ specVersion });
    const env = { MCP_CONFORMANCE_CONTEXT: JSON.stringify(context), MCP_CONFORMANCE_PROTOCOL_VERSION: specVersion };
    await referenceClient(faults)({ words: [serverUrl], env }, new AbortController().signal);
    checks.push(...scenario.getChecks());
    await scenario.stop();
  }
  return checks;
}

const run = { server: ofServers, client: ofClients };

describe.each(['server', 'client'] as const)('the scenarios for a %s', (side) => {
  it('pass on the reference peer', async () => {
    const checks = await run[side]([]);
    expect(failed(checks)).toEqual([]);
    expect(checks.map(({ id }) => id).sort()).toEqual(Object.keys(FAULTS[side]).sort());
  });

  it.each(Object.entries(FAULTS[side]))('%s fails with %s', async (check, fault) => {
    expect(failed(await run[side]([fault]))).toContain(check);
  });
});

it.each([414, 2792])('every row of sep-%s has a check that exists, or a reason', (sep) => {
  const file = new URL(`../../packages/conformance/contrib/src/seps/sep-${sep}.yaml`, import.meta.url);
  const { requirements } = parse(readFileSync(file, 'utf8')) as { requirements: { text: string; check?: string; excluded?: string }[] };
  const ids = Object.keys({ ...FAULTS.server, ...FAULTS.client }).filter((id) => id.startsWith(`sep-${sep}-`));
  expect([...new Set(requirements.flatMap(({ check }) => check ?? []))].sort()).toEqual(ids.sort());
  expect(requirements.filter(({ text, check, excluded }) => text === '' || (check === undefined) === (excluded === undefined))).toEqual([]);
});
