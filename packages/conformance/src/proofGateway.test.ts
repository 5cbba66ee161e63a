import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import type { CheckOutcome } from './check.js';
import { gatewayChecks } from './checks/gateway/all.js';
import { serveGateway } from './peers/gateway/gateway.js';
import { serveHttp } from './peers/serve.js';
import { requirementById } from './requirements.js';
import { checkGateway, checkListening, fill } from './runner/checkGateway.js';
import type { RunOptions } from './runner/run.js';
import type { Received } from './scenarios/received.js';
import { UpstreamServer } from './upstream/server.js';
import { LEGACY, MODERN, type Revision } from './wire/keys.js';

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
const none = new Set<string>();
const all = { only: none, requirement: none, expected: none, wire: 'current', timeout: 5000 } as const;

async function outcomesWith(faults: string[], options: Partial<RunOptions>, ...revisions: Revision[]): Promise<CheckOutcome[]> {
  const [received, outcomes]: [Received[], CheckOutcome[]] = [[], []];
  const upstream = new UpstreamServer((one) => void received.push(one));
  const served = await serveHttp((...asked) => upstream.answer(...asked));
  const gateway = await serveGateway(served.url, faults);
  await checkListening(new URL(gateway.url), received, 'http', {
    ...all,
    ...options,
    revisions,
    onOutcome: (outcome) => outcomes.push(outcome),
  });
  await gateway.close();
  await served.close();
  return outcomes;
}

describe('checks of gateways are proven both ways', () => {
  it('the reference gateway passes every check', async () => {
    const outcomes = await outcomesWith([], {}, MODERN, LEGACY);
    const left = outcomes.filter(({ verdict }) => verdict !== 'pass');
    expect(left.map(({ check, revision, observed }) => [check, revision, observed])).toEqual([
      ['protocol:upstream-headers', LEGACY, 'the upstream hop has no such headers'],
      ['trace:cache', LEGACY, 'the gateway asks for a list each time'],
    ]);
    expect(new Set(outcomes.map(({ check }) => check))).toEqual(new Set(gatewayChecks.map(({ id }) => id)));
  });

  const faults = [...new Set(gatewayChecks.flatMap((check) => check.faults))];
  it.each(faults)('fault %s fails exactly the checks that name it', async (fault) => {
    const failed = (await outcomesWith([fault], {}, MODERN)).filter(({ verdict }) => verdict === 'fail').map(({ check }) => check);
    const named = gatewayChecks.filter((check) => check.faults.includes(fault)).map(({ id }) => id);
    expect(failed.sort()).toEqual(named.sort());
  });

  it('every check names a fault that trips it, a known requirement, and an id of its own', () => {
    expect(gatewayChecks.filter((check) => check.faults.length === 0).map(({ id }) => id)).toEqual([]);
    expect(gatewayChecks.flatMap(({ proves }) => proves).filter((id) => requirementById.get(id)?.who.includes('gateway') !== true)).toEqual(
      [],
    );
    expect(new Set(gatewayChecks.map(({ id }) => id)).size).toBe(gatewayChecks.length);
  });

  it('every requirement of gateways has a check', () => {
    const proven = new Set(gatewayChecks.flatMap(({ proves }) => proves));
    const open = [...requirementById.values()].filter(({ who, id }) => who.includes('gateway') && !proven.has(id));
    expect(open.map(({ id }) => id)).toEqual([]);
  });
});

it('a gateway that removes the preference takes no part in language, which --expect makes a failure', async () => {
  const run = async (expected: string[]) => {
    const outcomes = await outcomesWith(['removes-language'], { expected: new Set(expected) }, MODERN);
    return outcomes.filter(({ verdict }) => verdict === 'fail').map(({ check }) => check);
  };
  expect(await run([])).toEqual([]);
  expect(await run(['language', 'trace'])).toEqual(['language:expected']);
});

describe('the command of a gateway', () => {
  const upstream = ['/usr/bin/node', '/a b/main.js'];

  it('the upstream is many words behind --, and one quoted word as the value of an option', () => {
    const words = ['mcp-proxy', '--port', '{port}', '--', '{stdio}'];
    expect(fill(words, '80', 'http://x', upstream)).toEqual(['mcp-proxy', '--port', '80', '--', ...upstream]);
    expect(fill(['gw', '--stdio', '{stdio}'], '80', 'http://x', upstream)).toEqual(['gw', '--stdio', "/usr/bin/node '/a b/main.js'"]);
    expect(fill(['gw', '--upstream={http}'], '80', 'http://x', upstream)).toEqual(['gw', '--upstream=http://x']);
  });

  it('a gateway is started, checked and stopped', async () => {
    const outcomes: CheckOutcome[] = [];
    const main = new URL('../dist/peers/referenceGateway.js', import.meta.url).pathname;
    const options = { ...all, revisions: [MODERN] as const, onOutcome: (outcome: CheckOutcome) => outcomes.push(outcome) };
    const reached = await checkGateway('http://127.0.0.1:{port}/mcp', [process.execPath, main, '{port}', '{http}'], options);
    expect(reached.revisions).toEqual([MODERN]);
    expect(outcomes.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
  });

  it.skipIf(!hasIpv6)('a gateway on an IPv6 address is waited for', async () => {
    const command = [process.execPath, '-e', 'require("http").createServer((_, to) => to.writeHead(404).end()).listen({port}, "::1")'];
    const options = { ...all, signal: AbortSignal.timeout(10_000), onOutcome: () => undefined };
    const { problems } = await checkGateway('http://[::1]:{port}/mcp', command, options);
    expect(problems.join()).toContain('404');
  });

  it('the last words of a gateway that ends before it listens are reported', async () => {
    const command = [process.execPath, '-e', 'console.error("no such option {http}"); process.exit(2)'];
    const reached = await checkGateway('http://127.0.0.1:{port}/mcp', command, { ...all, onOutcome: () => undefined });
    expect(reached.revisions).toEqual([]);
    expect(reached.problems[0]).toContain('no such option http://127.0.0.1:');
  });
});
