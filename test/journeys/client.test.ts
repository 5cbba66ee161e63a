/**
 * The client layer with everything switched on, against servers that do not know it: over every combination of client, server and transport
 * the application sees the same as without the layer, and every request carries its context.
 */
import { describe, expect, test } from 'vitest';
import { keys } from 'waybill';
import { readRequest } from 'waybill/adapter';
import { pendingOf } from '../../packages/waybill/dist/transport/hook.js';
import { clientContext, type ClientContextOptions } from 'waybill/client';
import { CELLS, open, type Cell, type Journey, type Layers } from './harness.js';
import { travel, type Told } from './scenario.js';
import { plain } from './telling.js';
import type { Message, Wire } from './wire.js';

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

async function visit<T>(cell: Cell, layers: Layers, act: (journey: Journey) => Promise<T>): Promise<[T, Wire[]]> {
  const journey = await open(cell, layers);
  try {
    const told = await act(journey);
    expect(pendingOf(journey.transport)).toBe(0);
    const probe = journey.probe();
    return [told, [...(probe ? [probe] : []), journey.wire()]];
  } finally {
    await journey.close();
  }
}

/** A tool that answers with the `_meta` it got is the only difference. */
const unshown = (told: Told[]): Told[] => plain(told.filter(([step]) => step !== 'own _meta'));

describe.each(CELLS)('$client client, $server server, $transport', { concurrent: true }, (cell) => {
  test('IX-02: an unaware server serves a client with a layer like one without, and every request carries its context, probes too', async ({
    expect,
  }) => {
    const issues: unknown[] = [];
    const waybill = clientContext({ ...EVERYTHING, onIssue: (issue) => issues.push(issue), onFault: (fault) => issues.push(fault) });
    const [bare] = await visit(cell, {}, travel);
    const [told, wires] = await visit(cell, { client: { transport: (transport) => waybill.attach(transport as never) } }, travel);
    expect(unshown(told)).toEqual(unshown(bare));
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
