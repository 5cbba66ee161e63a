import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogOf, coverage, describeCoverage, type Extracted, extractStrings, pseudoCatalog } from 'waybill/server/tools';
import { Failure, usage } from '../failure.js';
import { parseJson, reasonOf } from '../json.js';
import { didYouMean } from '../nearest.js';
import { type CommandAnswer, type Run, textOf } from '../run.js';
import { openSession } from '../session/session.js';
import { targetOf } from '../target/target.js';

const ACTIONS: Readonly<Record<string, (run: Run) => Promise<CommandAnswer>>> = { extract, check, pseudo };

export function run(run: Run): Promise<CommandAnswer> {
  const [action = '', ...words] = run.words;
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (act === undefined) throw usage('catalog: expected extract, check or pseudo', didYouMean(action, Object.keys(ACTIONS)));
  return act({ ...run, words });
}

/** Every text of the server, as the catalogue of its own language. */
async function extract(run: Run): Promise<CommandAnswer> {
  const { entries, conflicts } = await extractedFrom(run);
  for (const key of conflicts) run.out.note(`note: ${key} stands for two different texts`);
  const result = catalogOf(entries);
  return { result, text: JSON.stringify(result, undefined, 2) };
}

async function check(run: Run): Promise<CommandAnswer> {
  const [folder, ...words] = run.words;
  if (folder === undefined) throw usage('catalog check: no FOLDER is given', 'It holds one file for each language: en.json, de.json.');
  const sources = readFolder(folder);
  const preset = textOf(run, 'default') ?? 'en';
  if (!Object.hasOwn(sources, preset))
    throw usage(`${folder} has no catalogue for ${preset}`, 'Name the language of the server with --default.');
  const hasTarget = words.length > 0 || run.serverCommand !== undefined;
  const extracted = hasTarget ? (await extractedFrom({ ...run, words })).entries : undefined;
  const report = await coverage(sources, { default: preset, ...(extracted !== undefined && { extracted }) });
  const ok = report.every(({ missing, malformed }) => missing.length === 0 && malformed.length === 0);
  return { ok, result: { languages: report }, text: describeCoverage(report) };
}

async function pseudo(run: Run): Promise<CommandAnswer> {
  const style = textOf(run, 'style') ?? 'accents';
  if (style !== 'accents' && style !== 'mirrored') throw usage('--style: expected accents or mirrored');
  const { entries } = await extractedFrom(run);
  const result = catalogOf(await pseudoCatalog(entries, { style }));
  return { result, text: JSON.stringify(result, undefined, 2) };
}

async function extractedFrom(run: Run): Promise<Extracted> {
  const fields = textOf(run, 'fields') ?? 'should';
  if (fields !== 'should' && fields !== 'all') throw usage('--fields: expected should or all');
  const { target, words } = await targetOf(run);
  if (words.length > 0) throw usage(`"${words.join(' ')}" is too much`);
  const { client, request } = await openSession(run, target, { values: { language: null } });
  const lists: Readonly<Record<string, () => unknown>> = {
    initialize: () => ({ serverInfo: client.getServerVersion(), instructions: client.getInstructions() }),
    'tools/list': () => client.listTools(undefined, request),
    'prompts/list': () => client.listPrompts(undefined, request),
    'resources/list': () => client.listResources(undefined, request),
    'resources/templates/list': () => client.listResourceTemplates(undefined, request),
  };
  return extractStrings(
    (method) => {
      const list = lists[method];
      if (list === undefined) throw new TypeError(`${method} is not asked for`);
      return list();
    },
    { fields },
  );
}

/** One file for each language, or a folder with several. */
function readFolder(folder: string): Record<string, unknown> {
  const sources: Record<string, unknown> = {};
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) sources[entry.name] = Object.assign({}, ...Object.values(readFolder(path)));
      else if (entry.name.endsWith('.json')) sources[entry.name.slice(0, -5)] = parseJson(readFileSync(path, 'utf8'), path);
    }
  } catch (error) {
    throw error instanceof Failure ? error : usage(`${folder}: ${reasonOf(error)}`);
  }
  if (Object.keys(sources).length === 0)
    throw usage(`${folder} has no catalogue`, 'It holds one file for each language: en.json, de.json.');
  return sources;
}
