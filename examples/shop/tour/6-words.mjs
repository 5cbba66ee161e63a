// Localisation: texts come from catalogues by naming convention; names never change.
import { McpServer } from '@modelcontextprotocol/server';
import { clientContext } from 'waybill/client';
import { catalogs, contextOf, serverContext } from 'waybill/server';
import { z } from 'zod';
import { connect, serve, text } from './stand.mjs';
import { table } from './print.mjs';

export const title = 'One server, every language; names stay';

const words = {
  en: { 'tools.cart.title': 'Cart', 'cart.items': '{count, plural, =0 {Nothing yet} one {# item} other {# items}} for {total}' },
  de: { 'tools.cart.title': 'Warenkorb', 'cart.items': '{count, plural, =0 {Noch nichts} one {# Artikel} other {# Artikel}} für {total}' },
  ar: {
    'tools.cart.title': 'السلة',
    'cart.items': '{count, plural, zero {لا شيء} one {عنصر واحد} two {عنصران} few {# عناصر} other {# عنصر}} بقيمة {total}',
  },
  'zh-Hant': { 'tools.cart.title': '購物車', 'cart.items': '{count} 件，共 {total}' },
};

export async function show() {
  const layer = serverContext({ catalogs: await catalogs(words, { default: 'en' }) });
  const build = () => {
    const server = new McpServer({ name: 'shop', version: '1' });
    server.registerTool('cart', { title: 'Cart', inputSchema: z.object({ count: z.number() }) }, async ({ count }, ctx) => {
      const { t, format } = contextOf(ctx);
      return { content: [{ type: 'text', text: t('cart.items', { count, total: format.currency(count * 4.2, 'EUR') }) }] };
    });
    return server;
  };
  const { url, close } = await serve(build, layer);
  const context = clientContext({ language: 'en' });
  const client = await connect(url, context);
  const rows = [];
  for (const [language, locale] of [
    ['en', 'en-GB'],
    ['de-AT', 'de-AT'],
    ['zh-TW', 'zh-TW'],
    ['ar', 'ar-EG'],
    ['it', 'it-IT'],
  ]) {
    context.update({ language, environment: { locale } });
    const [tool] = (await client.listTools()).tools;
    const result = await client.callTool({ name: 'cart', arguments: { count: 3 } });
    rows.push([language, tool.name, tool.title, text(result), context.languageOf(result)]);
  }
  table(['asked for', 'name', 'title', 'answer', 'in'], rows);
  await client.close();
  await close();
}
