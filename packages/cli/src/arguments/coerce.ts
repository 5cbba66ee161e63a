/** Reads the text of `name=value` as the type that a tool's schema names. */
import { tryJson } from '../tryJson.js';

export interface Schema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly patternProperties?: object;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly $ref?: string;
}

/** Follows references inside the same schema, and joins alternatives into one list of types. */
function typesOf(schema: Schema | undefined, whole: Schema, depth = 0): { types: string[]; schema: Schema } {
  if (schema === undefined || depth > 8) return { types: [], schema: schema ?? {} };
  if (schema.$ref?.startsWith('#/') === true) {
    const found = schema.$ref
      .slice(2)
      .split('/')
      .reduce<unknown>(
        (at, name) => (at as Record<string, unknown> | undefined)?.[name.replaceAll('~1', '/').replaceAll('~0', '~')],
        whole,
      );
    return typesOf(found as Schema | undefined, whole, depth + 1);
  }
  const own = typeof schema.type === 'string' ? [schema.type] : [...(schema.type ?? [])];
  const listed = [...(schema.enum ?? []), ...(schema.const === undefined ? [] : [schema.const])].map((value) => typeof value);
  const others = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return { types: [...own, ...listed, ...others.flatMap((one) => typesOf(one, whole, depth + 1).types)], schema };
}

/** A value that does not fit its type stays a text: the check of the whole schema then says what is wrong. */
export function coerce(text: string, schema: Schema | undefined, whole: Schema): unknown {
  const { types, schema: found } = typesOf(schema, whole);
  if (types.includes('null') && text === 'null') return null;
  if (types.includes('boolean') && /^(true|false)$/.test(text)) return text === 'true';
  if ((types.includes('number') || types.includes('integer')) && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (types.includes('object') || types.includes('array')) {
    const value = tryJson(text);
    if (typeof value === 'object' && value !== null) return value;
    if (types.includes('array') && !types.includes('string')) return [coerce(text, found.items, whole)];
  }
  return text;
}

export const isList = (schema: Schema | undefined, whole: Schema): boolean => typesOf(schema, whole).types.includes('array');
