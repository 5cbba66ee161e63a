/** A tool, prompt or resource, and the parts of it that the page shows. */
import { keys } from 'waybill';
import { pathsOf } from '../../cli/src/differences.js';
import type { JsonSchema } from './form.js';

export interface Entry {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly uri?: string;
  /** Set for a resource whose address has parts that the user writes. */
  readonly uriTemplate?: string;
  readonly inputSchema?: JsonSchema;
  readonly arguments?: readonly {
    readonly name: string;
    readonly title?: string;
    readonly description?: string;
    readonly required?: boolean;
  }[];
  readonly annotations?: { readonly title?: string; readonly readOnlyHint?: boolean };
  readonly _meta?: Record<string, unknown>;
}

export const titleOf = (entry: Entry): string => entry.title ?? entry.annotations?.title ?? entry.name;

/** The capabilities that a disabled tool lacks, as paths; the client half left them on the tool. */
export function missingOf({ _meta }: Entry): string | undefined {
  const mark = _meta?.[keys.UNAVAILABLE] as { missing?: object } | undefined;
  return mark === undefined ? undefined : pathsOf(mark.missing ?? {}).join(', ');
}

/** Prompts describe their arguments in a list; a form needs a schema. */
export function schemaOf({ inputSchema, arguments: list = [], uriTemplate }: Entry): JsonSchema {
  if (inputSchema !== undefined) return inputSchema;
  if (uriTemplate !== undefined) return templateSchema(uriTemplate);
  const properties = Object.fromEntries(list.map(({ name, title, description }) => [name, textField(title, description)]));
  return { type: 'object', properties, required: list.filter(({ required }) => required).map(({ name }) => name) };
}

const textField = (title: string | undefined, description: string | undefined): JsonSchema => ({
  type: 'string',
  ...(title !== undefined && { title }),
  ...(description !== undefined && { description }),
});

/** The parts of a template that the user writes: `{id}` and `{+path}`. */
const PART = /\{\+?([\w.]+)\}/g;

function templateSchema(template: string): JsonSchema {
  const names = [...template.matchAll(PART)].map(([, name = '']) => name);
  // A template with more than that is written by the user as a whole.
  if (template.replace(PART, '').includes('{'))
    return { type: 'object', properties: { uri: { type: 'string', default: template } }, required: ['uri'] };
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])), required: names };
}

/** The address of a resource; a template is filled with what the user wrote. */
export function uriOf({ uri, uriTemplate = '' }: Entry, args: Readonly<Record<string, string>>): string {
  if (uri !== undefined) return uri;
  if (args['uri'] !== undefined && !uriTemplate.includes('{uri}')) return args['uri'];
  return uriTemplate.replace(PART, (part, name: string) =>
    part.startsWith('{+') ? (args[name] ?? '') : encodeURIComponent(args[name] ?? ''),
  );
}
