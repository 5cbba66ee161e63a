/**
 * A layer changes nothing for those who do not know it, over every combination of client, server and transport. With nothing to do, the client
 * sees the same, with the same class, code and data of errors, and the same messages cross the wire, with the same ids and headers. A server
 * half adds only its declaration. A client half adds context that an unaware server ignores. All are compared with one run without a layer.
 */
import { describe, expect, test } from 'vitest';
import { keys } from 'waybill';
import { hookFetch, hookTransport, readRequest, type Hooks } from 'waybill/adapter';
import { clientContext, type ClientContextOptions } from 'waybill/client';
import { pendingOf } from '../../packages/waybill/dist/transport/hook.js';
import { hooks as deferring } from './fixtures/layers/deferring.mjs';
import { hooks as passing } from './fixtures/layers/passing.mjs';
import { CELLS, open, type Cell, type ClientLayer, type Layers, type TransportKind } from './harness.js';
import { travel, type Told } from './scenario.js';
import { plain, transcript } from './telling.js';
import type { Message, Wire } from './wire.js';

const module = (name: string): URL => new URL(`./fixtures/layers/${name}.mjs`, import.meta.url);
const hooked = (hooks: Hooks): ClientLayer => ({ transport: (transport) => hookTransport(transport as never, hooks) });

const LAYERS = {
  'an empty layer': { client: hooked({}), server: module('empty') },
  'hooks that pass everything on': { client: hooked(passing), server: module('passing') },
  'hooks that pass everything on later': { client: hooked(deferring), server: module('deferring') },
  'hooks, fetch and edges that pass everything on': {
    client: { ...hooked(passing), fetch: (base) => hookFetch(base) },
    server: module('everywhere'),
  },
} satisfies Record<string, Layers>;

/** Processes are slow to start: code that is the same on every transport is tested where it is cheap. */
const PROVEN: Record<TransportKind, (keyof typeof LAYERS)[]> = {
  memory: ['an empty layer', 'hooks that pass everything on', 'hooks that pass everything on later'],
  'http-json': ['an empty layer', 'hooks that pass everything on later', 'hooks, fetch and edges that pass everything on'],
  'http-sse': ['an empty layer', 'hooks that pass everything on later', 'hooks, fetch and edges that pass everything on'],
  stdio: ['hooks, fetch and edges that pass everything on'],
};

interface Run {
  told: Told[];
  wire: ReturnType<typeof transcript>;
  probe: unknown;
}

async function run(cell: Cell, layers?: Layers, look?: (wires: readonly Wire[]) => void): Promise<Run> {
  const journey = await open(cell, layers);
  try {
    const told = await travel(journey);
    const probe = journey.probe();
    // Every request has been answered, cancelled or aborted.
    expect(pendingOf(journey.transport)).toBe(0);
    look?.([...(probe ? [probe] : []), journey.wire()]);
    return { told: plain(told), wire: transcript(journey.wire()), probe: probe && transcript(probe) };
  } finally {
    await journey.close();
  }
}

/**
 * The one difference of a hook that answers later: the v2 HTTP entry refuses an unknown method with status 404 only if the refusal comes
 * while the request is being delivered. Later it is a normal answer, with status 200.
 */
function apartFromStatus({ told, wire, probe }: Run): Run {
  const http = wire.http.filter(({ body }) => body?.method !== 'demo/nobody');
  return { told: told.filter(([step]) => step !== 'a method nobody knows'), wire: { ...wire, http }, probe };
}

/** Removes what the server half adds visibly. */
function withoutExtension(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutExtension);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, withoutExtension(member)] as const);
  return Object.fromEntries(
    entries.filter(([name, member]) => name !== 'extensions' || !Object.hasOwn(member as object, keys.EXTENSION_ID)),
  );
}

/** A tool that answers with the `_meta` it got is the only difference that a client half makes. */
const unshown = (told: Told[]): Told[] => told.filter(([step]) => step !== 'own _meta');

const LANGUAGE = 'fr-CH,fr;q=0.9,en;q=0.8';
const EVERYTHING: ClientContextOptions = {
  language: LANGUAGE,
  environment: {
    timezone: 'Europe/Zurich',
    locale: 'fr-CH',
    location: { city: 'Bern', country: 'CH', coordinates: { latitude: 46.94809, longitude: 7.44744 } },
  },
  trace: 'start',
  baggage: ['tenant'],
  meta: { 'com.example/conversation': 'c1', 'com.example/n': () => 7 },
  tools: { unmet: 'disable', substitution: true },
};

