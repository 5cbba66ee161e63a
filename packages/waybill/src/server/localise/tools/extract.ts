/** Collects every translatable string of a running server as a catalogue for translators to start from. */
import { isObject, own, type Meta } from '../../../wire/json.js';
import { SERVER_INFO } from '../../../wire/keys.js';
import type { CatalogSource } from '../catalog.js';
import { fieldsOf, LISTS, visit, visitSchemas, type Visit } from '../fields.js';
import { escapeMessage } from '../message/syntax.js';
import { pagesOf } from './pages.js';

/** Sends one request to the server in its default language, with a client or `fetch`. It may throw for a list the server does not have. */
export type AskServer = (method: string, params: object) => unknown;

export interface Extracted {
  /** By key, in the order of the lists. Each text is an ICU message that says what the server says. */
  readonly entries: ReadonlyMap<string, string>;
  /** Keys that two objects share although their texts differ: one entry cannot serve both. */
  readonly conflicts: readonly string[];
}

export interface ExtractOptions {
  /** `should`: only texts that are localised by default. `all`, the default: also descriptions, schema texts and instructions. */
  readonly fields?: 'should' | 'all';
}

export async function extractStrings(ask: AskServer, { fields = 'all' }: ExtractOptions = {}): Promise<Extracted> {
  const entries = new Map<string, string>();
  const conflicts = new Set<string>();
  const note: Visit = (text, key, rule) => {
    if (text === undefined || text === '' || (rule === 'may' && fields === 'should')) return text;
    const message = escapeMessage(text);
    if (entries.has(key) && entries.get(key) !== message) conflicts.add(key);
    else entries.set(key, message);
    return text;
  };
  await introduction(ask, note);
  for (const [method, { member, root, type }] of Object.entries(LISTS))
    for (const item of (await pagesOf((params) => ask(method, params))).flatMap((page) => itemsIn(page, member))) {
      const prefix = `${root}.${String(item['name'])}`;
      visit(item, prefix, fieldsOf(type), note);
      if (type === 'Tool') visitSchemas(item, prefix, note);
    }
  return { entries, conflicts: [...conflicts] };
}

/** Reads `server/discover`; on 2025-11-25 `ask` may answer `initialize` with the result that its client got. */
async function introduction(ask: AskServer, note: Visit): Promise<void> {
  for (const method of ['server/discover', 'initialize']) {
    const result = await attempt(ask, method, {});
    if (!isObject(result)) continue;
    const meta = own(result, '_meta');
    const info = own(result, 'serverInfo') ?? (isObject(meta) ? own(meta, SERVER_INFO) : undefined);
    if (isObject(info)) visit(info, 'server', fieldsOf('Implementation'), note);
    const instructions = own(result, 'instructions');
    if (typeof instructions === 'string') note(instructions, 'server.instructions', 'may');
    return;
  }
}

function itemsIn(page: unknown, member: string): Meta[] {
  const items = isObject(page) ? own(page, member) : undefined;
  return Array.isArray(items) ? items.filter((item): item is Meta => isObject(item) && typeof item['name'] === 'string') : [];
}

async function attempt(ask: AskServer, method: string, params: object): Promise<unknown> {
  try {
    return await ask(method, params);
  } catch {
    return undefined;
  }
}

/** Returns entries as a file holds them: nested by their dots where that is unambiguous, in their order. */
export function catalogOf(entries: ReadonlyMap<string, string>): CatalogSource {
  const root: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [key, text] of entries) {
    const steps = key.split('.');
    let at = root;
    // If a text stands where an object is needed, the rest of the name stays in one piece.
    while (steps.length > 1) {
      const inner = at[steps[0] as string];
      if (typeof inner === 'string' || steps[0] === '') break;
      at = at[steps.shift() as string] = (inner ?? Object.create(null)) as Record<string, unknown>;
    }
    const name = steps.join('.');
    if (typeof at[name] === 'object')
      for (const [rest, inner] of flatten(at[name] as Record<string, unknown>)) at[`${name}.${rest}`] = inner;
    at[name] = text;
  }
  return root as CatalogSource;
}

function flatten(object: Record<string, unknown>, prefix = ''): [string, unknown][] {
  return Object.entries(object).flatMap(([name, inner]) =>
    typeof inner === 'object' && inner !== null
      ? flatten(inner as Record<string, unknown>, `${prefix}${name}.`)
      : [[`${prefix}${name}`, inner] as [string, unknown]],
  );
}
