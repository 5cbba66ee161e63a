/** The shop server's catalogues are complete, used and well-formed; its lists pass the guard; extraction gives the same entries back. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { serverContext } from 'waybill/server';
import { catalogFolder } from 'waybill/server/node';
import { coverage, describeCoverage, extractStrings, guardLanguages, pseudoCatalog } from 'waybill/server/tools';
import { build } from '../../examples/shop/server.v2.js';
import { peerOf } from './clients.js';

const LOCALES = new URL('../../examples/shop/locales/', import.meta.url);
const read = (file: string): any => JSON.parse(readFileSync(new URL(file, LOCALES), 'utf8'));

async function connected(): Promise<{
  ask: (method: string, params: object, language?: string) => Promise<unknown>;
  close(): Promise<void>;
}> {
  const waybill = serverContext({ catalogs: await catalogFolder(LOCALES, { default: 'en' }) });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await waybill.attach(build()).connect(far);
  const client = peerOf('v2-legacy');
  await client.connect(near);
  const meta = (language?: string): object =>
    language === undefined ? {} : { _meta: { 'io.modelcontextprotocol/acceptLanguage': language } };
  const ask = async (method: string, params: object, language?: string): Promise<unknown> =>
    method === 'initialize' ? { serverInfo: client.sdk.getServerVersion() } : client.request(method, { ...params, ...meta(language) });
  return { ask, close: () => client.close() };
}

const sources = Object.fromEntries(readdirSync(LOCALES).map((file) => [file.replace('.json', ''), read(file)]));

test('every language has every entry, and no unused one', async () => {
  const { ask, close } = await connected();
  const { entries: extracted, conflicts } = await extractStrings(ask, { fields: 'should' });
  await close();
  expect(conflicts).toEqual([]);
  expect([...extracted.keys()]).toContain('tools.price.title');
  const forms = Object.entries<any>(sources['en'].elicitations).flatMap(([name, { properties }]) => [
    `elicitations.${name}.message`,
    ...Object.keys(properties).flatMap((field) =>
      ['title', 'description'].map((text) => `elicitations.${name}.properties.${field}.${text}`),
    ),
  ]);
  const all = new Map([...extracted, ...forms.map((key): [string, string] => [key, ''])]);
  const report = await coverage(sources, { default: 'en', extracted: all });
  expect(report.map(({ language }) => language).sort()).toEqual(['ar', 'de', 'en', 'fr', 'zh-Hant']);
  for (const one of report) expect(describeCoverage([one])).toMatch(/^\S+: (\d+) of \1 \(100 %\)$/);
});

test('LANG-33: its identifiers are the same in every language', async () => {
  const { ask, close } = await connected();
  expect(await guardLanguages(ask, ['en', 'de', 'fr', 'zh-Hant', 'ar'])).toEqual([]);
  await close();
});

test('a pseudo-language of it can be served like any other', async () => {
  const { ask, close } = await connected();
  const { entries } = await extractStrings(ask);
  await close();
  const pseudo = await pseudoCatalog(entries);
  expect(pseudo.get('tools.price.title')).toMatch(/^\[Ŵĥåţ îţ çöšţš ~+\]$/);
});
