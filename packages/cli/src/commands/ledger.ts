import { clientContext, type LedgerFilter } from 'waybill/client';
import { policy } from 'waybill/client/policy';
import { usage } from '../failure.js';
import { didYouMean } from '../nearest.js';
import { cleanLine } from '../output.js';
import { type CommandAnswer, type Run, textOf } from '../run.js';
import { confirmClearing } from '../session/ask.js';
import { existingJar } from '../session/jar.js';
import { counted, table } from '../table.js';

const ACTIONS = ['list', 'clear'];

export async function run(run: Run): Promise<CommandAnswer> {
  const [action = 'list', server] = run.words;
  if (!ACTIONS.includes(action)) throw usage(`ledger: expected ${ACTIONS.join(', ')}`, didYouMean(action, ACTIONS));
  const state = await existingJar(run);
  // A ledger belongs to a policy. This one withholds nothing, and nothing is sent here.
  const { jar, ledger } = clientContext({ state, policy: policy({}), onIssue: (issue) => run.about.issues.push(issue) });
  run.cleanup.push(() => jar.close());
  const principal = textOf(run, 'principal');
  const filter: LedgerFilter = { ...(principal !== undefined && { principal }), ...(server !== undefined && { server }) };
  if (action === 'clear') {
    await confirmClearing(server === undefined ? 'what every server was told' : `what ${server} was told`, run);
    const cleared = await ledger.clear(filter);
    return { result: { cleared }, text: `${counted(cleared, 'entry', 'entries')} forgotten.` };
  }
  const entries = await ledger.list(filter);
  const servers = [...new Set(entries.map(({ server }) => server))];
  const parts = servers.map((server) => {
    const rows = entries
      .filter((one) => one.server === server)
      .map(({ field, outcome, precision, count, last }) => [
        field,
        precision === undefined ? outcome : `${outcome} (${cleanLine(precision)})`,
        counted(count, 'time'),
        new Date(last).toISOString(),
      ]);
    return `${run.out.paint('bold', cleanLine(server ?? 'a server without a name'))}\n${table(rows, '  ')}`;
  });
  const text = parts.length === 0 ? 'The ledger is empty. It is written by calls with --policy FILE and --jar FILE.' : parts.join('\n\n');
  return { result: { entries, principals: await ledger.principals() }, text };
}
