/**
 * Which fields of an object of the protocol are looked up, and under which name: read off the table of what may be translated, so that
 * localiser, extractor and guard cannot differ about it (LANG-30…34).
 */
import { isObject, own, type Meta } from '../../wire/json.js';
import { translation, translationRule, type TranslatedType } from '../../wire/language.js';
import type { KeyRule } from './keys.js';

/** Where lists and other results keep what has a name: in which member, under which root of a catalogue, as what. */
export const LISTS: Readonly<Record<string, { readonly member: string; readonly root: string; readonly type: TranslatedType }>> = {
  'tools/list': { member: 'tools', root: 'tools', type: 'Tool' },
  'prompts/list': { member: 'prompts', root: 'prompts', type: 'Prompt' },
  'resources/list': { member: 'resources', root: 'resources', type: 'Resource' },
  'resources/templates/list': { member: 'resourceTemplates', root: 'resourceTemplates', type: 'ResourceTemplate' },
};

export interface Field {
  /** `*` is each element of a list, known by its `name`. */
  readonly path: readonly string[];
  readonly rule: KeyRule;
}

/** The fixed places of texts in an object of a type; those inside schemas are found by walking them. */
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

/** A text in its place: gives what goes there instead, or the same. */
export type Visit = (text: string | undefined, key: string, rule: KeyRule) => string | undefined;

/** Every text of one named object, with its key. Copies what changes and shares the rest; the object given is never changed. */
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
  const next = visitPath(inner ?? NOTHING, `${prefix}.${step}`, rest, rule, say);
  return next === (inner ?? NOTHING) ? object : { ...object, [step]: next };
}

const NOTHING: Meta = Object.freeze({});

function visitEach(list: readonly unknown[], prefix: string, path: readonly string[], rule: KeyRule, say: Visit): readonly unknown[] {
  return mapped(list, (item) => (typeof item['name'] === 'string' ? visitPath(item, `${prefix}.${item['name']}`, path, rule, say) : item));
}

/** Each object of a list through a function; the same list where none has changed. */
export function mapped(list: readonly unknown[], change: (item: Meta) => Meta): readonly unknown[] {
  const next = list.map((item) => (isObject(item) ? change(item) : item));
  return next.every((item, at) => item === list[at]) ? list : next;
}

/** How deep a schema is looked into; an author's own, so the bound is for mistakes. */
const DEEPEST = 64;

/** LANG-32: titles and descriptions inside the schemas of a tool, which only an author who opts in translates. */
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
  if (typeof value !== 'object' || value === null || path.length > DEEPEST) return value;
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
