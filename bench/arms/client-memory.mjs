// @ts-check
// node client-memory.mjs layer|policy|hand auto|legacy language|everything: tool calls over SDK v2 in memory. The layer writes the context,
// alone or under a policy of ten rules, or the caller writes it by hand.
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { clientContext } from 'waybill/client';
import { policy } from 'waybill/client/policy';
import { serveArm } from '../harness.mjs';
import { bind } from '../meter.mjs';
import { byHand, CAPABILITIES, VALUES } from './client-context.mjs';

const [, , how, mode, what] = /** @type {[string, string, string, 'auto' | 'legacy', keyof typeof VALUES]} */ (process.argv);
const [near, far] = InMemoryTransport.createLinkedPair();
serveStdio(
  () => {
    const server = new McpServer({ name: 's', version: '1' });
    server.registerTool('echo', { description: 'x' }, async () => ({ content: [] }));
    return server;
  },
  { transport: far },
);
const client = new Client({ name: 'c', version: '1' }, { capabilities: CAPABILITIES, versionNegotiation: { mode } });
/** Ten rules, of which an exact one, a pattern and the default speak of this server. @type {import('waybill/client/policy').Policy} */
const TEN_RULES = {
  default: { location: 'country' },
  servers: {
    'bench:server': { timezone: 'always', location: 'city' },
    'bench:*': { language: 'always', trace: 'always' },
    ...Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`https://s${at}.example.com`, { location: 'never' }])),
  },
};
const options = how === 'policy' ? { ...VALUES[what], policy: policy(TEN_RULES) } : VALUES[what];
if (how !== 'hand') clientContext(options).attach(near, how === 'policy' ? { server: 'bench:server' } : {});
await client.connect(near);
const call = how === 'hand' ? () => ({ name: 'echo', arguments: {}, _meta: byHand[what]() }) : () => ({ name: 'echo', arguments: {} });

bind(process.pid, 1);
serveArm(async (n) => {
  for (let i = 0; i < n; i++) await client.callTool(call());
});
