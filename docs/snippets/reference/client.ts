import assert from 'node:assert/strict';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';

const [transport, far] = InMemoryTransport.createLinkedPair();
const server = new McpServer({ name: 'shop', version: '1.0.0' });
const asked: unknown[] = [];
server.registerTool('hello', {}, (ctx) => {
  asked.push(ctx.mcpReq._meta?.['io.modelcontextprotocol/acceptLanguage']);
  return { content: [] };
});
await server.connect(far);
const info = { name: 'assistant', version: '1.0.0' };
const capabilities = { elicitation: { form: {} } };
const call = { name: 'hello', arguments: {} };

// #region attach
import { clientContext } from 'waybill/client';

const waybill = clientContext({ language: ['fr-CH', 'fr', 'en'] });
// #endregion
// #region cache
const client = new Client(info, waybill.clientOptions({ capabilities }));
// #endregion
// #region attach
await client.connect(waybill.attach(transport)); // returns the same transport object
// #endregion

// #region change
waybill.update({ language: 'de' }); // from the next request on
await waybill.run({ language: 'ja' }, () => client.callTool(call)); // everything that the function sends
const japanese = waybill.with({ language: 'ja' });
await japanese.client(client).callTool(call); // call by call
await client.callTool({ ...call, _meta: japanese.meta }); // the same by hand
// #endregion
await client.callTool(call);
assert.deepEqual(asked, ['ja', 'ja', 'ja', 'de']);
await client.close();
