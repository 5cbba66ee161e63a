/**
 * Serves one fixture and calls its tool with a client that has the layer, once for each revision. Prints one line of JSON, and ends the
 * process.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { clientContext } from 'waybill/client';

const MODES = { '2025-11-25': 'legacy', '2026-07-28': { pin: '2026-07-28' } };
const [name, ...revisions] = process.argv.slice(2);
const { serve } = await import(`./${name}.mjs`);
const url = await serve();
const rows = [];
for (const revision of revisions) {
  const client = new Client({ name: 'check', version: '1.0.0' }, { versionNegotiation: { mode: MODES[revision] } });
  try {
    const waybill = clientContext({ language: 'de-AT', environment: { timezone: 'Asia/Tokyo' } });
    await client.connect(waybill.attach(new StreamableHTTPClientTransport(url), { client }), { timeout: 10_000 });
    const result = await client.callTool({ name: 'sees', arguments: {} }, { timeout: 10_000 });
    const ok = JSON.stringify(result.content).includes('de Asia/Tokyo') && waybill.languageOf(result) === 'de';
    rows.push({ revision, ok, detail: ok ? '' : JSON.stringify(result) });
  } catch (error) {
    rows.push({ revision, ok: false, detail: String(error?.stack ?? error) });
  }
  await client.close().catch(() => undefined);
}
console.log(JSON.stringify(rows));
process.exit(0);
