/** The journey of every client through the gateway to every server: what the client experiences is what it experiences without a gateway. */
import { describe, test } from 'vitest';
import { keys } from 'waybill';
import { open, type ServerKind } from '../journeys/harness.js';
import { travel, type Told } from '../journeys/scenario.js';
import { plain } from '../journeys/telling.js';
import type { ClientKind } from '../journeys/clients.js';
import { openThrough, type Way } from './through.js';

const SIDES = ['http', 'stdio'] as const;
const ways = (client: ClientKind, server: ServerKind): Way[] =>
  SIDES.flatMap((front) => SIDES.map((back) => ({ client, server, front, back })));

/** Members that only one of the revisions has. */
const OF_ONE_REVISION = new Set(['progressToken', 'ttlMs', 'cacheScope', 'resultType', keys.SERVER_INFO, keys.SUBSCRIPTION_ID]);

function common(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(common);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).flatMap(([name, inner]) => (OF_ONE_REVISION.has(name) ? [] : [[name, common(inner)] as const]));
  // An empty `_meta` says nothing.
  return Object.fromEntries(kept.filter(([name, inner]) => name !== '_meta' || Object.keys(inner as object).length > 0));
}

async function tellDirect(client: ClientKind, server: ServerKind, transport: 'stdio' | 'http-sse'): Promise<Map<string, unknown>> {
  const journey = await open({ client, server, transport });
  try {
    return told(await travel(journey));
  } finally {
    await journey.close();
  }
}

async function tellThrough(way: Way): Promise<Map<string, unknown>> {
  const journey = await openThrough(way);
  try {
    return told(await travel(journey));
  } finally {
    await journey.close();
  }
}

const told = (all: Told[]): Map<string, unknown> => new Map(common(plain(all)) as Told[]);
const nameOf = ({ front, back }: Way): string => `${front} to ${back}`;

describe.each([
  { pair: 'L→L', client: 'v1', server: 'v1' },
  { pair: 'M→M', client: 'v2-pinned', server: 'v2' },
  // The server's own texts differ between the SDKs, so a pair is compared with the same client and server that agree on 2025-11-25.
  { pair: 'L→M', client: 'v1', server: 'v2' },
] as const)('$pair', { timeout: 60_000 }, ({ pair, client, server }) => {
  // A legacy client has no session with a v2 server over HTTP, but has one through the gateway: as over stdio.
  const direct = {
    stdio: tellDirect(client, server, 'stdio'),
    http: pair === 'L→M' ? tellDirect(client, server, 'stdio') : tellDirect(client, server, 'http-sse'),
  };
  test.for(ways(client, server).map((way) => [nameOf(way), way] as const))(
    '%s: the client notices nothing',
    async ([, way], { expect }) => {
      const through = await tellThrough(way);
      expect([...through]).toEqual([...(await direct[way.front])]);
      expect(through.size).toBeGreaterThan(25);
    },
  );
});

describe('M→L', { timeout: 60_000 }, () => {
  // Without logging, which 2026 does per request.
  const DIFFERENT = new Set([
    'who is there',
    'ping',
    'a method nobody knows',
    'a log message',
    'changes',
    'cancelled',
    'timed out',
    'progress',
  ]);
  const direct = tellDirect('v2-legacy', 'v1', 'stdio');
  test.for(ways('v2-pinned', 'v1').map((way) => [nameOf(way), way] as const))(
    '%s: a modern client uses a legacy server',
    async ([, way], { expect }) => {
      const through = await tellThrough(way);
      const same = (all: Map<string, unknown>): unknown => [...all].filter(([step]) => !DIFFERENT.has(step));
      expect(same(through)).toEqual(same(await direct));
      const [era, info, capabilities] = through.get('who is there') as unknown[];
      expect([era, info]).toEqual(['modern', { name: 'features', version: '1.0.0' }]);
      expect(capabilities).not.toHaveProperty('logging');
      expect(JSON.stringify(through.get('a method nobody knows'))).toContain('-32601');
      expect(through.get('progress')).toEqual((await direct).get('progress'));
      expect(JSON.stringify(through.get('cancelled'))).toContain('cancelled a');
      expect(JSON.stringify(through.get('timed out'))).toContain('cancelled b');
      const [honoured, seen] = through.get('changes') as unknown[];
      expect(honoured).toEqual({ toolsListChanged: true, resourceSubscriptions: ['note://today'] });
      expect(seen).toEqual([{ uri: 'note://today' }, {}]);
    },
  );
});
