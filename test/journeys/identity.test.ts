/**
 * A layer with nothing to do changes nothing: over every combination of client, server and transport the client sees the same, with the
 * same class, code and data of errors, and the same messages cross the wire, with the same ids and headers.
 */
import { describe, expect, test } from 'vitest';
import { hookFetch, hookTransport, type Hooks } from 'waybill/adapter';
import { pendingOf } from '../../packages/waybill/dist/transport/hook.js';
import { hooks as deferring } from './fixtures/layers/deferring.mjs';
import { hooks as passing } from './fixtures/layers/passing.mjs';
import { CELLS, open, type Cell, type ClientLayer, type Layers, type TransportKind } from './harness.js';
import { travel, type Told } from './scenario.js';
import { plain, transcript } from './telling.js';

const module = (name: string): URL => new URL(`./fixtures/layers/${name}.mjs`, import.meta.url);
const hooked = (hooks: Hooks): ClientLayer => ({ transport: (transport) => hookTransport(transport as never, hooks) });

const LAYERS = {
  'an empty layer': { client: hooked({}), server: module('empty') },
  'an empty layer on the client only': { client: hooked({}) },
  'an empty layer on the server only': { server: module('empty') },
  'hooks that pass everything on': { client: hooked(passing), server: module('passing') },
  'hooks that pass everything on later': { client: hooked(deferring), server: module('deferring') },
  'hooks, fetch and edges that pass everything on': {
    client: { ...hooked(passing), fetch: (base) => hookFetch(base) },
    server: module('everywhere'),
  },
} satisfies Record<string, Layers>;

/** Processes are slow to start: code that is the same on every transport is tested where it is cheap. */
const PROVEN: Record<TransportKind, (keyof typeof LAYERS)[]> = {
  memory: [
    'an empty layer',
    'an empty layer on the client only',
    'an empty layer on the server only',
    'hooks that pass everything on',
    'hooks that pass everything on later',
  ],
  'http-json': ['an empty layer', 'hooks that pass everything on later', 'hooks, fetch and edges that pass everything on'],
  'http-sse': ['an empty layer', 'hooks that pass everything on later', 'hooks, fetch and edges that pass everything on'],
  stdio: ['an empty layer', 'hooks, fetch and edges that pass everything on'],
};

interface Run {
  told: Told[];
  wire: ReturnType<typeof transcript>;
  probe: unknown;
}

async function run(cell: Cell, layers?: Layers): Promise<Run> {
  const journey = await open(cell, layers);
  try {
    const told = await travel(journey);
    const probe = journey.probe();
    // Every request has been answered, cancelled or aborted.
    expect(pendingOf(journey.transport)).toBe(0);
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

describe.each(CELLS)('$client client, $server server, $transport', { concurrent: true }, (cell) => {
  let bare: Promise<Run> | undefined;
  test.for(PROVEN[cell.transport])('it behaves like the bare SDK with %s', async (name, { expect }) => {
    const expected = await (bare ??= run(cell));
    const actual = await run(cell, LAYERS[name]);
    const compare =
      name === 'hooks that pass everything on later' && cell.transport.startsWith('http') ? apartFromStatus : (run: Run) => run;
    expect(compare(actual)).toEqual(compare(expected));
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
