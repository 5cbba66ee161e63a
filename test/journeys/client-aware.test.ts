/** Both halves together, over every combination of client, server and transport. */
import { describe, test } from 'vitest';
import { keys } from 'waybill';
import { clientContext } from 'waybill/client';
import { CELLS, open } from './harness.js';
import { errorOf } from './telling.js';
import type { Message } from './wire.js';

const AWARE = new URL('./fixtures/layers/aware.mjs', import.meta.url);
const ABLE = { elicitation: { form: {} }, sampling: { tools: {} } };

describe.each(CELLS)('$client client, $server server, $transport', { concurrent: true }, (cell) => {
  test('each call has its own language and capabilities, and a missing capability is refused', async ({ expect }) => {
    const issues: unknown[] = [];
    const waybill = clientContext({
      language: 'fr-CH, fr;q=0.9',
      environment: { timezone: 'Asia/Tokyo' },
      onIssue: (issue) => issues.push(issue),
      onFault: (fault) => issues.push(fault),
    });
    const journey = await open(cell, { client: { transport: (transport) => waybill.attach(transport as never) }, server: AWARE });
    const { client } = journey;
    try {
      const changed: string[] = [];
      client.onNotification('notifications/tools/list_changed', () => changed.push('tools'));
      const call = (name: string, args: Message = {}): Promise<Message> => client.callTool({ name, arguments: args });

      // LANG-20: each answer is in the language of its own request.
      const seenTools = async (): Promise<unknown[]> => {
        const result = await call('showContext');
        return [waybill.languageOf(result), result['content'][0].text];
      };
      expect(await seenTools()).toEqual(['fr', 'fr Asia/Tokyo']);
      expect(await waybill.run({ language: 'de' }, seenTools)).toEqual(['de', 'de Asia/Tokyo']);
      expect(await waybill.run({ language: 'ja', environment: { timezone: 'UTC' } }, seenTools)).toEqual(['en', 'en UTC']);

      // CAP-12, CAP-15, CAP-16: a tool that the client cannot use is not offered; if it is called anyway, the server refuses, and lists are
      // stale.
      const names = async (): Promise<unknown[]> => (await client.allTools()).map(({ name }) => name);
      expect(await names()).not.toContain('structured');
      expect(await names()).toContain('echo');
      const refused = await call('structured', { n: 1 }).catch(errorOf);
      expect(refused).toMatchObject({ code: -32021, data: { requiredCapabilities: { sampling: { tools: {} } } } });
      expect(changed).toEqual(['tools']);

      // CAP-01: a single call may declare more, on either revision. D-29: it counts if the connection can carry a question back.
      const hasSession = cell.server !== 'v2' || !cell.transport.startsWith('http');
      const isUsable = client.era() === 'modern' || (hasSession && cell.transport !== 'http-json');
      const able = waybill.run({ capabilities: ABLE }, () => call('structured', { n: 2 }));
      expect(await able.catch(errorOf)).toMatchObject(isUsable ? { structuredContent: { twice: 4 } } : { code: -32021 });
      expect((await waybill.run({ capabilities: ABLE }, names)).includes('structured')).toBe(isUsable);
      expect(issues).toEqual([]);

      // LANG-48: JSON answers over HTTP have the language in their header; nothing was refused.
      for (const { status } of journey.wire().http) expect(status).not.toBe(500);
      expect(JSON.stringify(journey.wire().received)).not.toContain(keys.UNAVAILABLE);
    } finally {
      await journey.close();
    }
  });
});
