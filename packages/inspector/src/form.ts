/** A form for the common parts of JSON Schema: which field a schema gets, what was typed as a value, and a value as what would have been typed. */
import { tryJson } from '../../cli/src/tryJson.js';

export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly enumNames?: readonly string[];
  readonly const?: unknown;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface Option {
  readonly value: unknown;
  readonly title: string;
}

/** `lines`: a list with one text or number a line. `json`: everything without a field of its own. */
type FieldKind = 'text' | 'number' | 'integer' | 'flag' | 'choice' | 'choices' | 'lines' | 'group' | 'json';

/** The texts that were typed, by the path of the field. They are kept even if the field disappears. */
export type Typed = Readonly<Record<string, string | boolean | readonly string[]>>;
type Path = readonly string[];
export const keyOf = (path: Path): string => JSON.stringify(path);

/** Deeper groups are written as JSON. */
const MAX_DEPTH = 3;

export function kindOf(schema: JsonSchema, depth = 0): FieldKind {
  if (optionsOf(schema) !== undefined) return 'choice';
  const type = typeOf(schema);
  if (type === 'string') return 'text';
  if (type === 'number' || type === 'integer') return type;
  if (type === 'boolean') return 'flag';
  if (type === 'array' && schema.items !== undefined) {
    if (optionsOf(schema.items) !== undefined) return 'choices';
    if (['string', 'number', 'integer'].includes(typeOf(schema.items) ?? '')) return 'lines';
  }
  const isGroup = type === 'object' && Object.keys(schema.properties ?? {}).length > 0 && depth < MAX_DEPTH;
  return isGroup ? 'group' : 'json';
}

/** A type that may also be null counts as the other one: an empty field says null by saying nothing. */
const typeOf = ({ type }: JsonSchema): string | undefined => {
  const types = (typeof type === 'string' ? [type] : (type ?? [])).filter((each) => each !== 'null');
  return types.length === 1 ? types[0] : undefined;
};

export function optionsOf({ enum: values, enumNames, oneOf, anyOf }: JsonSchema): readonly Option[] | undefined {
  if (values !== undefined) return values.map((value, at) => ({ value, title: enumNames?.[at] ?? String(value) }));
  const each = oneOf ?? anyOf;
  if (each?.every((one) => 'const' in one) !== true) return undefined;
  return each.map(({ const: value, title }) => ({ value, title: title ?? String(value) }));
}

export type Problem = 'required' | 'number' | 'integer' | 'json';

type Fail = (problem: Problem) => void;

interface Read {
  readonly value: unknown;
  /** The mistakes, by the key of the field. */
  readonly problems: Readonly<Record<string, Problem>>;
}

/** The values of a form. An empty field is not sent. */
export function readForm(schema: JsonSchema, typed: Typed): Read {
  const problems: Record<string, Problem> = {};
  const value = readGroup(schema, [], typed, problems) ?? {};
  return { value, problems };
}

function readGroup(schema: JsonSchema, path: Path, typed: Typed, problems: Record<string, Problem>): object | undefined {
  const found = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const inner = [...path, name];
    const isRequired = schema.required?.includes(name) ?? false;
    // A group that nothing was typed into is absent, so its own required fields are not missed.
    const isAbsent = kindOf(field, path.length) === 'group' && !isRequired && !isTouched(inner, typed);
    // A required switch that nobody touched is off.
    const missing = isRequired && kindOf(field, path.length) === 'flag' ? false : undefined;
    const value = isAbsent ? undefined : (readField(field, inner, typed, problems) ?? missing);
    if (value === undefined && isRequired && problems[keyOf(inner)] === undefined) problems[keyOf(inner)] = 'required';
    return value === undefined ? [] : [[name, value] as const];
  });
  return found.length === 0 && path.length > 0 ? undefined : Object.fromEntries(found);
}

const isTouched = (path: Path, typed: Typed): boolean => {
  const start = keyOf(path).slice(0, -1);
  return Object.entries(typed).some(([key, value]) => key.startsWith(`${start},`) && value !== '');
};

function readField(schema: JsonSchema, path: Path, typed: Typed, problems: Record<string, Problem>): unknown {
  const kind = kindOf(schema, path.length - 1);
  if (kind === 'group') return readGroup(schema, path, typed, problems) ?? {};
  const key = keyOf(path);
  const text = typed[key];
  const fail: Fail = (problem) => {
    problems[key] = problem;
  };
  if (text === undefined || text === '') return undefined;
  if (kind === 'flag') return text === true;
  if (kind === 'choice') return optionsOf(schema)?.find(({ value }) => String(value) === text)?.value;
  if (kind === 'choices') return chosenOf(schema.items ?? {}, text as readonly string[]);
  const words = String(text);
  if (kind === 'text') return words;
  if (kind === 'json') return jsonOf(words, fail);
  if (kind !== 'lines') return numberOf(words, kind, fail);
  const lines = words.split('\n').filter((line) => line.trim() !== '');
  const type = typeOf(schema.items ?? {});
  return type === 'string' ? lines : lines.map((line) => numberOf(line, type as 'number', fail));
}

const chosenOf = (items: JsonSchema, titles: readonly string[]): readonly unknown[] | undefined =>
  titles.length === 0
    ? undefined
    : optionsOf(items)
        ?.map(({ value }) => value)
        .filter((value) => titles.includes(String(value)));

function numberOf(text: string, kind: 'number' | 'integer', fail: Fail): number | undefined {
  const value = Number(text.trim());
  if (text.trim() === '' || !Number.isFinite(value)) fail('number');
  else if (kind === 'integer' && !Number.isInteger(value)) fail('integer');
  else return value;
  return undefined;
}

function jsonOf(text: string, fail: Fail): unknown {
  const value = tryJson(text);
  if (value === undefined) fail('json');
  return value;
}

/** The default of a schema, also where only its members have some. */
export function defaultOf({ default: value, properties = {} }: JsonSchema): unknown {
  if (value !== undefined) return value;
  const members = Object.entries(properties).map(([name, field]) => [name, defaultOf(field)] as const);
  const known = members.filter(([, each]) => each !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

/** Returns the text that somebody would type to get this value. */
export function typedOf(schema: JsonSchema, value: unknown, path: Path = []): Typed {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]): Typed => {
    const given = memberOf(value, name);
    const kind = kindOf(field, path.length);
    if (given === undefined || given === null) return {};
    return kind === 'group' ? typedOf(field, given, [...path, name]) : { [keyOf([...path, name])]: textOf(kind, given) };
  });
  return Object.assign({}, ...fields) as Typed;
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;

function textOf(kind: FieldKind, value: unknown): string | boolean | readonly string[] {
  if (kind === 'flag') return value === true;
  if (kind === 'choices') return Array.isArray(value) ? value.map(String) : [];
  if (kind === 'lines' && Array.isArray(value)) return value.map(String).join('\n');
  return kind !== 'json' && typeof value === 'string' ? value : JSON.stringify(value);
}
