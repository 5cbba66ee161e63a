/**
 * The fields of protocol objects that are looked up in catalogues, and their keys. They come from the table of translatable fields
 * (LANG-30…34), so that localiser, extractor and guard cannot disagree.
 */
import { isObject, own, type Meta } from '../../wire/json.js';
import { translation, translationRule, type TranslatedType } from '../../wire/language.js';
import type { KeyRule } from './keys.js';

/** For each list method: the member of the result that holds the list, the root of its keys in a catalogue, and the type of its items. */
export const LISTS: Readonly<Record<string, { readonly member: string; readonly root: string; readonly type: TranslatedType }>> = {
  'tools/list': { member: 'tools', root: 'tools', type: 'Tool' },
  'prompts/list': { member: 'prompts', root: 'prompts', type: 'Prompt' },
  'resources/list': { member: 'resources', root: 'resources', type: 'Resource' },
  'resources/templates/list': { member: 'resourceTemplates', root: 'resourceTemplates', type: 'ResourceTemplate' },
};

export interface Field {
  /** `*` stands for each element of a list; its `name` becomes part of the key. */
  readonly path: readonly string[];
  readonly rule: KeyRule;
}

/** The texts at fixed places of a type. `visitSchemas` finds the ones inside schemas. */
export function fieldsOf(type: TranslatedType): readonly Field[] {
  return FIELDS.get(type) ?? [];
}

const FIELDS: ReadonlyMap<TranslatedType, readonly Field[]> = new Map(
  (['Tool', 'Prompt', 'Resource', 'ResourceTemplate', 'Implementation'] as const).map((type) => [
    type,
    Object.entries(translation[type])
      .filter(([pattern, rule]) => rule !== 'mustNot' && !pattern.includes('**'))
      .map(([pattern, rule]) => ({ path: pattern.split('.'), rule: rule as KeyRule })),
  ]),
);

/** Gets a text and its key, and returns the text to put in its place. */
export type Visit = (text: string | undefined, key: string, rule: KeyRule) => string | undefined;

/** Visits every text of one named object. Returns a copy where a text changes, and shares the rest; never changes the object itself. */
export function visit(object: Meta, prefix: string, fields: readonly Field[], say: Visit): Meta {
  let next = object;
  for (const { path, rule } of fields) next = visitPath(next, prefix, path, rule, say);
  return next;
}

function visitPath(object: Meta, prefix: string, path: readonly string[], rule: KeyRule, say: Visit): Meta {
  const [step = '', ...rest] = path;
  const inner = own(object, step);
  if (rest.length === 0) {
    if (inner !== undefined && typeof inner !== 'string') return object;
    const text = say(inner, `${prefix}.${step}`, rule);
    return text === inner || text === undefined ? object : { ...object, [step]: text };
  }
  if (rest[0] === '*') {
    if (!Array.isArray(inner)) return object;
    const next = visitEach(inner, `${prefix}.${step}`, rest.slice(1), rule, say);
    return next === inner ? object : { ...object, [step]: next };
  }
  if (inner !== undefined && !isObject(inner)) return object;
  const next = visitPath(inner ?? EMPTY, `${prefix}.${step}`, rest, rule, say);
  return next === (inner ?? EMPTY) ? object : { ...object, [step]: next };
}

const EMPTY: Meta = Object.freeze({});

function visitEach(list: readonly unknown[], prefix: string, path: readonly string[], rule: KeyRule, say: Visit): readonly unknown[] {
  return mapObjects(list, (item) =>
    typeof item['name'] === 'string' ? visitPath(item, `${prefix}.${item['name']}`, path, rule, say) : item,
  );
}

/** Maps the objects of a list. Returns the same list if none has changed. */
export function mapObjects(list: readonly unknown[], change: (item: Meta) => Meta): readonly unknown[] {
  const next = list.map((item) => (isObject(item) ? change(item) : item));
  return next.every((item, at) => item === list[at]) ? list : next;
}

/** Schemas are the author's own, so this bound only stops mistakes such as a schema inside itself. */
const MAX_DEPTH = 64;

// LANG-32
/** Visits titles and descriptions inside the schemas of a tool, which are translated only if the author opts in. */
export function visitSchemas(tool: Meta, prefix: string, say: Visit): Meta {
  let next = tool;
  for (const name of ['inputSchema', 'outputSchema']) {
    const schema = own(tool, name);
    const visited = visitSchema(schema, [name], prefix, say);
    if (visited !== schema) next = { ...next, [name]: visited };
  }
  return next;
}

function visitSchema(value: unknown, path: readonly string[], prefix: string, say: Visit): unknown {
  if (typeof value === 'string') {
    const rule = translationRule('Tool', path);
    return rule === 'mustNot' ? value : (say(value, `${prefix}.${path.join('.')}`, rule) ?? value);
  }
  if (typeof value !== 'object' || value === null || path.length > MAX_DEPTH) return value;
  if (Array.isArray(value)) {
    const next = value.map((item: unknown, at) => visitSchema(item, [...path, String(at)], prefix, say));
    return next.every((item, at) => item === value[at]) ? value : next;
  }
  let next = value as Meta;
  for (const [name, inner] of Object.entries(value)) {
    const visited = visitSchema(inner, [...path, name], prefix, say);
    if (visited !== inner) next = { ...next, [name]: visited };
  }
  return next;
}
