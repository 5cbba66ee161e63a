import assert from 'node:assert/strict';
// #region policy
import { clientContext } from 'waybill/client';
import { policy } from 'waybill/client/policy';

const rules = {
  default: { location: 'never', trace: 'never', language: 'ask' },
  servers: {
    'https://crm.example.com': { location: 'city', language: 'always' },
    '*.corp.example': { trace: 'always', language: 'always' },
  },
} as const;
const waybill = clientContext({
  language: ['de-AT', 'de'],
  environment: { timezone: 'Europe/Vienna', location: { city: 'Vienna', country: 'AT' } },
  policy: policy(rules, {
    ask: ({ server, field, reason }) => askUser(`May ${server ?? 'this server'} know your ${field}? ${reason ?? ''}`),
  }),
});
// #endregion

function askUser(question: string): 'once' | 'always' | 'never' {
  console.log(question);
  return 'once';
}

// #region preview
const call = { method: 'tools/call', params: { name: 'search' } };
const { meta, withheld } = await waybill.preview('https://other.example/mcp', call);
console.log(meta, withheld);
// #endregion
assert.deepEqual(withheld.map(({ field, level }) => [field, level]).sort(), [
  ['language', 'ask'],
  ['location', 'never'],
]);
const crm = await waybill.preview('https://crm.example.com/mcp', call);
assert.deepEqual(crm.withheld, []);

// #region ledger
console.log(await waybill.ledger.list({ server: 'https://crm.example.com' })); // what it was told, how often, how exactly
await waybill.ledger.clear(); // forgets this, and what the user answered
// #endregion

// Checks what the README says about a client without any setting.
const plain = await clientContext({ policy: {} }).preview('https://other.example/mcp', call);
assert.deepEqual(plain.withheld, []);
const { 'io.modelcontextprotocol/clientContext': sent, ...others } = plain.meta;
assert.deepEqual(Object.keys(others), ['io.modelcontextprotocol/clientCapabilities']); // what the SDK's client declares
assert.deepEqual(Object.keys(sent as object).sort(), ['currentTimestamp', 'locale', 'timezone']);
