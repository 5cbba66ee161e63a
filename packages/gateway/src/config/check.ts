/** Checks a configuration against the published JSON Schema, and says what is wrong in words. */
import { readFileSync } from 'node:fs';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { nearest } from 'waybill/adapter';
import { own } from '../json/values.js';
import { NO_SSE } from './hostFile.js';
import type { Problem } from './problem.js';

let validate: ValidateFunction | undefined;

export function schema(): object {
  return JSON.parse(readFileSync(new URL('../../schema.json', import.meta.url), 'utf8')) as object;
}

const SHOW_ALL = { allErrors: true, verbose: true, allowUnionTypes: true, strict: false } as const;

export function checkShape(value: unknown): Problem[] {
  // The schema itself is checked by a test: to check it at each start takes memory.
  validate ??= new Ajv({ ...SHOW_ALL, validateSchema: false, meta: false }).compile(schema());
  if (validate(value)) return [];
  return (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if' && keyword !== 'propertyNames').map(problemOf);
}

const NO_OAUTH =
  'OAuth towards upstreams is not supported; write a token that does not change as `credentials: { Authorization: "Bearer …" }`';

function problemOf(error: ErrorObject): Problem {
  const { instancePath, keyword, params, data } = error;
  const path = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const member = keyword === 'additionalProperties' ? (params as { additionalProperty: string }).additionalProperty : error.propertyName;
  const words = path[2] === 'credentials' ? [path[3], data] : path.length === 2 && path[0] === 'upstreams' ? [member] : [];
  const asksForOAuth = words.some((word) => /^o?auth/i.test(String(word)));
  return { path, ...(member !== undefined && { member }), text: asksForOAuth ? NO_OAUTH : wordsFor(error, path) };
}

function wordsFor({ keyword, params, message, parentSchema, data, propertyName }: ErrorObject, path: readonly string[]): string {
  switch (keyword) {
    case 'additionalProperties': {
      const { additionalProperty } = params as { additionalProperty: string };
      const known = Object.keys((parentSchema as { properties?: object }).properties ?? {});
      const isUpstream = path[0] === 'upstreams' && path.length === 2;
      if (isUpstream && additionalProperty === 'type' && own(data, 'type') === 'sse') return NO_SSE;
      const elsewhere = isUpstream ? ELSEWHERE[additionalProperty] : undefined;
      return `unknown; ${elsewhere ?? oneOf(additionalProperty, known)}`;
    }
    case 'enum':
      if (path.length === 3 && path[2] === 'credentials')
        return 'expected headers, such as { Authorization: "Bearer …" }, or pass, or none';
      return oneOf(data, (params as { allowedValues: string[] }).allowedValues);
    case 'type':
      return typeText([(params as { type: string | string[] }).type].flat(), data, parentSchema as Described);
    case 'not':
      return 'expected true, or the name of the user';
    case 'required':
      return `${(params as { missingProperty: string }).missingProperty} is missing`;
    case 'minProperties':
    case 'maxProperties':
      return `expected ${path[0] === 'identity' ? 'exactly one of jwt, trustedProxy, single' : 'at least one'}`;
    case 'minItems':
      return 'expected at least one';
    case 'minimum':
      return `expected ${(params as { limit: number }).limit} or more`;
    case 'maximum':
      return `expected ${(params as { limit: number }).limit} or less`;
    case 'minLength':
      return `expected at least ${(params as { limit: number }).limit} letters`;
    case 'pattern': {
      const example = exampleOf((params as { pattern: string }).pattern);
      return propertyName === undefined ? `expected a value such as ${example}` : `a name has only ${example}`;
    }
    default:
      return message ?? 'is not allowed';
  }
}

/** Members that the files of hosts have, and this one calls by another name. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  args: 'write the arguments after the program: `command: [program, argument]`',
  headers: 'write headers as `credentials`',
  type: 'leave it out; `url` or `command` says what it is',
  serverUrl: 'write it as `url`',
  httpUrl: 'write it as `url`',
};

interface Described {
  readonly default?: unknown;
  readonly examples?: readonly (string | readonly string[])[];
}

const KINDS: Readonly<Record<string, string>> = {
  object: 'names with values (name: value)',
  array: 'a list, as in [one, two]',
  string: 'text',
  integer: 'a whole number',
  boolean: 'true or false',
};

function typeText(
  types: readonly string[],
  data: unknown,
  { default: standard, examples = typeof standard === 'string' ? [standard] : [] }: Described,
): string {
  const [example] = examples;
  const expected = `expected ${types.map((type) => KINDS[type] ?? type).join(' or ')}`;
  if (Array.isArray(example)) return `expected a list, such as [${example.join(', ')}]`;
  if (types.includes('string') && typeof example === 'string') return `${expected}, such as ${example}`;
  if (types.includes('string') && (typeof data === 'number' || typeof data === 'boolean')) return `${expected}; put the value in quotes`;
  return types.includes('integer') && typeof data === 'string' ? `${expected} without quotes; a variable gives text` : expected;
}

/** What to write instead. */
export function oneOf(given: unknown, known: readonly string[]): string {
  const near = typeof given === 'string' ? nearest(given, known) : undefined;
  return near === undefined ? `expected one of ${known.join(', ')}` : `did you mean ${near}?`;
}

function exampleOf(pattern: string): string {
  if (pattern.includes('MB')) return '4MB';
  if (pattern.includes('ms')) return '30s';
  if (pattern.includes('https')) return 'https://host.example';
  return pattern.includes('/(s') ? '50/s' : 'letters, digits, dots, dashes and underscores';
}
