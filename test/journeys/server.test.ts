/**
 * The server half over every combination of client, server and transport: clients that write the keys by hand, with only an SDK, get answers.
 * Both halves together: client-aware.test.ts. Clients that do not know it: identity.test.ts.
 */
import { describe, test } from 'vitest';
import { keys } from 'waybill';
import { clientContext } from 'waybill/client';
import { mirrored } from './clients.js';
import { CELLS, open, type Cell } from './harness.js';
import { errorOf } from './telling.js';
import type { Message } from './wire.js';

const module = (name: string): URL => new URL(`./fixtures/layers/${name}.mjs`, import.meta.url);
const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const NOW = '2026-10-25T02:30:00+01:00';

describe.each(CELLS)('$client client, $server server, $transport', { concurrent: true, timeout: 60_000 }, (cell) => {
  test('CTX-07, LANG-20, LANG-23, LANG-24: handlers see everything that an SDK alone can write, and answer it', async ({ expect }) => {
    const journey = await open(cell, { client: { fetch: mirrored }, server: module('serving') });
    const { client } = journey;
    const isModern = client.era() === 'modern';
    const call = (name: string, _meta: Message = {}, options = {}): Promise<Message> =>
      client.callTool({ name, arguments: {}, _meta }, options);
    const text = (result: Message): any => result['content'][0].text;
    const language = ({ _meta }: Message): unknown => _meta?.[keys.CONTENT_LANGUAGE];
    try {
      const result = await call('showContext', {
        [keys.ACCEPT_LANGUAGE]: 'fr-CH, fr;q=0.9',
        [keys.CLIENT_CONTEXT]: { timezone: 'Europe/Zurich', currentTimestamp: NOW, locale: 'fr-CH', userLocation: 7 },
        traceparent: TRACEPARENT,
      });
      // D-29: a transport that answers in JSON only carries no question back on 2025-11-25.
      const isUsable = isModern || cell.transport !== 'http-json';
      const isSession = isModern || !(cell.server === 'v2' && cell.transport.startsWith('http'));
      expect(JSON.parse(text(result))).toEqual({
        ...{ language: 'fr', preference: 'fr-CH, fr;q=0.9', now: NOW, timezone: 'Europe/Zurich', locale: 'fr-CH', disagrees: false },
        ...{ clock: 'client', parent: { traceparent: TRACEPARENT }, issues: 1 },
        // Without a session there is no `initialize` to remember, so the capabilities are absent.
        ...(isSession ? { declared: { elicitation: { form: {} } }, form: isUsable } : { form: false }),
      });
      expect(language(result)).toBe('fr');

      const bare = JSON.parse(text(await call('showContext')));
      expect([bare.language, bare.timezone, bare.locale, bare.clock, bare.issues]).toEqual(['en', 'America/Lima', 'en', 'server', 0]);

      // LANG-05: another language on the same connection, and none.
      const greets = async (preference?: string): Promise<unknown[]> => {
        const result = await call('greets', preference === undefined ? {} : { [keys.ACCEPT_LANGUAGE]: preference });
        return [text(result), language(result)];
      };
      expect([await greets('de'), await greets(), await greets('ja'), await greets('fr')]).toEqual([
        ['hallo', 'de'],
        ['hello', undefined],
        ['hello', 'en'],
        ['bonjour', 'fr'],
      ]);

      const failed: any = await call('fails', { [keys.ACCEPT_LANGUAGE]: 'de' }).catch(errorOf);
      expect([failed.code, failed.message.replace(/^MCP error 7: /, ''), language(failed.data)]).toEqual([7, 'hallo', 'de']);

      if (cell.transport !== 'http-json') {
        // On the wire: both SDKs lose progress that arrives in one chunk with the answer.
        await call('steps', { [keys.ACCEPT_LANGUAGE]: 'de' }, { onprogress: () => undefined });
        const told = journey.wire().received.find(({ method }) => method === 'notifications/progress');
        expect(told?.['params']).toMatchObject({ progress: 1, message: 'hallo', _meta: { [keys.CONTENT_LANGUAGE]: 'de' } });
      }

      // CAP-15, D-13: refused with the missing part; on the old revision with status 200, so that the client sees it.
      const refused: any = await call('sampled').catch(errorOf);
      expect([refused.code, refused.data]).toEqual([-32021, { requiredCapabilities: { sampling: {} } }]);
      expect(text(await call('greets'))).toBe('hello');
    } finally {
      await journey.close();
    }
  });
});

describe('the literal form of the seed, both halves', { concurrent: true, timeout: 60_000 }, () => {
  test.for(CELLS.filter(({ transport }) => transport !== 'memory'))(
    'CTX-01, D-01: $client client, $server server, $transport',
    async (cell: Cell, { expect }) => {
      const issues: unknown[] = [];
      const environment = { timezone: 'Asia/Tokyo', locale: 'ja-JP' };
      const waybill = clientContext({ wire: 'seed', language: 'fr', environment, onIssue: (issue) => issues.push(issue) });
      const layers = {
        client: { transport: <T extends object>(transport: T): T => waybill.attach(transport as never) },
        server: module('serving'),
      };
      const journey = await open(cell, layers);
      try {
        const result = await journey.client.callTool({ name: 'showContext', arguments: {} });
        expect(JSON.parse(result['content'][0].text)).toMatchObject({ language: 'fr', timezone: 'Asia/Tokyo', locale: 'ja-JP', issues: 0 });
        const sent = journey.wire().sent.find(({ method }) => method === 'tools/call');
        expect(sent).toHaveProperty(keys.CLIENT_CONTEXT_SIBLING);
        // D-03: the server declared that it lifts, so there is nothing to report.
        expect(issues).toEqual([]);
      } finally {
        await journey.close();
      }
    },
  );
});
