// #region context
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { clientContext } from 'waybill/client';

const waybill = clientContext({
  language: 'auto', // the languages of this machine; or ['de-AT', 'en']
  environment: { timezone: 'auto', locale: 'auto' },
  onIssue: console.warn,
});
// #endregion

// #region connect
const client = new Client({ name: 'assistant', version: '1.0.0' }, waybill.clientOptions());
const url = new URL(process.env['URL'] ?? 'http://127.0.0.1:3000/mcp');
await client.connect(waybill.attach(new StreamableHTTPClientTransport(url)));
const result = await client.callTool({ name: 'now', arguments: {} });
console.log(result.content, waybill.languageOf(result));
// #endregion

// #region change
waybill.update({ language: 'de-AT' }); // from the next request on
const inTokyo = { environment: { timezone: 'Asia/Tokyo' } };
const there = await waybill.run(inTokyo, () => client.callTool({ name: 'now', arguments: {} })); // these calls only
console.log(there.content);
// #endregion
await client.close();
