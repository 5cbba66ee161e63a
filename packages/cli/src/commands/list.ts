import { keys } from 'waybill';
import { ignore, readRequirement } from 'waybill/adapter';
import { pathsOf } from '../differences.js';
import { usage } from '../failure.js';
import { cleanLine } from '../output.js';
import type { CommandAnswer, Run } from '../run.js';
import { openSession, type Session } from '../session/session.js';
import { hanging, pad, table, widthOf } from '../table.js';
import { targetOf } from '../target/target.js';

interface Listed {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly uri?: string;
  readonly uriTemplate?: string;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

export async function run(run: Run): Promise<CommandAnswer> {
  const { target, words } = await targetOf(run);
  if (words.length > 0) throw usage(`"${words.join(' ')}" is too much`, 'list takes a TARGET only.');
  const { language, result } = await everything(await openSession(run, target));
  run.about.language = language;
  const { server, revision, tools, resources, resourceTemplates, prompts } = result;
  const parts = [
    section('Tools', tools, run),
    section('Resources', resources, run),
    section('Resource templates', resourceTemplates, run),
    section('Prompts', prompts, run),
  ].filter((part) => part !== '');
  const spoken = language === undefined ? '' : `, in ${language}`;
  const name = cleanLine(server?.title ?? server?.name ?? target.label);
  run.out.note(run.out.paintNote('dim', `${name}, revision ${revision}${spoken}`));
  return { result, text: parts.length === 0 ? 'The server offers nothing.' : parts.join('\n\n') };
}

/** Every list that the server says it has, and their language. */
async function everything({ client, revision, request, waybill }: Session) {
  const has = client.getServerCapabilities() ?? {};
  const tools = has.tools && (await client.listTools(undefined, request));
  const resources = has.resources && (await client.listResources(undefined, request));
  // Some servers with resources have no templates, and say so only by an error.
  const templates = has.resources && (await client.listResourceTemplates(undefined, request).catch(() => undefined));
  const prompts = has.prompts && (await client.listPrompts(undefined, request));
  const result = {
    server: client.getServerVersion(),
    revision,
    tools: tools?.tools ?? [],
    resources: resources?.resources ?? [],
    resourceTemplates: templates?.resourceTemplates ?? [],
    prompts: prompts?.prompts ?? [],
  };
  return { language: waybill.languageOf(tools ?? prompts ?? resources), result };
}

function section(title: string, all: readonly Listed[], run: Run): string {
  if (all.length === 0) return '';
  const rows = all.map((one) => [cleanLine(one.uri ?? one.uriTemplate ?? one.name), cleanLine(one.title ?? ''), aboutOf(one)] as const);
  return `${run.out.paint('bold', title)}\n${Number.isFinite(run.out.columns) ? forTerminal(rows, run.out.columns) : table(rows, '  ')}`;
}

type Row = readonly [name: string, title: string, about: string];

/** Titles and descriptions as one text after the name, on three lines at most. */
function forTerminal(rows: readonly Row[], width: number): string {
  const longest = Math.min(24, Math.max(...rows.map(([name]) => widthOf(name))));
  return rows
    .map(([name, title, about]) => {
      const text = [title, about].filter((part) => part !== '').join(' – ');
      const lines = hanging(`  ${pad(name, longest)}  `, text, width).split('\n');
      return lines.length > MAX_LINES ? `${lines.slice(0, MAX_LINES).join('\n')} …` : lines.join('\n');
    })
    .join('\n');
}

const MAX_LINES = 3;

/** The description of a tool, after what the tool needs or why it cannot be used. */
function aboutOf(one: Listed): string {
  const unavailable = one._meta?.[keys.UNAVAILABLE] as { reason?: unknown } | undefined;
  const { required } = readRequirement(one, ignore);
  const about = cleanLine((one.description ?? '').split('\n')[0] ?? '');
  if (typeof unavailable?.reason === 'string') return `(unavailable: ${cleanLine(unavailable.reason)}) ${about}`;
  return required === undefined ? about : `(needs ${pathsOf(required).map(cleanLine).join(', ')}) ${about}`;
}
