/** One server, every user's language: one connection, the language changes from call to call, over both revisions and every transport. */
import { describe, expect, test } from 'vitest';
import { clientContext, languageOf } from 'waybill/client';
import { guardLanguages } from 'waybill/server/tools';
import { localised } from './fixtures/layers/localised.mjs';
import { LOCALES } from './fixtures/locales.mjs';
import { CELLS, open, type Cell, type Journey } from './harness.js';
import { errorOf } from './telling.js';
import type { Message } from './wire.js';

const CONTENT = 'io.modelcontextprotocol/contentLanguage';
const LANGUAGES = ['de', 'fr', 'zh-Hant', 'ar', 'en'] as const;
type Tag = (typeof LANGUAGES)[number];
const words = LOCALES as unknown as Record<Tag, any>;
/** The blanks of Intl differ between ICU versions; isolates are tested elsewhere. */
const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ').replaceAll(/[\u2066-\u2069\u200e\u200f\u061c]/g, '');

const SOLD: Record<Tag, string> = {
  de: '3 Karten für Ada am 26. Oktober 2026: 37,50 €',
  fr: '3 billets pour Ada le 26 octobre 2026 : 37,50 €',
  'zh-Hant': 'Ada的3 張票，2026年10月26日：€37.50',
  ar: '3 تذاكر لـ Ada يوم 26 أكتوبر 2026: 37.50 €',
  en: '3 tickets for Ada on October 26, 2026: €37.50',
};
const FULL: Record<Tag, string> = {
  de: 'Nur noch 3 Plätze.',
  fr: 'Plus que 3 places.',
  'zh-Hant': '只剩 3 個座位。',
  ar: 'بقيت 3 مقاعد.',
  en: 'Only 3 seats left.',
};
const digits = (text: string): string => text.replaceAll(/[٠-٩]/g, (digit) => String('٠١٢٣٤٥٦٧٨٩'.indexOf(digit))).replaceAll('٫', '.');
const textOf = (result: Message): string => digits(plain(result['content'][0].text));

/** A JSON body holds one answer: nothing can be sent or asked during a call. */
const canSay = ({ cell }: Journey): boolean => cell.transport !== 'http-json';
/** Legacy HTTP through `createMcpHandler` has no sessions, so the server cannot ask. */
const canAsk = ({ cell, client }: Journey): boolean =>
  client.era() === 'modern' || (cell.transport !== 'http-json' && !(cell.server === 'v2' && cell.transport.startsWith('http')));

async function visit(journey: Journey, tag: Tag): Promise<void> {
  const { client } = journey;
  const call = (name: string, args: Message = {}, options = {}): Promise<Message> => client.callTool({ name, arguments: args }, options);
  const last = (): Message => journey.wire().received.at(-1)!;

  // Lists need no code: titles change, names and descriptions do not.
  const page = await client.sdk.listTools({ cursor: undefined });
  const echo = page.tools.find((tool: Message) => tool['name'] === 'echo');
  expect([echo.title, echo.description]).toEqual([words[tag].tools?.echo.title, 'Says it again']);
  expect(languageOf(page)).toBe(tag);
  const prompts = await client.sdk.listPrompts();
  expect(prompts.prompts.find((prompt: Message) => prompt['name'] === 'greet').title).toBe(words[tag].prompts?.greet.title);
  // The SDK's client drops the title of an argument; on the wire it is there.
  const greet = last()['result'].prompts.find((prompt: Message) => prompt['name'] === 'greet');
  expect(greet.arguments[0].title).toBe(words[tag].prompts?.greet.arguments.name.title);
  expect((await client.sdk.listResources()).resources[0].title).toBe(words[tag].resources?.note.title);
  expect((await client.sdk.listResourceTemplates()).resourceTemplates[0].title).toBe(words[tag].resourceTemplates?.days.title);
  if (client.era() === 'modern' && tag !== 'en')
    expect(last()['result']._meta['io.modelcontextprotocol/serverInfo'].title).toBe(words[tag].server.title);

  // Texts of handlers: words in the language, numbers in its format, in the user's zone.
  const sold = await call('sell', { n: 3, who: 'Ada' });
  expect(textOf(sold)).toBe(SOLD[tag]);
  expect(languageOf(sold)).toBe(tag);
  const hello = await client.sdk.getPrompt({ name: 'hello' });
  expect(plain(hello.messages[0].content.text)).toBe(words[tag].greeting.replace('{name}', 'Ada'));
  expect(languageOf(hello)).toBe(tag);
  const terms = await client.sdk.readResource({ uri: 'doc://terms' });
  expect([terms.contents[0].text, languageOf(terms)]).toEqual([words[tag].terms, tag]);

  // LANG-14: an argument decides the language of the content, not of texts beside it.
  const other = await call('sell', { n: 3, who: 'Ada', language: 'fr-CA' });
  expect([textOf(other), languageOf(other)]).toEqual([SOLD.fr, 'fr']);

  // Errors: as a protocol error, and as a result of the tool.
  const refused = errorOf(await call('refuse', { code: 4009 }).catch((error: unknown) => error)) as Message;
  expect([digits(plain(refused['message'])), refused['code']]).toEqual([expect.stringContaining(FULL[tag]), 4009]);
  expect(last()['error']).toMatchObject({ code: 4009, data: { left: 3, _meta: { [CONTENT]: tag } } });
  const soft = await call('refuse');
  expect([textOf(soft), soft['isError'], languageOf(soft)]).toEqual([FULL[tag], true, tag]);
  await client.sdk.getPrompt({ name: 'closed' }).then(
    () => expect.unreachable(),
    () => expect(last()['error']).toMatchObject({ code: 4009, data: { _meta: { [CONTENT]: tag } } }),
  );

  // The answer names the languages that were really used: some texts have no translation.
  const half = await call('half');
  expect(plain(textOf(half))).toBe(`${words[tag].terms} Nobody has translated this. nobody.knows`);
  expect(languageOf(half)).toBe(tag === 'en' ? 'en' : `${tag}, en`);

  if (canSay(journey)) await progress(journey, tag);
  if (canAsk(journey)) await elicitation(journey, tag);
}

