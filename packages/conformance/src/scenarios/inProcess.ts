/** The scenario server without a process of its own, as a link: proofs run a hundred clients, and a process for each would take a minute. */
import { parseArgs } from 'node:util';
import { type Exchange, type Link, newExchange } from '../wire/exchange.js';
import { at, isObject, type Message } from '../wire/json.js';
import type { Revision } from '../wire/keys.js';
import { ScenarioServer } from './server.js';

/** `words` are those that the kit appends to the command of a client: `--`, node, a file, and options. */
export function linkInProcess([, , file = '', ...words]: readonly string[]): Link {
  const options = { scenario: { type: 'string' }, revision: { type: 'string' }, report: { type: 'string' } } as const;
  const { scenario = '', revision, report = '' } = parseArgs({ args: words, options }).values;
  const as = file.endsWith('other.js') ? 'other' : 'first';
  const server = new ScenarioServer(scenario, revision as Revision, async (received) => {
    await fetch(report, { method: 'POST', body: JSON.stringify({ ...received, server: as }) });
  });
  let declared: Message = {};
  return {
    transport: 'stdio',
    alive: true,
    async send(message): Promise<Exchange> {
      const sent = structuredClone(message);
      const capabilities = at(sent, 'params', 'capabilities');
      if (sent['method'] === 'initialize' && isObject(capabilities)) declared = capabilities;
      const reply = await server.answer(sent, declared);
      return { ...newExchange(message), ...(reply.message && { answer: structuredClone(reply.message) }), others: reply.before };
    },
    close: () => Promise.resolve(),
  };
}
