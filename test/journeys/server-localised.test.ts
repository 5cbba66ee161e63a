/** Texts that are localised automatically, texts that need the author's consent, and texts that never change. */
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { keys } from 'waybill';
import { catalogs, contextOf, serverContext, type ServerContextOptions } from 'waybill/server';
import { guardLanguages } from 'waybill/server/tools';
import { peerOf } from './clients.js';
import type { Message } from './wire.js';

const words = await catalogs(
  {
    en: {},
    de: {
      tools: {
        book: { title: 'Buchen', description: 'Bucht einen Platz', inputSchema: { day: { title: 'Tag', description: 'Welcher Tag' } } },
      },
      prompts: { ask: { title: 'Fragen', description: 'Fragt' } },
      resources: { note: { title: 'Zettel', description: 'Ein Zettel' } },
      elicitations: { seat: { message: 'Welcher Platz?', properties: { row: { title: 'Reihe', description: 'Von vorn' } } } },
    },
  },
  { default: 'en' },
);
const SEAT = {
  message: 'Which seat?',
  requestedSchema: {
    type: 'object',
    properties: { row: { type: 'string', title: 'Row', description: 'From the front', enum: ['a', 'b'] } },
  },
};

/** `careless` names its tool in the language of the request. */
async function connected(
  options: ServerContextOptions = {},
  careless = false,
): Promise<(method: string, params: object, language?: string) => Promise<any>> {
  const waybill = serverContext({ catalogs: words, ...options });
  const server = new McpServer({ name: 'shop', version: '1.0.0' });
  const day = z.string().meta({ title: 'Day', description: 'Which day' });
  server.registerTool('book', { title: 'Book', description: 'Books a seat', inputSchema: z.object({ day }) }, async (_args, ctx) => ({
    content: [{ type: 'text', text: JSON.stringify(contextOf(ctx).display.elicitation('seat', SEAT as never)) }],
  }));
  server.registerPrompt('ask', { title: 'Ask', description: 'Asks' }, () => ({ messages: [] }));
  server.registerResource('note', 'doc://note', { title: 'Note', description: 'A note' }, () => ({ contents: [] }));
  if (careless)
    server.server.setRequestHandler('prompts/list', (request) => ({
      prompts: [{ name: (request.params?._meta as Message | undefined)?.[keys.ACCEPT_LANGUAGE] === 'de' ? 'fragen' : 'ask' }],
    }));
  const [near, far] = InMemoryTransport.createLinkedPair();
  await waybill.attach(server).connect(far);
  const client = peerOf('v2-legacy');
  await client.connect(near);
  return async (method, params, language) =>
    method === 'initialize'
      ? { serverInfo: client.sdk.getServerVersion() }
      : client.request(method, { ...params, ...(language !== undefined && { _meta: { [keys.ACCEPT_LANGUAGE]: language } }) });
}

test('D-11: titles and forms are localised automatically, texts for the model only with the author’s consent, field by field', async () => {
  const ask = await connected();
  const {
    tools: [tool],
  } = await ask('tools/list', {}, 'de');
  expect([tool.name, tool.title, tool.description]).toEqual(['book', 'Buchen', 'Books a seat']);
  expect(tool.inputSchema.properties.day).toEqual({ type: 'string', title: 'Day', description: 'Which day' });
  expect((await ask('prompts/list', {}, 'de')).prompts[0]).toMatchObject({ name: 'ask', title: 'Fragen', description: 'Asks' });
  expect((await ask('resources/list', {}, 'de')).resources[0]).toMatchObject({ uri: 'doc://note', title: 'Zettel', description: 'A note' });
  const { content } = await ask('tools/call', { name: 'book', arguments: { day: 'x' } }, 'de');
  expect(JSON.parse(content[0].text)).toEqual({
    message: 'Welcher Platz?',
    requestedSchema: { type: 'object', properties: { row: { type: 'string', title: 'Reihe', description: 'Von vorn', enum: ['a', 'b'] } } },
  });

  const chosen = await connected({ localise: { translate: ['tools.book.description'] } });
  const {
    tools: [told],
  } = await chosen('tools/list', {}, 'de');
  expect([told.name, told.title, told.description]).toEqual(['book', 'Buchen', 'Bucht einen Platz']);
  expect(told.inputSchema).toEqual(tool.inputSchema);
  expect((await chosen('prompts/list', {}, 'de')).prompts[0].description).toBe('Asks');
});

test('D-11: the guard finds an identifier that depends on the language, and nothing else', async () => {
  expect(await guardLanguages(await connected(), ['en', 'de'])).toEqual([]);
  const found = await guardLanguages(await connected({}, true), ['en', 'de']);
  expect(found).toHaveLength(1);
  expect(JSON.stringify(found)).toContain('prompts[0].name');
});
