import { existsSync } from 'node:fs';
import { clientContext, type LedgerFilter } from 'waybill/client';
import { policy } from 'waybill/client/policy';
import { Failure, usage } from '../failure.js';
import { didYouMean } from '../nearest.js';
import { cleanLine } from '../output.js';
import { isOn, type Outcome, type Run, textOf } from '../run.js';
import { askYesNo, canAsk } from '../session/ask.js';
import { jarOf } from '../session/jar.js';
import { counted, table } from '../table.js';

const ACTIONS = ['list', 'clear'];

export async function run(run: Run): Promise<Outcome> {
  const [action = 'list', server] = run.words;
  if (!ACTIONS.includes(action)) throw usage(`ledger: expected ${ACTIONS.join(', ')}`, didYouMean(action, ACTIONS));
  const file = textOf(run, 'jar');
  if (file === undefined) throw usage('no jar is named', 'The ledger is kept in a jar: write --jar FILE, or set WAYBILL_JAR.');
  if (!existsSync(file)) throw usage(`${file}: there is no such file`);
  run.about.target = file;
  const state = await jarOf(run);
  if (state === undefined) throw usage('no jar is named');
  // A ledger belongs to a policy. This one withholds nothing, and nothing is sent here.
  const { jar, ledger } = clientContext({ state, policy: policy({}), onIssue: (issue) => run.about.issues.push(issue) });
  run.cleanup.push(() => jar.close());
  const principal = textOf(run, 'principal');
  const filter: LedgerFilter = { ...(principal !== undefined && { principal }), ...(server !== undefined && { server }) };
  if (action === 'list') {
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
  const whose = server === undefined ? 'what every server was told' : `what ${server} was told`;
  if (!isOn(run, 'yes')) {
    if (!canAsk()) throw new Failure('unanswered', `ledger clear forgets ${whose}`, 'If you are sure, add --yes.');
    if (!(await askYesNo(`Forget ${whose}?`, run))) throw new Failure('unanswered', 'nothing was cleared');
  }
  const cleared = await ledger.clear(filter);
  return { result: { cleared }, text: `${counted(cleared, 'entry', 'entries')} forgotten.` };
}
