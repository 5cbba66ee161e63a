import { parseArguments } from '../arguments/parse.js';
import { problemsOf, unlistedNames } from '../arguments/validate.js';
import type { Schema } from '../arguments/coerce.js';
import { usage } from '../failure.js';
import { suggestion } from '../nearest.js';
import { cleanLine } from '../output.js';
import { isOn, type CommandAnswer, type Run } from '../run.js';
import { record } from '../record/write.js';
import { preview } from '../session/preview.js';
import { openSession, type Session, settled } from '../session/session.js';
import { contentText } from '../session/show.js';
import { targetOf } from '../target/target.js';

export interface ToolCall {
  readonly method: 'tools/call';
  readonly params: { readonly name: string; readonly arguments: Record<string, unknown> };
}

export async function run(run: Run): Promise<CommandAnswer> {
  const { target, words } = await targetOf(run);
  const [name, ...given] = words;
  if (name === undefined) throw usage('no TOOL is given', 'waybill list TARGET shows the tools of a server.');
  // The schema is the server's, and nothing is asked: a preview shows values as they were typed.
  if (isOn(run, 'preview'))
    return preview(run, target, { method: 'tools/call', params: { name, arguments: await parseArguments(given, {}) } });
  const session = await openSession(run, target);
  const request = await prepare(session, name, given, run);
  const result = await callTool(session, request, run);
  record(session, request, result, run);
  run.about.language = session.waybill.languageOf(result);
  return { ok: result.isError !== true, result, text: textOf(result) };
}

/** Finds the tool and checks the arguments against its schema, before anything is sent. */
export async function prepare(session: Session, name: string, words: readonly string[], run: Run): Promise<ToolCall> {
  const { tools } = await session.client.listTools(undefined, session.request);
  const tool = tools.find((one) => one.name === name);
  const names = tools.map((one) => one.name);
  if (tool === undefined) throw usage(`no tool is called "${name}"`, suggestion(name, names));
  const schema = tool.inputSchema as Schema;
  const args = await parseArguments(words, schema);
  const problems = problemsOf(args, schema);
  const unknown = schema.additionalProperties === false ? [] : unlistedNames(args, schema);
  if (problems.length > 0) throw usage(`the arguments do not fit ${name}: ${[...problems, ...unknown].join('; ')}`, describe(schema));
  // The schema allows them, so they are sent.
  for (const problem of unknown) run.out.note(run.out.paintNote('yellow', `note: ${problem}`));
  return { method: 'tools/call', params: { name, arguments: args } };
}

export async function callTool(session: Session, { params }: ToolCall, run: Run) {
  const onprogress = (one: { progress: number; total?: number | undefined; message?: string | undefined }): void => {
    // SDK v2 reports its own questions this way.
    if (one.message?.startsWith('Fulfilling input required') === true) return;
    if (run.out.json) {
      if (isOn(run, 'messages')) run.out.line({ progress: one });
    } else
      run.out.note(
        run.out.paintNote('dim', `  ${one.progress}${one.total === undefined ? '' : `/${one.total}`} ${cleanLine(one.message ?? '')}`),
      );
  };
  const waiting = setInterval(() => run.out.status(`waiting for ${cleanLine(params.name)} …`), 1000);
  try {
    return await settled(session, session.client.callTool(params, { ...session.request, onprogress, resetTimeoutOnProgress: true }));
  } finally {
    clearInterval(waiting);
    run.out.status('');
  }
}

function textOf(result: { content?: readonly unknown[]; structuredContent?: unknown }): string {
  const text = contentText(result.content ?? []);
  return text === '' && result.structuredContent !== undefined ? JSON.stringify(result.structuredContent, undefined, 2) : text;
}

/** The arguments of a tool in one line: `period (string), count? (integer)`. */
function describe({ properties = {}, required = [] }: Schema): string {
  const all = Object.entries(properties).map(
    ([name, one]) => `${cleanLine(name)}${required.includes(name) ? '' : '?'} (${[one.type ?? 'any'].flat().join(' or ')})`,
  );
  return all.length === 0 ? 'It takes no arguments.' : `It takes: ${all.join(', ')}.`;
}
