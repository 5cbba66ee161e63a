/**
 * Serves one fixture and calls its tool with a client that has the layer, once for each revision. Prints one line of JSON, and ends the
 * process.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { clientContext } from 'waybill/client';
import { jar } from 'waybill/client/jar';

const MODES = { '2025-11-25': 'legacy', '2026-07-28': { pin: '2026-07-28' } };
const [name, ...revisions] = process.argv.slice(2);
const { serve } = await import(`./${name}.mjs`);
const url = await serve();
const rows = [];
for (const revision of revisions) {
  const options = { versionNegotiation: { mode: MODES[revision] }, capabilities: { elicitation: { form: {} } } };
  const client = new Client({ name: 'check', version: '1.0.0' }, options);
  try {
    const waybill = clientContext({
      language: 'de-AT',
      environment: { timezone: 'Asia/Tokyo' },
      trace: 'start',
      state: jar({ allowHosts: ['127.0.0.1', 'localhost'] }),
    });
    await client.connect(waybill.attach(new StreamableHTTPClientTransport(url), { client }), { timeout: 10_000 });
    const call = () => client.callTool({ name: 'showContext', arguments: {} }, { timeout: 10_000 });
    const results = [await call(), await call()];
    const texts = results.map((result) => /de Asia[^"\\]*/.exec(JSON.stringify(result.content))?.[0]);
    // Without a session nobody knows on 2025-11-25 what the client declared, and then the layer leaves it out.
    const ok =
      texts.every((text, at) => new RegExp(`^de Asia/Tokyo traced (asks|silent) ${at + 1}$`).test(text)) &&
      results.every((result) => waybill.languageOf(result) === 'de' && !JSON.stringify(result).includes('"calls"'));
    rows.push({ revision, ok, detail: ok ? texts.join(', ') : JSON.stringify(results) });
  } catch (error) {
    rows.push({ revision, ok: false, detail: String(error?.stack ?? error) });
  }
  await client.close().catch(() => undefined);
}
console.log(JSON.stringify(rows));
process.exit(0);
