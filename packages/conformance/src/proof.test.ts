import { describe, expect, it } from 'vitest';
import type { CheckOutcome } from './check.js';
import { serverChecks } from './checks/server/all.js';
import { serveHttp } from './peers/serve.js';
import { ReferenceServer } from './peers/server/server.js';
import { requirementById } from './requirements.js';
import { checkServer } from './runner/checkServer.js';
import { LEGACY, MODERN, type Revision } from './wire/keys.js';

const all = {
  only: new Set<string>(),
  requirement: new Set<string>(),
  expected: new Set<string>(),
  wire: 'current',
  timeout: 5000,
} as const;

/** Every outcome of a run against the reference server with these faults, over HTTP. */
async function outcomesWith(faults: string[], ...revisions: Revision[]): Promise<CheckOutcome[]> {
  const server = new ReferenceServer(faults);
  const served = await serveHttp((message, declared, lines) => server.answer(message, declared, lines));
  const outcomes: CheckOutcome[] = [];
  await checkServer({ url: new URL(served.url) }, { ...all, revisions, onOutcome: (outcome) => outcomes.push(outcome) });
  await served.close();
  return outcomes;
}

const failing = (outcomes: readonly CheckOutcome[]) =>
  [...new Set(outcomes.filter(({ verdict }) => verdict === 'fail').map(({ check }) => check))].sort();

describe('checks of servers are proven both ways', () => {
  it('the reference server passes every check', async () => {
    const outcomes = await outcomesWith([], MODERN, LEGACY);
    expect(outcomes.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
    expect(new Set(outcomes.map(({ check }) => check))).toEqual(new Set(serverChecks.map(({ id }) => id)));
  });

  it('the reference server passes every check over stdio', async () => {
    const command = [process.execPath, new URL('../dist/peers/referenceServer.js', import.meta.url).pathname, '--stdio'];
    const outcomes: CheckOutcome[] = [];
    await checkServer({ command }, { ...all, onOutcome: (outcome) => outcomes.push(outcome) });
    expect(outcomes.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
    const expected = serverChecks.filter(({ transports }) => transports?.includes('stdio') !== false);
    expect(new Set(outcomes.map(({ check }) => check))).toEqual(new Set(expected.map(({ id }) => id)));
  });

  it('the reference server passes every check of the seed wire', async () => {
    const server = new ReferenceServer([], 'seed');
    const served = await serveHttp((message, declared, lines) => server.answer(message, declared, lines));
    const outcomes: CheckOutcome[] = [];
    await checkServer({ url: new URL(served.url) }, { ...all, wire: 'seed', onOutcome: (outcome) => outcomes.push(outcome) });
    await served.close();
    expect(outcomes.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
  });

  const faults = [...new Set(serverChecks.flatMap((check) => check.faults))];
  it.each(faults)('fault %s fails exactly the checks that name it', async (fault) => {
    const named = serverChecks.filter((check) => check.faults.includes(fault)).map(({ id }) => id);
    const onLegacy = named.some((id) => serverChecks.find((check) => check.id === id)?.revisions?.includes(MODERN) === false);
    expect(failing(await outcomesWith([fault], onLegacy ? LEGACY : MODERN))).toEqual(named.sort());
  });

  it('every check names a fault that trips it, a known requirement, and an id of its own', () => {
    expect(serverChecks.filter((check) => check.faults.length === 0).map(({ id }) => id)).toEqual([]);
    expect(serverChecks.flatMap(({ proves }) => proves).filter((id) => requirementById.get(id)?.who.includes('server') !== true)).toEqual(
      [],
    );
    expect(new Set(serverChecks.map(({ id }) => id)).size).toBe(serverChecks.length);
  });

  it('every requirement of servers has a check', () => {
    const proven = new Set(serverChecks.flatMap(({ proves }) => proves));
    const open = [...requirementById.values()].filter(({ who, id }) => who.includes('server') && !proven.has(id));
    expect(open.map(({ id }) => id)).toEqual([]);
  });
});
