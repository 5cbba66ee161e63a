import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'waybill-policy-'));
const file = join(folder, 'policy.yaml');
writeFileSync(file, 'default: { location: never }\nservers:\n  https://crm.example.com: { location: city }\n');
const showDialog = (...asked: unknown[]): Promise<'once' | 'always' | 'never'> => Promise.resolve(asked.length > 0 ? 'once' : 'never');

// #region rules
import { clientContext } from 'waybill/client';
import { policy, type Policy } from 'waybill/client/policy';

const rules: Policy = {
  default: { location: 'never', trace: 'never' },
  servers: {
    'https://crm.example.com': { location: 'city', trace: 'always' },
    '*.corp.example': { trace: 'always', baggage: ['tenant.id'] },
    'npm:@scope/server': { language: 'ask', state: 'never' },
  },
};
const waybill = clientContext({
  language: ['de-AT', 'de', 'en'],
  environment: { location: { city: 'Vienna', country: 'AT' } },
  policy: policy(rules, { ask: ({ server, field, precision, reason }) => showDialog(server, field, precision, reason) }),
});
// #endregion

// #region file
import { policyFile } from 'waybill/client/node';

const fromFile = clientContext({ policy: policyFile(file) }); // 'policy.yaml'
// #endregion
assert.ok(fromFile);
rmSync(folder, { recursive: true });

// #region preview
const call = { method: 'tools/call', params: { name: 'search' } };
const { meta, headers, withheld } = await waybill.preview('https://elsewhere.example/mcp', call);
// withheld: [{ field: 'location', rule: 'default.location', level: 'never' }]
// #endregion
assert.deepEqual(withheld, [{ field: 'location', rule: 'default.location', level: 'never' }]);
assert.ok(meta);
assert.ok(headers);

// #region ledger
const told = await waybill.ledger.list({ server: 'https://crm.example.com' });
// [{ server: 'https://crm.example.com', field: 'location', outcome: 'sent', precision: 'city', count: 12, first: 1792891800123, last: … }, …]
// #endregion
assert.deepEqual(told, []);

// #region wants
import { serverContext } from 'waybill/server';

const server = serverContext({ wants: { timezone: 'to read "yesterday" as you mean it' } });
// #endregion
assert.ok(server);
