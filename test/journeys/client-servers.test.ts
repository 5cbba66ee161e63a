/** Servers from npm that do not know us, called with everything switched on: they answer as without the layer. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, test } from 'vitest';
import { clientContext, type ClientContext } from 'waybill/client';
import { peerOf, type ClientKind } from './clients.js';
import { STORIES, told, transportTo, type Story } from './npmServers.js';

const folder = mkdtempSync(join(tmpdir(), 'client-servers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let places = 0;
async function visit(kind: ClientKind, story: Story, waybill?: ClientContext): Promise<unknown> {
  const place = join(folder, `${++places}`);
  const transport = transportTo(kind, story, place);
  const client = peerOf(kind, kind === 'v1' ? {} : waybill?.clientOptions({ capabilities: { elicitation: { form: {} } } }));
  try {
    await client.connect(waybill?.attach(transport, { server: story.entry, principal: 'ada' }) ?? transport, { timeout: 15_000 });
    return await told(story, client, place);
  } finally {
    await client.close();
  }
}

describe.each(Object.entries(STORIES))('%s', { concurrent: true }, (_name, story) => {
  test.for(['v1', 'v2-modern'] as const)('it answers a %s client with everything switched on like a bare one', async (kind, { expect }) => {
    const issues: unknown[] = [];
    const waybill = clientContext({
      language: ['fr-CH', 'fr', 'en'],
      environment: { timezone: 'Europe/Zurich', locale: 'fr-CH', location: { country: 'CH', city: 'Bern', precision: 'city' } },
      environmentEverywhere: true,
      trace: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', tracestate: 'a=1', baggage: 'tenant=t1' },
      baggage: ['tenant'],
      meta: { 'com.example/conversation': () => 'c1' },
      capabilities: { elicitation: { form: {} } },
      tools: { unmet: 'disable', substitution: true },
      onIssue: (issue) => issues.push(issue),
      onFault: (fault) => issues.push(fault),
    });
    const [bare, layered] = await Promise.all([visit(kind, story), visit(kind, story, waybill)]);
    expect(unmarked(layered)).toEqual(bare);
    expect(issues).toEqual([]);
  });
});

/** Removes the mark that clientOptions() puts on cached results. */
function unmarked(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value).replaceAll(/,?"_meta":\{"dev\.waybill\/variant":"v\d+"\},?/g, (text) =>
      text.startsWith(',') && text.endsWith(',') ? ',' : '',
    ),
  );
}
