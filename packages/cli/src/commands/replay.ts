import { differingPaths, leavesOf } from '../differences.js';
import { usage } from '../failure.js';
import { cleanLine } from '../output.js';
import { readRecord, sessionOfRecord } from '../record/read.js';
import { type CallRecord, comparable } from '../record/record.js';
import { type CommandAnswer, type Run, textOf } from '../run.js';
import { openSession, type Session, settled } from '../session/session.js';
import { targetOf } from '../target/target.js';

export async function run(run: Run): Promise<CommandAnswer> {
  const [file, ...rest] = run.words;
  if (file === undefined) throw usage('no FILE is given', 'waybill call … --record FILE writes one.');
  const record = await readRecord(file);
  // The target never comes from the file: a record that somebody sends must not decide what is called.
  const { target, words } = await targetOf({ ...run, words: rest });
  if (words.length > 0) throw usage(`"${words.join(' ')}" is too much`, 'replay takes a FILE and a TARGET.');
  const session = await openSession(run, target, await sessionOfRecord(record, target, textOf(run, 'jar') !== undefined));
  session.elicitor.prepared = record.answers;
  const result = await settled(session, send(session, record));
  const [before, after] = [comparable(record.result), comparable(result)];
  const differences = differingPaths([before, after]);
  const leaves = [leavesOf(before), leavesOf(after)];
  const lines = differences.map((path) => {
    const [was, is] = leaves.map((one) => cleanLine(one.get(path) ?? '(nothing)'));
    return `${path}\n  ${run.out.paint('red', `- ${was ?? ''}`)}\n  ${run.out.paint('green', `+ ${is ?? ''}`)}`;
  });
  return {
    ok: differences.length === 0,
    result: { same: differences.length === 0, differences, result },
    text: lines.join('\n') || 'The same answer.',
  };
}

function send({ client, request }: Session, { request: { method, params } }: CallRecord): Promise<unknown> {
  if (method === 'tools/call') return client.callTool(params as never, request);
  return method === 'resources/read' ? client.readResource(params as never, request) : client.getPrompt(params as never, request);
}
