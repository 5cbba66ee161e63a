// Client and server halves, over real HTTP: one tool, asked without and with its context.
import { McpServer } from '@modelcontextprotocol/server';
import { clientContext } from 'waybill/client';
import { contextOf, serverContext } from 'waybill/server';
import { connect, serve, text } from './stand.mjs';
import { compare, say, table } from './print.mjs';

export const title = 'The same call, without and with its context';

const now = Date.parse('2026-10-31T23:40:00Z');

function build() {
  const server = new McpServer({ name: 'desk', version: '1' });
  server.registerTool('today', { description: "The user's date" }, async (ctx) => {
    const { environment, language } = contextOf(ctx);
    const date = new Intl.DateTimeFormat(environment.locale, { dateStyle: 'full', timeZone: environment.timezone }).format(
      environment.now.epochMilliseconds,
    );
    return { content: [{ type: 'text', text: `[${language.chosen}] ${date}` }] };
  });
  server.registerTool('book', { description: 'Books a table; asks for the number of guests' }, async () => ({
    content: [{ type: 'text', text: 'booked' }],
  }));
  return server;
}

export async function show() {
  const layer = serverContext({
    languages: ['en', 'de', 'ja'],
    clock: () => now,
    tools: { book: { requires: { elicitation: { form: {} } } } },
  });
  const { url, close } = await serve(build, layer);
  const bare = await connect(url);
  const without = text(await bare.callTool({ name: 'today', arguments: {} }));
  const rows = [];
  for (const [city, timezone, locale, language] of [
    ['Vienna', 'Europe/Vienna', 'de-AT', 'de-AT, en;q=0.5'],
    ['Los Angeles', 'America/Los_Angeles', 'en-US', 'en-US'],
    ['Tokyo', 'Asia/Tokyo', 'ja-JP', 'ja'],
  ]) {
    const context = clientContext({ language, environment: { timezone, locale }, clock: () => now });
    const client = await connect(url, context);
    rows.push([city, text(await client.callTool({ name: 'today', arguments: {} }))]);
    if (city === 'Vienna') {
      compare({
        call: 'today, at 31 October 23:40 UTC, asked in Vienna',
        without,
        withContext: rows[0][1],
        because: { acceptLanguage: language, clientContext: { timezone, locale } },
      });
      say('');
    }
    await client.close();
  }
  table(['asked in', 'answer'], rows);

  say('');
  const context = clientContext({ tools: { unmet: 'disable' } });
  const client = await connect(url, context);
  const { tools } = await client.listTools();
  const book = tools.find((tool) => tool.name === 'book');
  say('  A tool that this client can never use says so in the list, and a call anyway is refused:');
  say(`    list     ${JSON.stringify(book._meta)}`);
  const refused = await bare.callTool({ name: 'book', arguments: {} }).then(text, (error) => `${error.code} ${error.message}`);
  say(`    call     ${refused}`);
  await Promise.all([client.close(), bare.close()]);
  await close();
}