describe.each(CELLS)('$client client, $server server, $transport', { concurrent: true, timeout: 60_000 }, (cell) => {
  let bare: Promise<Run> | undefined;
  const bareRun = (): Promise<Run> => (bare ??= run(cell));

  test.for(PROVEN[cell.transport])('it behaves like the bare SDK with %s', async (name, { expect }) => {
    const actual = await run(cell, LAYERS[name]);
    const compare =
      name === 'hooks that pass everything on later' && cell.transport.startsWith('http') ? apartFromStatus : (run: Run) => run;
    expect(compare(actual)).toEqual(compare(await bareRun()));
  });

  test('CTX-14, BASE-17: a client that does not know the server half notices nothing but the extension', async ({ expect }) => {
    const [bare, served] = [await bareRun(), await run(cell, { server: module('unnoticed') })];
    expect(withoutExtension([served.told, served.wire])).toEqual([bare.told, bare.wire]);
  });

  test('IX-02: an unaware server serves a client with a layer like one without, and every request carries its context, probes too', async ({
    expect,
  }) => {
    const issues: unknown[] = [];
    const waybill = clientContext({ ...EVERYTHING, onIssue: (issue) => issues.push(issue), onFault: (fault) => issues.push(fault) });
    let wires: readonly Wire[] = [];
    const layered = await run(cell, { client: { transport: (transport) => waybill.attach(transport as never) } }, (seen) => (wires = seen));
    expect(unshown(layered.told)).toEqual(unshown((await bareRun()).told));
    expect(issues).toEqual([]);

    const requests = wires.flatMap(({ sent }) => sent).filter((message) => message['method'] !== undefined && message['id'] !== undefined);
    expect(requests.map(({ method }) => method)).toEqual(
      expect.arrayContaining([cell.client === 'v2-modern' ? 'server/discover' : 'initialize', 'tools/list', 'tools/call']),
    );
    const spans = new Set<string>();
    for (const request of requests) {
      const { language, environment, trace, meta, issues: read } = readRequest(request);
      expect([request['method'], language?.text, read]).toEqual([request['method'], LANGUAGE, []]);
      expect(meta).toMatchObject({ 'com.example/conversation': 'c1', 'com.example/n': 7 });
      spans.add(trace!.traceparent!);
      if (request['method'] !== 'tools/call') expect(environment).toBeUndefined();
      else
        expect(environment).toMatchObject({
          timezone: 'Europe/Zurich',
          locale: 'fr-CH',
          location: { city: 'Bern', country: 'CH', coordinates: { latitude: 46.95, longitude: 7.45 } },
        });
    }
    expect(spans.size).toBe(requests.length);
    const declared = requests.flatMap(({ params }) => params.capabilities ?? params._meta[keys.CLIENT_CAPABILITIES] ?? []);
    expect(declared.length).toBeGreaterThan(0);
    for (const one of declared) expect(one.extensions).toEqual({ [keys.EXTENSION_ID]: {} });

    for (const { headers, body } of wires.flatMap(({ http }) => http))
      // LANG-40, LANG-41: one header line with the value of the body; none if the body has none.
      if (body !== undefined) expect(headers['accept-language']).toBe((body as Message)['params']?._meta?.[keys.ACCEPT_LANGUAGE]);
  });
});

describe('the comparison notices', () => {
  const cell: Cell = { client: 'v2-modern', server: 'v2', transport: 'memory' };
  const stamped = (part: any, key: string): object => ({ ...part, _meta: { ...part?._meta, [key]: 1 } });
  const altered: Record<string, Hooks> = {
    'one more key in a request': { request: (message) => ({ ...message, params: stamped(message['params'], 'example.test/key') }) },
    'one more key in a result': {
      answer: (message) => ('result' in message ? { ...message, result: stamped(message['result'], 'example.test/key') } : message),
    },
    'one more key in a notification': {
      notification: (message) => ({ ...message, params: stamped(message['params'], 'example.test/key') }),
    },
  };
  test.for(Object.keys(altered))('%s', async (name, { expect }) => {
    const [bare, layered] = [await run(cell), await run(cell, { client: hooked(altered[name]!) })];
    expect(layered).not.toEqual(bare);
  });
});
