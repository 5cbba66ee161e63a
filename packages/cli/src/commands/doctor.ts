import { keys } from 'waybill';
import { ignore, missingCapabilities, readRequirement } from 'waybill/adapter';
import { KNOWN_HOSTS } from '../doctor/hosts.js';
import { judge, type Finding, type Probed } from '../doctor/judge.js';
import { usage } from '../failure.js';
import { cleanLine } from '../output.js';
import { type Outcome, type Run, textOf } from '../run.js';
import { openSession, type Session } from '../session/session.js';
import { contentText } from '../session/show.js';
import { table } from '../table.js';
import { targetOf } from '../target/target.js';
import { callTool, prepare } from './call.js';

interface Tool {
  readonly name: string;
}

/** Sends discovery, lists and one unknown method; a tool only with `--call`. */
export async function run(run: Run): Promise<Outcome> {
  const { target, words } = await targetOf(run);
  const tool = textOf(run, 'call');
  if (words.length > 0 && tool === undefined) throw usage(`"${words.join(' ')}" is too much`, 'Arguments need --call TOOL.');
  const all = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };
  const bare = await openSession(run, target, { values: { language: null, environment: null }, capabilities: all });
  const plain = await toolsOf(bare);
  const unknown = await unknownMethod(bare);
  await bare.client.close();
  const aware = await openSession(run, target, {
    values: { language: 'de', environmentEverywhere: true, trace: 'start' },
    capabilities: all,
  });
  const probed = await probe(aware, plain, tool === undefined ? undefined : { tool, words }, run);
  const findings = judge(probed);
  const hosts = hostTable(plain);
  const ok = findings.every(({ verdict }) => verdict !== 'breaks' && verdict !== 'refuses');
  return {
    ok,
    result: { revision: aware.revision, findings, unknownMethod: unknown, hosts },
    text: textFor(findings, hosts, unknown, run),
  };
}

async function toolsOf({ client, request }: Session): Promise<readonly Tool[]> {
  return client.getServerCapabilities()?.tools === undefined ? [] : (await client.listTools(undefined, request)).tools;
}

async function probe(
  session: Session,
  plain: readonly Tool[],
  call: { tool: string; words: readonly string[] } | undefined,
  run: Run,
): Promise<Probed> {
  const extensions = session.client.getServerCapabilities()?.extensions as Record<string, Record<string, unknown>> | undefined;
  const about = { extension: extensions?.[keys.EXTENSION_ID], tools: plain };
  try {
    const list =
      session.client.getServerCapabilities()?.tools === undefined
        ? { tools: [] }
        : await session.client.listTools(undefined, session.request);
    const names = (tools: readonly Tool[]): string => JSON.stringify(tools.map(({ name }) => name));
    const result = { ...about, language: session.waybill.languageOf(list), sameNames: names(list.tools) === names(plain) };
    if (call === undefined) return result;
    const answer = await callTool(session, await prepare(session, call.tool, call.words), run);
    return {
      ...result,
      call: { ok: answer.isError !== true, said: `${call.tool} answers: ${cleanLine(contentText(answer.content)).slice(0, 120)}` },
    };
  } catch (error) {
    const { code = '', message } = error as { code?: string | number; message: string };
    return { ...about, language: undefined, sameNames: true, failure: `${code} ${message}`.trim() };
  }
}

/** A server has to refuse a method that it does not know, and stay alive. */
async function unknownMethod({ client, request }: Session): Promise<string> {
  const anything = { '~standard': { version: 1 as const, vendor: 'waybill', validate: (value: unknown) => ({ value }) } };
  try {
    await client.request({ method: 'waybill/unknown' } as never, anything as never, request);
    return 'answers an unknown method with a result; it has to be error -32601';
  } catch (error) {
    const { code } = error as { code?: unknown };
    return code === -32601
      ? 'refuses an unknown method, as it has to'
      : `answers an unknown method with ${String(code)}; it has to be error -32601`;
  }
}

/** The tools that cannot be used in each host. A tool that does not say what it needs counts as usable everywhere. */
function hostTable(tools: readonly Tool[]) {
  return KNOWN_HOSTS.map(({ host, capabilities, source, asOf, note }) => {
    const missing = tools.flatMap((tool) => {
      const { required } = readRequirement(tool, ignore);
      return required === undefined || missingCapabilities(required, capabilities) === undefined ? [] : [tool.name];
    });
    return { host, works: tools.length - missing.length, missing, capabilities, source, asOf, ...(note !== undefined && { note }) };
  });
}

const STYLES = { understands: 'green', ignores: 'yellow', unknown: 'dim', refuses: 'red', breaks: 'red' } as const;

function textFor(findings: readonly Finding[], hosts: ReturnType<typeof hostTable>, unknown: string, { out }: Run): string {
  const rows = findings.flatMap(({ concern, verdict, saw, fix }) => [
    [concern, out.paint(STYLES[verdict], verdict), cleanLine(saw)],
    ...(fix === undefined ? [] : [['', '', out.paint('dim', `fix: ${fix}`)]]),
  ]);
  const where = hosts.map(({ host, works, missing }) => [
    host,
    `${works} tools work`,
    missing.length === 0 ? '' : `not: ${missing.map(cleanLine).join(', ')}`,
  ]);
  const basis = 'By the documents of the hosts themselves, and by the needs that tools declare; --json has the sources.';
  return `${table(rows)}\n\nThe server ${unknown}.\n\n${out.paint('bold', 'In which host')}\n${table(where, '  ')}\n  ${out.paint('dim', basis)}`;
}