async function progress({ client, wire }: Journey, tag: Tag): Promise<void> {
  await client.callTool({ name: 'steps', arguments: { all: 2 } }, { onprogress: () => undefined });
  const told = wire()
    .received.filter((message) => message['method'] === 'notifications/progress')
    .slice(-2);
  expect(told.map(({ params }) => digits(plain(params.message)))).toEqual(
    [1, 2].map((done) => words[tag].step.replace('{done, number}', String(done)).replace('{all, number}', '2')),
  );
  expect(told.map(({ params }) => params._meta[CONTENT])).toEqual([tag, tag]);
}

async function elicitation({ client }: Journey, tag: Tag): Promise<void> {
  let form: Message | undefined;
  client.onElicit((params) => {
    form = params;
    return { action: 'accept', content: { size: 'l' } };
  });
  const chosen = await client.callTool({ name: 'choose', arguments: {} });
  expect(textOf(chosen)).toBe('l');
  const entry = words[tag].elicitations?.size;
  const size = form!['requestedSchema'].properties.size;
  expect(form!['message']).toBe(entry?.message ?? 'Which size?');
  expect([size.title, size.description]).toEqual(
    entry ? [entry.properties.size.title, entry.properties.size.description] : ['Size', 'Small or large'],
  );
  expect(size.oneOf).toEqual(
    entry
      ? [
          { const: 's', title: entry.properties.size.options.s },
          { const: 'l', title: entry.properties.size.options.l },
        ]
      : [
          { const: 's', title: 'small' },
          { const: 'l', title: 'large' },
        ],
  );
  expect(size.default).toBe('s');
}

/** Processes are slow to start: one combination for each revision over stdio. */
const cells = CELLS.filter(
  ({ client, server, transport }) => transport !== 'stdio' || `${client} ${server}` === 'v2-modern v2' || `${client} ${server}` === 'v1 v1',
);
const module = new URL('./fixtures/layers/localised.mjs', import.meta.url);

describe.each(cells)('$client client, $server server, $transport', { concurrent: true }, (cell: Cell) => {
  test('LANG-04, LANG-06, LANG-14, LANG-20, LANG-23, LANG-24, LANG-28: every user’s language on one connection, switched at any time', async () => {
    const waybill = clientContext({ language: 'de' });
    const journey = await open(cell, {
      client: { transport: (transport) => waybill.attach(transport as never) },
      server: cell.transport === 'stdio' ? module : await localised(),
    });
    try {
      for (const tag of LANGUAGES) {
        waybill.update({ language: tag, environment: { timezone: 'Europe/Vienna', locale: null } });
        await visit(journey, tag);
      }
    } finally {
      await journey.close();
    }
  });

  test('a client without the layer gets the default language, and nothing is claimed', async () => {
    const journey = await open(cell, { server: cell.transport === 'stdio' ? module : await localised() });
    try {
      const { client } = journey;
      expect(textOf(await client.callTool({ name: 'sell', arguments: { n: 1, who: 'Ada' } }))).toBe(
        '1 ticket for Ada on October 25, 2026: €12.50',
      );
      await client.sdk.listTools();
      await client.sdk.listPrompts();
      await client.callTool({ name: 'refuse', arguments: { code: 4009 } }).catch(() => undefined);
      expect(JSON.stringify(journey.wire().received)).not.toContain(CONTENT);
    } finally {
      await journey.close();
    }
  });
});

describe('in development', () => {
  const cell: Cell = { client: 'v2-modern', server: 'v2', transport: 'memory' };

  test('LANG-33: the guard finds nothing in a correct server, and every fault of an incorrect one', async () => {
    const layer = await localised();
    const waybill = clientContext({});
    const journey = await open(cell, { client: { transport: (transport) => waybill.attach(transport as never) }, server: layer });
    try {
      const ask = (method: string, params: object, language: string): Promise<unknown> => {
        waybill.update({ language });
        return journey.client.request(method, params);
      };
      expect(await guardLanguages(ask, LANGUAGES)).toEqual([]);
      expect(layer.issues).toEqual([]);
    } finally {
      await journey.close();
    }
  });

  test('a list whose names depend on the language is reported at run time', async () => {
    const layer = await localised();
    const waybill = clientContext({});
    const broken = {
      ...layer,
      server: (target: any) =>
        layer.server((ctx: any) => {
          const mcp = target(ctx);
          mcp.server.setRequestHandler('prompts/list', (request: any) => ({
            prompts: [{ name: request.params?._meta?.['io.modelcontextprotocol/acceptLanguage'] === 'de' ? 'gruss' : 'greet' }],
          }));
          return mcp;
        }),
    };
    const journey = await open(cell, { client: { transport: (transport) => waybill.attach(transport as never) }, server: broken });
    try {
      for (const language of ['en', 'de']) {
        waybill.update({ language });
        await journey.client.request('prompts/list', {});
      }
      expect(layer.issues).toEqual([
        { concern: 'language', key: 'prompts/list: prompts[0].name', problem: 'differs, and must be the same in every language' },
      ]);
    } finally {
      await journey.close();
    }
  });
});
